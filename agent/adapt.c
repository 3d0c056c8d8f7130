/* The agent's own thread: it asks the recorder for classes that are to be retransformed, and does it when none of their
 * methods is running. The new bytes come as all others do, by the class-file hook. */
#include "agent.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "heap.h"
#include "own_thread.h"
#include "watch.h"

/* A class that the recorder wants retransformed. */
struct wanted {
    uint32_t loader;
    struct bytes name;
    jclass class; /* a global reference; NULL: there is none */
    uint32_t outcome;
};

enum {
    MOST_WANTED = 256, /* the recorder asks for fewer */
    DEEPEST = 4096     /* frames of a stack that are looked at; only speed depends on the others */
};

/* Reads the recorder's answer. */
static size_t read_wanted(struct bytes from, struct retransform_answer *order, struct wanted *list) {
    size_t n = 0;
    struct retransform_answer answer;
    struct class_key_answer key;
    struct implied_site_answer implied;
    if (!get_retransform_answer(&from, &answer)) return 0;
    *order = answer;
    while (answer.implied.size > 0 && get_implied_site(&answer.implied, &implied))
        imply_site(implied.class, implied.tag);
    while (n < MOST_WANTED && from.size > 0 && get_class_key(&from, &key))
        list[n++] = (struct wanted){.loader = key.loader, .name = key.name, .outcome = ABI_OUTCOME_UNKNOWN};
    return n;
}

static bool is_wanted(const struct wanted *w, const char *name, jclass c, JNIEnv *env) {
    if (w->class || strlen(name) != w->name.size || memcmp(name, w->name.data, w->name.size) != 0) return false;
    if (w->loader == ABI_ANY_LOADER) return true;
    jobject loader = loader_of(c);
    bool same = loader_id(loader) == w->loader;
    if (loader) (*env)->DeleteLocalRef(env, loader);
    return same;
}

static void find_classes(JNIEnv *env, struct wanted *list, size_t n) {
    jint count = 0;
    jclass *classes = NULL;
    if ((*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes) != JVMTI_ERROR_NONE) return;
    for (jint i = 0; i < count; i++) {
        char *signature = NULL;
        const char *name;
        jboolean modifiable = JNI_FALSE;
        if ((*agent.jvmti)->GetClassSignature(agent.jvmti, classes[i], &signature, NULL) != JVMTI_ERROR_NONE) continue;
        bool named = class_name(signature, &name);
        for (size_t k = 0; named && k < n; k++) {
            if (!is_wanted(&list[k], name, classes[i], env)) continue;
            (*agent.jvmti)->IsModifiableClass(agent.jvmti, classes[i], &modifiable);
            list[k].class = (*env)->NewGlobalRef(env, classes[i]);
            list[k].outcome = modifiable && list[k].class ? ABI_OUTCOME_DONE : ABI_OUTCOME_REFUSED;
            break;
        }
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)classes);
}

/* The stacks of all threads at a time, in JVMTI's memory. */
struct stacks {
    jvmtiStackInfo *of;
    jint count;
};

static void take_stacks(struct stacks *s) {
    if ((*agent.jvmti)->GetAllStackTraces(agent.jvmti, DEEPEST, &s->of, &s->count) != JVMTI_ERROR_NONE) s->count = 0;
}

static void free_stacks(JNIEnv *env, struct stacks *s) {
    for (jint t = 0; t < s->count; t++)
        if (s->of[t].thread) (*env)->DeleteLocalRef(env, s->of[t].thread);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)s->of);
}

/* The same thread at another time; NULL where it was not there. */
static const jvmtiStackInfo *same_thread(JNIEnv *env, const struct stacks *s, const jvmtiStackInfo *thread, jint at) {
    for (jint i = 0; i < s->count; i++) {
        const jvmtiStackInfo *other = &s->of[(at + i) % s->count];
        if ((*env)->IsSameObject(env, other->thread, thread->thread)) return other;
    }
    return NULL;
}

/* Whether a frame seems to do nothing but wait for what it has called: it was at the same place before. */
static bool is_cold(const jvmtiStackInfo *thread, jint frame, const jvmtiStackInfo *before) {
    jint outer = thread->frame_count - 1 - frame; /* frames that have called it */
    jint then = before ? before->frame_count - 1 - outer : -1;
    if (frame == 0 || then < 0) return false;
    const jvmtiFrameInfo *a = &thread->frame_buffer[frame], *b = &before->frame_buffer[then];
    return a->method == b->method && a->location == b->location;
}

/* Leaves out, of n classes, those that have frames, but for cold ones if it is known how stacks were before. A frame
 * that is running when its class is redefined stays interpreted for the rest of its life. */
static bool leave_out_live(JNIEnv *env, struct wanted *list, size_t n, const struct stacks *now,
    const struct stacks *before) {
    bool any = false;
    for (jint t = 0; t < now->count; t++) {
        const jvmtiStackInfo *thread = &now->of[t], *then = before ? same_thread(env, before, thread, t) : NULL;
        for (jint f = 0; f < thread->frame_count; f++) {
            jclass c = NULL;
            jmethodID method = thread->frame_buffer[f].method;
            if (before && is_cold(thread, f, then)) continue;
            if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, method, &c) != JVMTI_ERROR_NONE) continue;
            for (size_t k = 0; k < n; k++) {
                if (list[k].outcome != ABI_OUTCOME_DONE || !(*env)->IsSameObject(env, c, list[k].class)) continue;
                list[k].outcome = ABI_OUTCOME_LIVE;
                any = true;
            }
            (*env)->DeleteLocalRef(env, c);
        }
    }
    return any;
}

