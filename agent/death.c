/* The last snapshot: every thread stopped, its frames with their positions sent to the recorder, which corrects what paths still owe. */
#include "agent.h"
#include "hotspot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A method with its bytecodes, which tell the recorder what version of the class a frame runs. */
static void put_method(struct message *out, JNIEnv *env, jmethodID m) {
    unsigned char *code = NULL;
    jint size = 0;
    put_method_name(out, env, m);
    if ((*agent.jvmti)->GetBytecodes(agent.jvmti, m, &size, &code) != JVMTI_ERROR_NONE) size = 0;
    put_bytes(out, code, (size_t)size);
    (*agent.jvmti)->Deallocate(agent.jvmti, code);
    if (agent.contexts) put_lines(out, m);
    else put_u32(out, 0);
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
    (*agent.jvmti)->GetFrameCount(agent.jvmti, t, &count);
    if (count > 0) frames = calloc((size_t)count, sizeof *frames);
    if (frames) (*agent.jvmti)->GetStackTrace(agent.jvmti, t, 0, count, frames, &got);
    put_stopped_thread(out, env, t, of->virtual, of->self);
    uint64_t bytes = of->stopped && is_counting(env, t) ? allocated_by(env, t) : 0;
    put_u64(out, block_of(env, t) == WIRE_OVERFLOW_BLOCK ? 0 : bytes);
    size_t frames_at = out->size;
    uint32_t written = 0;
    put_u32(out, 0);
    for (jint i = 0; i < got; i++) {
        uint32_t number;
        if (frames[i].location < 0 && !agent.contexts) continue; /* native: it counts nothing */
        if (!method_number(methods, env, frames[i].method, &number)) continue;
        put_u32(out, number);
        put_u32(out, (uint32_t)frames[i].location);
        written++;
    }
    set_u32(out, frames_at, written);
    free(frames);
    return bytes;
}

/* Threads of the VM, in JVMTI's memory. */
struct threads {
    jint platform, virtual;
    jthread *platforms, *virtuals;
    bool *stopped; /* of the platform threads, which of them */
};

static void send_stacks(JNIEnv *env, jthread self, const struct threads *all) {
    struct methods methods = {.describe = put_method};
    struct message stacks = {0}, m = {0};
    uint64_t allocated = 0;
    put_u32(&stacks, (uint32_t)(all->platform + all->virtual));
    for (jint i = 0; i < all->platform; i++) {
        struct stopped_thread t = {.thread = all->platforms[i], .self = (*env)->IsSameObject(env, all->platforms[i], self), .stopped = all->stopped[i]};
        allocated += put_stack(&stacks, &methods, env, &t);
    }
    for (jint i = 0; i < all->virtual; i++)
        put_stack(&stacks, &methods, env, &(struct stopped_thread){.thread = all->virtuals[i], .virtual = true});
    put_u32(&m, methods.count);
    append(&m, &methods.out);
    append(&m, &stacks);
    put_u64(&m, allocated);
    unsigned char *answer;
    uint32_t size;
    if (exchange(WIRE_DEATH, &m, NULL, 0, &answer, &size)) {
        if (answer) fprintf(stderr, "mallard: %.*s\n", (int)size, (const char *)answer); /* a recorder without streams of its own */
        (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    }
    free_methods(&methods);
}

/* Whether t is the platform thread under the calling one: itself, or its carrier, whose block it counts in. */
static bool runs_on(JNIEnv *env, jthread self, jthread t) {
    uint32_t block = block_of(env, self);
    return (*env)->IsSameObject(env, self, t) || (block != WIRE_OVERFLOW_BLOCK && block == block_of(env, t));
}

/* Stops every thread but the calling one, its carrier included where it is virtual, and sends the stacks. From here on nothing may allocate in
 * the Java heap, not even by loading a class: the collector's threads have ended, and with a full heap that would wait for ever. */
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
        suspend_virtual_threads(self); /* first: a stopped carrier cannot finish mounting one */
        if (others) (*agent.jvmti)->SuspendThreadList(agent.jvmti, others, list, results);
        for (jint i = 0, k = 0; i < all->platform; i++) {
            if (all->stopped[i]) continue;
            all->stopped[i] = results[k] == JVMTI_ERROR_NONE;
            if (results[k++] == JVMTI_ERROR_NONE) list[stopped++] = all->platforms[i];
        }
        all->virtual = find_virtual_threads(&all->virtuals);
        send_stacks(env, self, all);
        if (stopped) (*agent.jvmti)->ResumeThreadList(agent.jvmti, stopped, list, results);
        resume_virtual_threads();
    }
    free(list);
    free(results);
    free(all->stopped);
}

void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env) {
    (void)jvmti;
    struct threads all = {0};
    jthread self = NULL;
    if (!agent.engaged || !agent.block_field) return;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return;
    (*env)->EnsureLocalCapacity(env, MANY_REFERENCES);
    if ((*agent.jvmti)->GetAllThreads(agent.jvmti, &all.platform, &all.platforms) != JVMTI_ERROR_NONE) return;
    stop_and_send(env, self, &all);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all.platforms);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all.virtuals);
    agent.engaged = false; /* nothing is recorded after the last snapshot */
    stop_adapting();
}
