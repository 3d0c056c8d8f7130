/* The last snapshot: every thread stopped, its frames with their positions sent to the recorder, which corrects what
 * paths still owe. Where a debugger is there threads cannot be stopped: then they are watched, and that nobody ran
 * while stacks and counters were read is as good. */
#include "agent.h"
#include "observers.h"
#include "hotspot.h"
#include "hotspot_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A method with its bytecodes, which tell the recorder what version of the class a frame runs. */
static void put_method(struct message *out, JNIEnv *env, jmethodID m) {
    unsigned char *code = NULL;
    jint size = 0;
    struct method_name name;
    struct list lines = {0};
    name_method(&name, env, m);
    if ((*agent.jvmti)->GetBytecodes(agent.jvmti, m, &size, &code) != JVMTI_ERROR_NONE) size = 0;
    if (agent.contexts) lines = lines_of(m);
    put_live_method(out, &(struct live_method_fields){
        .class = name.class, .name = name.name, .descriptor = name.descriptor, .code = {code, (size_t)size},
        .lines = &lines});
    (*agent.jvmti)->Deallocate(agent.jvmti, code);
    free_method_name(&name);
}

/* A thread of the VM. */
struct stopped_thread {
    jthread thread;
    bool virtual, self;
    bool stopped; /* it cannot end: its structure in the VM stays */
};

/* Gives what the VM says the thread allocated, unless that has been said when it ended. */
static uint64_t put_stack(struct message *out, struct methods *methods, JNIEnv *env, const struct stopped_thread *of) {
    jthread t = of->thread;
    jint count = 0, got = 0;
    jvmtiFrameInfo *frames = NULL;
    struct list stack = {0};
    (*agent.jvmti)->GetFrameCount(agent.jvmti, t, &count);
    if (count > 0) frames = calloc((size_t)count, sizeof *frames);
    if (frames) (*agent.jvmti)->GetStackTrace(agent.jvmti, t, 0, count, frames, &got);
    for (jint i = 0; i < got; i++) {
        uint32_t number;
        if (frames[i].location < 0 && !agent.contexts) continue; /* native: it counts nothing */
        if (!method_number(methods, env, frames[i].method, &number)) continue;
        put_stack_frame(&stack.records, &(struct stack_frame_fields){.method = number,
            .pc = (uint32_t)frames[i].location});
        stack.count++;
    }
    uint64_t bytes = of->stopped && is_counting(env, t) ? allocated_by(env, t) : 0;
    struct live_thread_fields thread = {
        .thread = describe_stopped_thread(env, t, of->virtual, of->self), .frames = &stack,
        .allocated = block_of(env, t) == ABI_OVERFLOW_BLOCK ? 0 : bytes};
    put_live_thread(out, &thread);
    free((char *)(uintptr_t)thread.thread.name);
    free(frames);
    return bytes;
}

/* Threads of the VM, in JVMTI's memory. */
struct threads {
    jint platform, virtual;
    jthread *platforms, *virtuals;
    bool *stopped; /* of the platform threads, which of them */
    bool watched;  /* they could not be stopped */
    jlong *ran;    /* the watched ones' processor time, ns; NULL: no memory, and all may have run */
};

static jlong time_of(jthread t) {
    jlong nanos;
    return (*agent.jvmti)->GetThreadCpuTime(agent.jvmti, t, &nanos) == JVMTI_ERROR_NONE ? nanos : -1;
}

static void watch(struct threads *all) {
    for (jint i = 0; all->ran && i < all->platform; i++) all->ran[i] = time_of(all->platforms[i]);
}

/* How many threads with frames have run since they are watched. */
static uint32_t have_run(const struct threads *all) {
    uint32_t n = 0;
    for (jint i = 0; i < all->platform; i++) {
        jint frames = 0;
        jlong now = time_of(all->platforms[i]);
        if (all->stopped[i] || (all->ran && now == all->ran[i] && now >= 0)) continue;
        if ((*agent.jvmti)->GetFrameCount(agent.jvmti, all->platforms[i], &frames) == JVMTI_ERROR_NONE) n += frames > 0;
    }
    return n;
}

static void put_made(struct list *to, const char *type, const char *what, const struct made_objects *made) {
    if (made->objects == 0) return;
    put_class_objects(&to->records, &(struct class_objects_fields){.type = type, .what = what,
        .objects = made->objects, .elements = made->elements, .bytes = made->bytes});
    to->count++;
}

/* What the VM has made for classes and for its own threads; nothing where threads may load classes meanwhile, or where
 * that may have been before anybody counted. */
static void put_made_by_vm(struct list *to, JNIEnv *env, const struct threads *all) {
    struct class_objects made;
    if (all->watched || agent.attached || !class_objects(&made)) return;
    struct made_objects threads = own_threads_of_vm(env, all->platforms, all->platform);
    put_made(to, "java/lang/Thread", "threads", &threads);
    put_made(to, "java/lang/Class", "mirrors", &made.mirrors);
    put_made(to, "[I", "initLocks", &made.locks);
    put_made(to, "[Ljava/lang/Object;", "resolvedReferences", &made.tables);
    put_made(to, "java/lang/String", "constants", &made.constants.strings);
    put_made(to, "[B", "constants", &made.constants.texts);
    put_made(to, "java/lang/String", "names", &made.names.strings);
    put_made(to, "[B", "names", &made.names.texts);
}

