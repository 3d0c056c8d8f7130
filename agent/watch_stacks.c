/* Stacks in which sampled objects are made and read: each is told once, by names. */
#include "agent.h"
#include "watch.h"

#include <string.h>

enum {
    SLOTS = 1 << 14,
    MOST_STACKS = 3 * SLOTS / 4, /* as many as the recorder keeps */
    MOST_WHOLE = SLOTS / 2       /* beyond, of others the innermost frame */
};

static struct {
    uint64_t hash;
    uint32_t number; /* 0: none */
} known[SLOTS];
static uint32_t count;

static uint32_t line_at(const jvmtiFrameInfo *frame) {
    jint n = 0;
    jvmtiLineNumberEntry *lines = NULL;
    uint32_t line = 0;
    jlocation best = -1;
    if ((*agent.jvmti)->GetLineNumberTable(agent.jvmti, frame->method, &n, &lines) != JVMTI_ERROR_NONE) return 0;
    for (jint i = 0; i < n; i++) {
        if (lines[i].start_location > frame->location || lines[i].start_location < best) continue;
        best = lines[i].start_location;
        line = (uint32_t)lines[i].line_number;
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)lines);
    return line;
}

/* A frame of a runtime class is the same as none. */
static void put_frame(JNIEnv *env, const jvmtiFrameInfo *frame, struct message *to) {
    static const char runtime[] = "java/lang/$Mallard";
    char *signature = NULL, *name = NULL, *descriptor = NULL;
    const char *class = NULL;
    jclass c = NULL;
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, frame->method, &c) == JVMTI_ERROR_NONE &&
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE &&
        (*agent.jvmti)->GetMethodName(agent.jvmti, frame->method, &name, &descriptor, NULL) == JVMTI_ERROR_NONE &&
        class_name(signature, &class) && strncmp(class, runtime, sizeof runtime - 1) != 0)
        put_sampled_frame(to, &(struct sampled_frame_fields){.class = class, .method = name, .descriptor = descriptor,
            .line = line_at(frame)});
    if (c) (*env)->DeleteLocalRef(env, c);
    if (signature) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    if (name) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    if (descriptor) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)descriptor);
}

static bool tell(JNIEnv *env, uint32_t number, const jvmtiFrameInfo *frames, jint n, const char *class) {
    struct message m = {0}, list = {0};
    for (jint i = 0; i < n; i++) put_frame(env, &frames[i], &list);
    put_sampled_stack(&m, &(struct sampled_stack_fields){.number = number, .class = class, .frames = &list});
    return post_at_once(ABI_SAMPLED_STACK, &m);
}

bool stacks_are_cut(void) { return count >= MOST_WHOLE; }

static uint32_t number_of(JNIEnv *env, const jvmtiFrameInfo *frames, jint n, const char *class, uint64_t hash,
                          uint32_t most) {
    for (jint i = 0; i < n; i++) hash = mix(mix(hash, (uintptr_t)frames[i].method), (uint64_t)frames[i].location);
    size_t at = hash % SLOTS;
    while (known[at].number && known[at].hash != hash) at = (at + 1) % SLOTS;
    if (known[at].number) return known[at].number;
    if (count >= most || !tell(env, count + 1, frames, n, class)) return 0;
    known[at].hash = hash;
    return known[at].number = ++count;
}

uint32_t number_of_stack(JNIEnv *env, const jvmtiFrameInfo *frames, jint n, const char *class, uint64_t hash) {
    uint32_t number = number_of(env, frames, n, class, hash, MOST_WHOLE);
    if (number || !stacks_are_cut()) return number;
    return number_of(env, frames, 1, class, hash, MOST_STACKS);
}
