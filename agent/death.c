/* The last snapshot: every thread stopped, its frames with their positions sent to the recorder, which corrects what paths still owe. */
#include "agent.h"

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
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, m, &c) == JVMTI_ERROR_NONE) {
        (*agent.jvmti)->GetClassLoader(agent.jvmti, c, &loader);
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &owner, NULL);
    }
    (*agent.jvmti)->GetMethodName(agent.jvmti, m, &name, &descriptor, NULL);
    put_u32(out, loader_id(loader));
    put_string(out, owner);
    put_string(out, name);
    put_string(out, descriptor);
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

static void put_stack(struct message *out, struct methods *methods, JNIEnv *env, jthread t) {
    jint count = 0, got = 0;
    jvmtiFrameInfo *frames = NULL;
    (*agent.jvmti)->GetFrameCount(agent.jvmti, t, &count);
    if (count > 0) frames = calloc((size_t)count, sizeof *frames);
    if (frames) (*agent.jvmti)->GetStackTrace(agent.jvmti, t, 0, count, frames, &got);
    put_thread(out, env, t);
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

static void send_stacks(JNIEnv *env, jthread *threads, jint n) {
    struct methods methods = {0};
    struct message stacks = {0}, m = {0};
    put_u32(&stacks, (uint32_t)n);
    for (jint i = 0; i < n; i++) put_stack(&stacks, &methods, env, threads[i]);
    put_u32(&m, methods.count);
    append(&m, &methods.out);
    append(&m, &stacks);
    unsigned char *answer;
    uint32_t size;
    if (exchange(WIRE_DEATH, &m, NULL, 0, &answer, &size)) (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    free(methods.keys);
    free(methods.numbers);
}

void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env) {
    (void)jvmti;
    jint n = 0, others = 0;
    jthread *threads = NULL, self = NULL;
    if (!agent.engaged || !agent.page_field) return;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return;
    if ((*agent.jvmti)->GetAllThreads(agent.jvmti, &n, &threads) != JVMTI_ERROR_NONE) return;
    jthread *other = calloc((size_t)n + 1, sizeof *other);
    jvmtiError *results = calloc((size_t)n + 1, sizeof *results);
    if (other && results) {
        for (jint i = 0; i < n; i++)
            if (!(*env)->IsSameObject(env, threads[i], self)) other[others++] = threads[i];
        if (others) (*agent.jvmti)->SuspendThreadList(agent.jvmti, others, other, results);
        send_stacks(env, threads, n);
        if (others) (*agent.jvmti)->ResumeThreadList(agent.jvmti, others, other, results);
    }
    free(other);
    free(results);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
    agent.engaged = false; /* nothing is recorded after the last snapshot */
}