static void put_stacks(struct message *m, JNIEnv *env, jthread self, const struct threads *all) {
    struct methods methods = {.describe = put_method};
    struct list threads = {.count = (uint32_t)(all->platform + all->virtual)};
    uint64_t allocated = 0;
    for (jint i = 0; i < all->platform; i++) {
        bool calling = (*env)->IsSameObject(env, all->platforms[i], self);
        struct stopped_thread t = {.thread = all->platforms[i], .self = calling, .stopped = all->stopped[i]};
        allocated += put_stack(&threads.records, &methods, env, &t);
    }
    for (jint i = 0; i < all->virtual; i++) {
        struct stopped_thread t = {.thread = all->virtuals[i], .virtual = true};
        put_stack(&threads.records, &methods, env, &t);
    }
    struct list made = {0};
    put_made_by_vm(&made, env, all);
    put_death(m, &(struct death_fields){.methods = &methods.described, .threads = &threads, .allocated = allocated,
        .watched = all->watched, .made = &made});
    free_methods(&methods);
}

/* Asks, and says on stderr what is answered: the words of a recorder that has no streams of its own. */
static bool tell(uint32_t type, struct message *m) {
    unsigned char *answer;
    uint32_t size;
    if (exchange(type, m, NULL, 0, &answer, &size) != ANSWERED) return false;
    if (answer) say("%.*s", (int)size, (const char *)answer);
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    return true;
}

enum { MOST_TRIES = 20 }; /* to have the stacks of threads of which none runs meanwhile */

static void send_stacks(JNIEnv *env, jthread self, struct threads *all) {
    struct message m = {0};
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        watch(all);
        put_stacks(&m, env, self, all);
        if (!all->watched || have_run(all) == 0 || tries == MOST_TRIES - 1) break;
        free_message(&m);
    }
    if (!agent.leaving) limit_last_waits();
    if (!tell(ABI_DEATH, &m) || !all->watched) return;
    struct message after = {0};
    put_watched(&after, &(struct watched_fields){.ran = have_run(all)});
    tell(ABI_WATCHED, &after);
}

/* Whether t is the platform thread under the calling one: itself, or its carrier, whose block it counts in. */
static bool runs_on(JNIEnv *env, jthread self, jthread t) {
    uint32_t block = block_of(env, self);
    return (*env)->IsSameObject(env, self, t) || (block != ABI_OVERFLOW_BLOCK && block == block_of(env, t));
}

/* Suspending belongs to one agent at a time, and a debugger that cannot have it ends the JVM: it is asked for only now,
 * when nobody comes any more. */
static bool may_suspend(void) {
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_suspend = 1;
    return (*agent.jvmti)->AddCapabilities(agent.jvmti, &c) == JVMTI_ERROR_NONE;
}

/* Makes room for the processor times of threads that are not stopped. */
static void watch_instead(struct threads *all) {
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_get_thread_cpu_time = 1;
    (*agent.jvmti)->AddCapabilities(agent.jvmti, &c); /* without it no time is known, and every thread has run */
    all->watched = true;
    all->ran = calloc((size_t)all->platform + 1, sizeof *all->ran);
}

/* Stops every thread but the calling one, its carrier included where it is virtual, or watches them, and sends the
 * stacks. From here on nothing may allocate in the Java heap, not even by loading a class: the collector's threads have
 * ended, and with a full heap that would wait for ever. */
static void stop_and_send(JNIEnv *env, jthread self, struct threads *all) {
    size_t n = (size_t)all->platform + 1;
    jint others = 0, stopped = 0;
    jthread *list = calloc(n, sizeof *list);
    jvmtiError *results = calloc(n, sizeof *results);
    all->stopped = calloc(n, sizeof *all->stopped);
    if (list && results && all->stopped) {
        for (jint i = 0; i < all->platform; i++) {
            all->stopped[i] = runs_on(env, self, all->platforms[i]);
            if (!all->stopped[i]) list[others++] = all->platforms[i];
        }
        bool suspends = may_suspend();
        if (suspends) {
            suspend_virtual_threads(self); /* first: a stopped carrier cannot finish mounting one */
            if (others) (*agent.jvmti)->SuspendThreadList(agent.jvmti, others, list, results);
            for (jint i = 0, k = 0; i < all->platform; i++) {
                if (all->stopped[i]) continue;
                all->stopped[i] = results[k] == JVMTI_ERROR_NONE;
                if (results[k++] == JVMTI_ERROR_NONE) list[stopped++] = all->platforms[i];
            }
        } else {
            watch_instead(all);
        }
        stop_writing_trees();
        all->virtual = find_virtual_threads(&all->virtuals);
        send_stacks(env, self, all);
        if (!agent.leaving) end_conversation(); /* nothing is recorded after the last snapshot */
        if (stopped) (*agent.jvmti)->ResumeThreadList(agent.jvmti, stopped, list, results);
        if (suspends) resume_virtual_threads();
    }
    free(list);
    free(results);
    free(all->stopped);
    free(all->ran);
}

void take_last_snapshot(JNIEnv *env) {
    struct threads all = {0};
    jthread self = NULL;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return;
    stop_observers();
    send_unknown_sizes(env);
    (*env)->EnsureLocalCapacity(env, MANY_REFERENCES);
    if ((*agent.jvmti)->GetAllThreads(agent.jvmti, &all.platform, &all.platforms) != JVMTI_ERROR_NONE) return;
    stop_and_send(env, self, &all);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all.platforms);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all.virtuals);
    if (agent.engaged && !agent.leaving) end_conversation(); /* there was no memory */
}

void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env) {
    (void)jvmti;
    if (!agent.engaged || !agent.block_field) return;
    take_last_snapshot(env);
    stop_adapting();
}