enum { COLD_MILLISECONDS = 50, LOOKS = 6 };

/* Those that were live in an earlier look and are not in a later one. */
static bool take_in(struct wanted *list, size_t n, const struct wanted *later) {
    bool any_live = false;
    for (size_t k = 0; k < n; k++) {
        if (list[k].outcome == ABI_OUTCOME_LIVE) list[k].outcome = later[k].outcome;
        any_live = any_live || list[k].outcome == ABI_OUTCOME_LIVE;
    }
    return any_live;
}

/* looks: how often cold frames are told from hot ones; 0: all count. A class is left out that has hot ones each time:
 * what is over soon may be seen once. Gives the nanoseconds that were waited between looks. */
static moment leave_out(JNIEnv *env, struct wanted *list, size_t n, int looks) {
    static struct wanted all[MOST_WANTED], later[MOST_WANTED]; /* one thread's */
    struct stacks before = {0};
    moment waited = 0;
    memcpy(all, list, n * sizeof *list);
    take_stacks(&before);
    bool any_live = leave_out_live(env, list, n, &before, NULL);
    for (int i = 0; any_live && i < looks; i++) {
        struct stacks after = {0};
        nanosleep(&(struct timespec){.tv_nsec = COLD_MILLISECONDS * 1000000}, NULL);
        take_stacks(&after);
        memcpy(later, all, n * sizeof *list);
        leave_out_live(env, later, n, &after, &before);
        any_live = take_in(list, n, later);
        free_stacks(env, &before);
        before = after;
        waited += COLD_MILLISECONDS * (moment)1000000;
    }
    free_stacks(env, &before);
    return waited;
}

/* All at once, since each call stops the program and looks at all its classes and compiled code; where that is refused,
 * one by one. */
static void retransform(struct wanted *list, size_t n) {
    jclass classes[MOST_WANTED];
    jint count = 0;
    for (size_t k = 0; k < n; k++)
        if (list[k].outcome == ABI_OUTCOME_DONE) classes[count++] = list[k].class;
    if (count == 0 || (*agent.jvmti)->RetransformClasses(agent.jvmti, count, classes) == JVMTI_ERROR_NONE) return;
    for (size_t k = 0; k < n; k++)
        if (list[k].outcome == ABI_OUTCOME_DONE &&
            (count == 1 || (*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &list[k].class) != JVMTI_ERROR_NONE))
            list[k].outcome = ABI_OUTCOME_REFUSED;
}

/* Does what an answer asks for, and writes down what became of it; false where nothing is to be done any more. */
static bool follow(JNIEnv *env, const unsigned char *answer, uint32_t size, struct message *done) {
    static struct wanted list[MOST_WANTED]; /* one thread's */
    struct retransform_answer order = {0};
    size_t n = read_wanted((struct bytes){answer, size}, &order, list);
    moment started = now();
    if (order.flags & ABI_RETRANSFORM_DETACH) {
        uint32_t unchanged = detach(env, order.counters);
        put_retransformed(done, &(struct retransformed_fields){.nanoseconds = (uint64_t)(now() - started),
            .failed = unchanged});
        return false;
    }
    moment waited = 0;
    bool room = begin_frame(env);
    if (room) find_classes(env, list, n);
    if (room && !(order.flags & ABI_RETRANSFORM_LIVE))
        waited = leave_out(env, list, n,
            order.flags & ABI_RETRANSFORM_AGAIN ? LOOKS : !!(order.flags & ABI_RETRANSFORM_COLD));
    /* with no local reference: what the JVM runs meanwhile, and other agents, have theirs in the same frame */
    if (room) end_frame(env);
    retransform(list, n);
    begin_watching_anew(env, order.flags & ABI_RETRANSFORM_WATCHED);
    uint64_t took = (uint64_t)(now() - started - waited);
    struct message outcomes = {0};
    for (size_t k = 0; k < n; k++) {
        put_outcome(&outcomes, &(struct outcome_fields){.outcome = list[k].outcome});
        if (list[k].class) (*env)->DeleteGlobalRef(env, list[k].class);
    }
    put_retransformed(done, &(struct retransformed_fields){.nanoseconds = took, .outcomes = &outcomes});
    return true;
}

static atomic_bool ending; /* the VM is */

static void JNICALL adapt(jvmtiEnv *jvmti, JNIEnv *env, void *unused) {
    (void)unused;
    struct message done = {0};
    unsigned char *answer;
    uint32_t size;
    put_retransformed(&done, &(struct retransformed_fields){.nanoseconds = 0});
    bool more = true;
    if (agent.attached && !begin_attached(env)) return;
    while (more && exchange_control(ABI_RETRANSFORMED, &done, &answer, &size)) {
        more = follow(env, answer, size, &done);
        (*jvmti)->Deallocate(jvmti, answer);
    }
    if (!ending) { /* nobody is left who would have code stop telling */
        begin_watching_anew(env, false);
        stop_watching();
    }
    if (more && agent.attached && !ending) /* the recorder is gone */
        detach(env, 0);
    else if (!more)
        send_control(ABI_RETRANSFORMED, &done);
    if (agent.leaving && !ending) close_environment();
}

/* The VM waits 300 ms for threads that are in native code when it exits. */
void stop_adapting(void) {
    end_calls();
    ending = true;
    channel_shutdown(&agent.control, SHUT_RDWR);
}

void start_adapting(JNIEnv *env) {
    if (agent.control.socket >= 0) start_agent_thread(env, "mallard", agent.snapshot_callback ? call_back : adapt);
}
