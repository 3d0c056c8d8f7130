/* Contexts: where a method is entered in another way than the call before it says, the recorder finds out from the
 * thread's stack. */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 256, /* on the stack of the caller; deeper stacks take memory */
    OURS = 4      /* frames of the runtime class at the stack's end, where that asks for frames */
};

/* of the numbers below, which the recorder has to hear in their order */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void describe(struct message *out, JNIEnv *env, jmethodID m) {
    jboolean native = JNI_FALSE;
    struct method_name name;
    struct list lines = lines_of(m);
    name_method(&name, env, m);
    (*agent.jvmti)->IsMethodNative(agent.jvmti, m, &native);
    put_stack_method(out, &(struct stack_method_fields){.class = name.class, .name = name.name,
        .descriptor = name.descriptor, .flags = native ? ABI_METHOD_NATIVE : 0, .lines = &lines});
    free_method_name(&name);
}

static struct methods methods = {.describe = describe};

/* What the recorder calls methods, by their numbers: 0 where it has not said. It lets threads take hashes apart without
 * asking. */
static uint32_t *contexts;
static size_t contexts_capacity;

static void learn(uint32_t number, uint32_t context) {
    if (number >= contexts_capacity) {
        size_t capacity = (size_t)methods.count * 2;
        uint32_t *more = realloc(contexts, capacity * sizeof *more);
        if (!more) return;
        memset(more + contexts_capacity, 0, (capacity - contexts_capacity) * sizeof *more);
        contexts = more;
        contexts_capacity = capacity;
    }
    contexts[number] = context;
}

static uint64_t ask(JNIEnv *env, struct resolve_fields *question, const jvmtiFrameInfo *frames, jint count) {
    struct message m = {0};
    struct list stack = {0};
    unsigned char *answer = NULL;
    uint32_t size = 0, number, *numbers = calloc((size_t)count, sizeof *numbers);
    struct resolve_answer node = {.node = ABI_UNRESOLVED};
    pthread_mutex_lock(&lock);
    for (jint i = 0; i < count; i++, stack.count++) {
        if (!method_number(&methods, env, frames[i].method, &number)) number = UINT32_MAX;
        put_stack_frame(&stack.records, &(struct stack_frame_fields){.method = number,
            .pc = (uint32_t)frames[i].location});
        if (numbers) numbers[i] = number;
    }
    struct list described = {.count = methods.described.count};
    put_data(&described.records, methods.described.records.data, methods.described.records.size);
    question->methods = &described;
    question->frames = &stack;
    put_resolve(&m, question);
    enum reply r = exchange(ABI_RESOLVE, &m, NULL, 0, &answer, &size);
    if (r != UNASKED) {
        free_message(&methods.described.records);
        methods.described.count = 0;
    }
    if (r == ANSWERED) {
        struct bytes from = {answer, size};
        struct frame_method_answer known;
        get_resolve_answer(&from, &node);
        for (jint i = 0; numbers && i < count && get_frame_method(&from, &known); i++)
            if (numbers[i] != UINT32_MAX) learn(numbers[i], known.method);
    }
    pthread_mutex_unlock(&lock);
    free(numbers);
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    return node.node;
}

/* The node of the stack, and what else the recorder says about it. */
static uint64_t answer(JNIEnv *env, uint64_t entry, uint32_t method, uint32_t size, const jvmtiFrameInfo *frames,
    jint count) {
    jthread self = NULL;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return 0;
    uint32_t block = block_of(env, self);
    const uint64_t *words = (const uint64_t *)(const void *)block_address(block);
    struct stack_key key = key_of_stack(block, words[ABI_WORD_TRANSACTION], method, frames, count);
    uint64_t node = cached_node(key);
    if (!node) {
        node = ask(env, &(struct resolve_fields){.block = block, .value = entry, .method = method, .words = size},
            frames, count);
        if (node && node != ABI_UNRESOLVED) cache_node(key, node);
    }
    (*env)->DeleteLocalRef(env, self);
    return node;
}

/* $MallardTree.resolve, which the VM finds by this name. */
JNIEXPORT jlong JNICALL Java_java_lang__00024MallardTree_resolve(JNIEnv *env, jclass runtime, jlong entry, jint method,
    jint words);

JNIEXPORT jlong JNICALL Java_java_lang__00024MallardTree_resolve(JNIEnv *env, jclass runtime, jlong entry, jint method,
    jint words) {
    (void)runtime;
    jvmtiFrameInfo few[FRAMES], *frames = few;
    jint depth = FRAMES, got = 0;
    if (!agent.engaged || method == 0 || (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, depth, frames,
        &got) != JVMTI_ERROR_NONE) return 0;
    if (got == FRAMES && ((*agent.jvmti)->GetFrameCount(agent.jvmti, NULL, &depth) != JVMTI_ERROR_NONE ||
        !(frames = calloc((size_t)depth, sizeof *frames)) || (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, depth,
        frames, &got) != JVMTI_ERROR_NONE)) got = 0;
    uint64_t node = got ? answer(env, (uint64_t)entry, (uint32_t)method, (uint32_t)words, frames, got) : 0;
    if (frames != few) free(frames);
    return (jlong)node;
}

/* $MallardFrames.frames, which puts the innermost frames at an address */
JNIEXPORT jint JNICALL Java_java_lang__00024MallardFrames_frames(JNIEnv *env, jclass runtime, jlong to, jint most);

JNIEXPORT jint JNICALL Java_java_lang__00024MallardFrames_frames(JNIEnv *env, jclass runtime, jlong to, jint most) {
    (void)env, (void)runtime;
    jvmtiFrameInfo frames[FRAMES];
    jint got = 0, kept = 0;
    if (!agent.engaged || to == 0 || most > FRAMES || (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, OURS, most,
        frames, &got) != JVMTI_ERROR_NONE) return 0;
    unsigned char *next = (unsigned char *)(uintptr_t)to;
    uint32_t *last = NULL; /* method of the last frame that was kept */
    pthread_mutex_lock(&lock);
    for (jint i = 0; i < got; i++) {
        uint32_t number, context = find_method(&methods, frames[i].method, &number) &&
        number < contexts_capacity ? contexts[number] : 0;
        if (context == ABI_FRAME_SKIPPED) {
            if (last) *last |= ABI_FRAME_GAP;
            continue;
        }
        last = (uint32_t *)(void *)next;
        *last = context;
        *(uint32_t *)(void *)(next + ABI_STACK_FRAME_POSITION) = (uint32_t)frames[i].location;
        next += ABI_STACK_FRAME_BYTES;
        kept++;
        if (context == 0) break;
    }
    pthread_mutex_unlock(&lock);
    return kept;
}

void start_resolving(JNIEnv *env) {
    jmethodID bind = agent.contexts ? (*env)->GetStaticMethodID(env, agent.runtime, "bind", "()V") : NULL;
    if (bind) (*env)->CallStaticVoidMethod(env, agent.runtime, bind);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        disengage("the runtime class finds no way to ask for contexts");
    }
}
