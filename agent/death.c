/* The last snapshot: every thread stopped, its frames with their positions sent to the recorder, which corrects what paths still owe. */
#include "agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The methods that frames name, each written once: an open-addressing table from jmethodID to its number. */
struct methods {
    struct message out;
    uint32_t count;
    jmethodID *keys;
    uint32_t *numbers;
    size_t capacity;
};

static size_t slot_of(const struct methods *t, jmethodID m) {
    size_t i = ((uintptr_t)m >> 3) * 0x9E3779B97F4A7C15U & (t->capacity - 1);
    while (t->keys[i] && t->keys[i] != m) i = (i + 1) & (t->capacity - 1);
    return i;
}

static bool grow(struct methods *t) {
    struct methods bigger = *t;
    bigger.capacity = t->capacity ? t->capacity * 2 : 1024;
    bigger.keys = calloc(bigger.capacity, sizeof *bigger.keys);
    bigger.numbers = calloc(bigger.capacity, sizeof *bigger.numbers);
    if (!bigger.keys || !bigger.numbers) {
        free(bigger.keys);
        free(bigger.numbers);
        return false;
    }
    for (size_t i = 0; i < t->capacity; i++)
        if (t->keys[i]) {
            size_t to = slot_of(&bigger, t->keys[i]);
            bigger.keys[to] = t->keys[i];
            bigger.numbers[to] = t->numbers[i];
        }
    free(t->keys);
    free(t->numbers);
    *t = bigger;
    return true;
}

static void put_method(struct message *out, JNIEnv *env, jmethodID m) {
    jclass c = NULL;
    jobject loader = NULL;
    char *owner = NULL, *name = NULL, *descriptor = NULL;
    unsigned char *code = NULL;
    jint size = 0;
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, m, &c) == JVMTI_ERROR_NONE) {
        (*agent.jvmti)->GetClassLoader(agent.jvmti, c, &loader);
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &owner, NULL);
    }
    (*agent.jvmti)->GetMethodName(agent.jvmti, m, &name, &descriptor, NULL);
    put_u32(out, loader_id(loader));
    put_string(out, owner);
    put_string(out, name);
    put_string(out, descriptor);
    if ((*agent.jvmti)->GetBytecodes(agent.jvmti, m, &size, &code) != JVMTI_ERROR_NONE) size = 0;
    put_bytes(out, code, (size_t)size);
    (*agent.jvmti)->Deallocate(agent.jvmti, code);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)owner);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)descriptor);
    if (loader) (*env)->DeleteLocalRef(env, loader);
    if (c) (*env)->DeleteLocalRef(env, c);
}

/* The method's number; written to t->out the first time. */
static bool method_number(struct methods *t, JNIEnv *env, jmethodID m, uint32_t *number) {
    if (t->count * 2 >= t->capacity && !grow(t)) return false;
    size_t i = slot_of(t, m);
    if (!t->keys[i]) {
        t->keys[i] = m;
        t->numbers[i] = t->count++;
        put_method(&t->out, env, m);
    }
    *number = t->numbers[i];
    return true;
}

static void put_stack(struct message *out, struct methods *methods, JNIEnv *env, jthread t, bool virtual) {
    jint count = 0, got = 0;
    jvmtiFrameInfo *frames = NULL;
    (*agent.jvmti)->GetFrameCount(agent.jvmti, t, &count);
    if (count > 0) frames = calloc((size_t)count, sizeof *frames);
    if (frames) (*agent.jvmti)->GetStackTrace(agent.jvmti, t, 0, count, frames, &got);
    put_thread(out, env, t, virtual);
    put_u64(out, page_of(env, t) == WIRE_OVERFLOW_PAGE ? 0 : allocated_by(env, t));
    size_t frames_at = out->size;
    uint32_t written = 0;
    put_u32(out, 0);
    for (jint i = 0; i < got; i++) {
        uint32_t number;
        if (frames[i].location < 0 || !method_number(methods, env, frames[i].method, &number)) continue; /* native */
        put_u32(out, number);
        put_u32(out, (uint32_t)frames[i].location);
        written++;
    }
    set_u32(out, frames_at, written);
    free(frames);
}

/* Threads of the VM, in JVMTI's memory. */
struct threads {
    jint platform, virtual;
    jthread *platforms, *virtuals;
};

/* The VM ends in a thread that has said that it ends, and its bytes with that. */
static uint64_t allocated_by_others(JNIEnv *env, jthread self) {
    return allocated_by_all() - (page_of(env, self) == WIRE_OVERFLOW_PAGE ? allocated_by(env, self) : 0);
}

static void send_stacks(JNIEnv *env, jthread self, const struct threads *all) {
    struct methods methods = {0};
    struct message stacks = {0}, m = {0};
    put_u32(&stacks, (uint32_t)(all->platform + all->virtual));
    for (jint i = 0; i < all->platform; i++) put_stack(&stacks, &methods, env, all->platforms[i], false);
    for (jint i = 0; i < all->virtual; i++) put_stack(&stacks, &methods, env, all->virtuals[i], true);
    put_u32(&m, methods.count);
    append(&m, &methods.out);
    append(&m, &stacks);
    put_u64(&m, allocated_by_others(env, self));
    unsigned char *answer;
    uint32_t size;
    if (exchange(WIRE_DEATH, &m, NULL, 0, &answer, &size)) {
        if (answer) fprintf(stderr, "mallard: %.*s\n", (int)size, (const char *)answer); /* a recorder without streams of its own */
        (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    }
    free(methods.keys);
    free(methods.numbers);
}

/* Whether t is the platform thread under the calling one: itself, or its carrier, whose page it counts in. */
static bool runs_on(JNIEnv *env, jthread self, jthread t) {
    uint32_t page = page_of(env, self);
    return (*env)->IsSameObject(env, self, t) || (page != WIRE_OVERFLOW_PAGE && page == page_of(env, t));
}

/* Stops every thread but the calling one, its carrier included where it is virtual, and sends the stacks. From here on nothing may allocate in
 * the Java heap, not even by loading a class: the collector's threads have ended, and with a full heap that would wait for ever. */
static void stop_and_send(JNIEnv *env, jthread self, struct threads *all) {
    jint n = 0;
    jthread *others = calloc((size_t)all->platform + 1, sizeof *others);
    jvmtiError *results = calloc((size_t)all->platform + 1, sizeof *results);
    if (others && results) {
        for (jint i = 0; i < all->platform; i++)
            if (!runs_on(env, self, all->platforms[i])) others[n++] = all->platforms[i];
        suspend_virtual_threads(self); /* first: a stopped carrier cannot finish mounting one */
        if (n) (*agent.jvmti)->SuspendThreadList(agent.jvmti, n, others, results);
        all->virtual = find_virtual_threads(&all->virtuals);
        send_stacks(env, self, all);
        if (n) (*agent.jvmti)->ResumeThreadList(agent.jvmti, n, others, results);
        resume_virtual_threads();
    }
    free(others);
    free(results);
}

void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env) {
    (void)jvmti;
    struct threads all = {0};
    jthread self = NULL;
    if (!agent.engaged || !agent.page_field) return;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return;
    (*env)->EnsureLocalCapacity(env, MANY_REFERENCES);
    if ((*agent.jvmti)->GetAllThreads(agent.jvmti, &all.platform, &all.platforms) != JVMTI_ERROR_NONE) return;
    stop_and_send(env, self, &all);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all.platforms);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all.virtuals);
    agent.engaged = false; /* nothing is recorded after the last snapshot */
    stop_adapting();
}
