/* Contexts: where a method is entered in another way than the call before it says, the recorder finds out from the
 * thread's stack. */
#include "agent.h"
#include "hashes.h"
#include "ways.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 256, /* on the stack of the caller; deeper stacks take memory */
    OURS = 3,     /* frames of the runtime classes at the stack's end, where a hash is to be found */
    /* that hashes are taken apart along: half need more than four, all but 0.5 % no more than twelve */
    FEW_FRAMES = 12,
    MOST_FRAMES = 32
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

/* True if that is new. */
static bool learn(uint32_t number, uint32_t context) {
    if (number >= contexts_capacity) {
        size_t capacity = (size_t)methods.count * 2;
        uint32_t *more = realloc(contexts, capacity * sizeof *more);
        if (!more) return false;
        memset(more + contexts_capacity, 0, (capacity - contexts_capacity) * sizeof *more);
        contexts = more;
        contexts_capacity = capacity;
    }
    bool new = contexts[number] != context;
    contexts[number] = context;
    return new;
}

/* The same of methods that the recorder was not asked about, since they are of a class that has come before: by their
 * addresses, one in another's place. */
enum { UNNUMBERED = 1 << 10 };
static struct {
    jmethodID method;
    uint32_t context;
} unnumbered[UNNUMBERED];

void forget_numbers(void) {
    pthread_mutex_lock(&lock);
    memset(unnumbered, 0, sizeof unnumbered);
    if (contexts) memset(contexts, 0, contexts_capacity * sizeof *contexts);
    pthread_mutex_unlock(&lock);
}

enum { TEXT = 1024 }; /* of a method's name and descriptor; longer ones are asked about */

static bool text_of(const struct method_name *name, const char **class, char *text) {
    int n = name->name && name->descriptor ? snprintf(text, TEXT, "%s%s", name->name, name->descriptor) : TEXT;
    return n > 0 && n < TEXT && class_name(name->owner, class);
}

/* What the recorder calls a method of which it was not asked; 0: it has to be. */
static uint32_t context_of_unnumbered(JNIEnv *env, jmethodID m) {
    size_t at = ((uintptr_t)m >> 3) % UNNUMBERED;
    if (unnumbered[at].method == m) return unnumbered[at].context;
    struct method_name name;
    const char *class;
    char text[TEXT];
    name_method(&name, env, m);
    uint32_t context = text_of(&name, &class, text) ? method_of_class(name.class.loader, class, text) : 0;
    free_method_name(&name);
    if (context) {
        unnumbered[at].method = m;
        unnumbered[at].context = context;
    }
    return context;
}

static void learn_of_class(JNIEnv *env, jmethodID m, uint32_t context) {
    struct method_name name;
    const char *class;
    char text[TEXT];
    if (context == 0 || context >= ABI_FRAME_GAP || context & ABI_FRAME_NATIVE) return;
    name_method(&name, env, m);
    if (text_of(&name, &class, text)) learn_method_of_class(name.class.loader, class, text, context);
    free_method_name(&name);
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
            if (numbers[i] != UINT32_MAX && learn(numbers[i], known.method))
                learn_of_class(env, frames[i].method, known.method);
    }
    pthread_mutex_unlock(&lock);
    if (r == TREE_KEPT) leave_block(env);
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

/* The node of the calling thread's innermost invocation of instrumented code; 0: none, or ABI_UNRESOLVED. */
static uint64_t resolve(JNIEnv *env, uint64_t entry, uint32_t method, uint32_t size) {
    jvmtiFrameInfo few[FRAMES], *frames = few;
    jint depth = FRAMES, got = 0;
    if (!agent.engaged || method == 0 || (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, depth, frames,
        &got) != JVMTI_ERROR_NONE) return 0;
    if (got == FRAMES && ((*agent.jvmti)->GetFrameCount(agent.jvmti, NULL, &depth) != JVMTI_ERROR_NONE ||
        !(frames = calloc((size_t)depth, sizeof *frames)) || (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, depth,
        frames, &got) != JVMTI_ERROR_NONE)) got = 0;
    uint64_t node = got ? answer(env, entry, method, size, frames, got) : 0;
    if (frames != few) free(frames);
    return node;
}

/* $MallardTree.resolve, which the VM finds by this name. */
JNIEXPORT jlong JNICALL Java_java_lang__00024MallardTree_resolve(JNIEnv *env, jclass runtime, jlong entry, jint method,
    jint words);

JNIEXPORT jlong JNICALL Java_java_lang__00024MallardTree_resolve(JNIEnv *env, jclass runtime, jlong entry, jint method,
    jint words) {
    (void)runtime;
    return (jlong)resolve(env, (uint64_t)entry, (uint32_t)method, (uint32_t)words);
}

/* Whether a method that the recorder has not named is one of a runtime class. */
static bool is_ours(jmethodID m) {
    static const char prefix[] = "Ljava/lang/$Mallard";
    jclass c = NULL;
    char *signature = NULL;
    bool ours = (*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, m, &c) == JVMTI_ERROR_NONE &&
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE &&
        strncmp(signature, prefix, sizeof prefix - 1) == 0;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return ours;
}

/* The innermost frames, but for those of the runtime classes; up to a caller whose method the recorder has not named.
 * The first frame's the thread says. */
static int innermost(JNIEnv *env, struct hashed_frame *to, jint most, bool *all) {
    jvmtiFrameInfo frames[FRAMES];
    jint got = 0;
    int kept = 0;
    if ((*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, OURS, most, frames, &got) != JVMTI_ERROR_NONE) return 0;
    *all = got < most;
    pthread_mutex_lock(&lock);
    for (jint i = 0; i < got; i++) {
        uint32_t number, context = find_method(&methods, frames[i].method, &number) &&
        number < contexts_capacity ? contexts[number] : 0;
        if (context == ABI_FRAME_SKIPPED || (context == ABI_FRAME_HIDDEN && kept)) {
            if (kept) to[kept - 1].method |= ABI_FRAME_GAP;
            continue;
        }
        if (context == 0 && kept == 0 && is_ours(frames[i].method)) continue;
        if (context == 0 && kept > 0) context = context_of_unnumbered(env, frames[i].method);
        to[kept++] = (struct hashed_frame){.method = context, .position = (uint32_t)frames[i].location};
        if (context == 0 && kept > 1) break;
    }
    pthread_mutex_unlock(&lock);
    return kept;
}

/* Threads write to their trees in native code, where suspending does not stop them; from the last snapshot on the
 * recorder does, for all threads. */
static struct {
    atomic_int writers;
    atomic_bool closed;
} trees;

static bool begin_writing(void) {
    atomic_fetch_add(&trees.writers, 1);
    if (!trees.closed) return true;
    atomic_fetch_sub(&trees.writers, 1);
    return false;
}

static void end_writing(void) { atomic_fetch_sub(&trees.writers, 1); }

void stop_writing_trees(void) {
    trees.closed = true;
    while (trees.writers > 0) sched_yield(); /* who writes waits for nobody */
}

static enum taken along_stack(JNIEnv *env, const struct tree *t, const struct unknown *u, uint64_t *node) {
    static const jint most[] = {FEW_FRAMES, MOST_FRAMES};
    struct hashed_frame frames[MOST_FRAMES];
    enum taken taken = TAKEN_FURTHER;
    bool all = false;
    int known = 0;
    for (size_t i = 0; taken == TAKEN_FURTHER && !all && i < sizeof most / sizeof *most; i++) {
        int count = innermost(env, frames, most[i], &all);
        if (!begin_writing()) return NOT_TAKEN;
        taken = take_apart(t, u, frames, count, &known, node);
        end_writing();
    }
    if (taken == TAKEN && u->called == (uint32_t)COUNTS) keep_way(frames, known + 1);
    return taken == TAKEN_FURTHER && all ? ELSEWHERE : taken;
}

/* What is elsewhere has no hash that says so: each invocation looks at all frames. */
static uint64_t whole_stack(JNIEnv *env, const struct tree *t, const struct unknown *u) {
    struct hashed_frame frames[FRAMES];
    bool all = false;
    int count = innermost(env, frames, FRAMES, &all);
    if (!all || !begin_writing()) return 0;
    uint64_t node = place_stack(t, u, frames, count);
    end_writing();
    return node;
}

/* Methods that are called elsewhere are mostly called so again: then the whole stack is looked at at once. Now and then
 * it is tried along the stack, which may find something to remember. By the methods' numbers, where two with one place
 * take time; so do two threads that write at a time. */
enum { METHODS = 1 << 12, ELSEWHERE_MOSTLY = 4, TRY_AGAIN = 16 };
static atomic_uchar called_elsewhere[METHODS]; /* times in a row */

static bool is_called_elsewhere(uint32_t method) {
    unsigned char times = called_elsewhere[method % METHODS];
    return times >= ELSEWHERE_MOSTLY && times % TRY_AGAIN != 0;
}

static void note_called(uint32_t method, bool elsewhere) {
    unsigned char times = called_elsewhere[method % METHODS];
    called_elsewhere[method % METHODS] = !elsewhere ? 0 : times == UCHAR_MAX ? ELSEWHERE_MOSTLY : times + 1;
}

/* The node of an invocation that has just begun, or counts, and whose caller's hash is in no table; 0: ask. */
static uint64_t find_along(JNIEnv *env, const struct tree *t, const struct unknown *u) {
    uint64_t node = 0;
    enum taken taken = ELSEWHERE;
    bool begins = u->called != (uint32_t)COUNTS;
    if (begins && has_name(t, u->method) && !is_called_elsewhere(u->method)) taken = along_stack(env, t, u, &node);
    if (!begins) taken = along_stack(env, t, u, &node);
    if (begins) note_called(u->method, taken == ELSEWHERE);
    if (taken == ELSEWHERE) node = whole_stack(env, t, u);
    return taken == NOT_TAKEN ? 0 : node;
}

/* The node of what begins a virtual thread's stack, of which JVMTI does not tell yet; 0 for all else. */
static uint64_t first_of_stack(const struct tree *t, const struct unknown *u) {
    struct hashed_frame first = {.method = ABI_FRAME_GAP}; /* what calls it stands in no stack */
    if (u->hash != 0 || u->called != 0 || !begin_writing()) return 0;
    uint64_t node = place_stack(t, u, &first, 1);
    end_writing();
    return node;
}

/* Whether the recorder has memory for the tree. */
static bool may_reclaim(const struct tree *t) { return agent.engaged && t->block[ABI_WORD_RECLAIM]; }

/* The node of a new hash. */
static uint64_t find(JNIEnv *env, const struct tree *t, const struct unknown *u, bool hidden) {
    uint64_t node = 0;
    bool counts = u->called == (uint32_t)COUNTS, asks = !hidden && may_reclaim(t);
    if (!begin_writing()) return ABI_UNRESOLVED;
    if (counts && !asks) node = node_of_known_caller(t, u->hash, u->method);
    bool full = is_full_of_hashes(t);
    if (!node && counts && !full && !hidden && !asks) node = along_last_way(t, u);
    end_writing();
    if (node) return node;
    if (counts && (hidden || full)) return ABI_UNRESOLVED;
    if (hidden) return first_of_stack(t, u); /* JVMTI would wait for ever */
    if (agent.engaged && !asks) {
        node = find_along(env, t, u);
        if (node) return node;
    }
    node = resolve(env, u->hash, u->method, u->called);
    if (node == ABI_UNRESOLVED || !begin_writing()) return ABI_UNRESOLVED;
    learn_pairs(t);
    end_writing();
    return node;
}

static struct forest forest;

/* $MallardHash.find, which the VM finds by this name. */
JNIEXPORT jlong JNICALL Java_java_lang__00024MallardHash_find(JNIEnv *env, jclass runtime, jlong block, jlong hash,
    jint called, jint method, jboolean hidden);

JNIEXPORT jlong JNICALL Java_java_lang__00024MallardHash_find(JNIEnv *env, jclass runtime, jlong block, jlong hash,
    jint called, jint method, jboolean hidden) {
    (void)runtime;
    if (block == 0) { /* the first call */
        find_forest(&forest);
        forest.eager = (uint64_t)hash;
        return 0;
    }
    struct tree tree = {&forest, (uint64_t *)(uintptr_t)block};
    struct unknown unknown = {(uint64_t)hash, (uint32_t)called, (uint32_t)method};
    return (jlong)find(env, &tree, &unknown, hidden);
}

void start_resolving(JNIEnv *env) {
    jmethodID bind = agent.contexts ? (*env)->GetStaticMethodID(env, agent.runtime, "bind", "()V") : NULL;
    if (bind) (*env)->CallStaticVoidMethod(env, agent.runtime, bind);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        disengage("the runtime class finds no way to ask for contexts");
    }
}
