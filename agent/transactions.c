/* Transactions. Their names: an open-addressing table from what the program has said, in modified UTF-8, to the number
 * that the recorder has given to it; and one from the number to where sizes are counted. */
#include "agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hotspot.h"

/* Between two questions about a budget, in nanoseconds; how many tests wait for an answer in vain. */
enum { LONGEST_PAUSE = 32000000, MOST_IN_VAIN = 3 };

enum { CAPACITY = 2 * ABI_MAX_TRANSACTIONS, NAME_BYTES = 3 * ABI_MAX_TRANSACTION_CHARS + 1 };

static struct {
    pthread_rwlock_t lock;
    char *names[CAPACITY];
    uint32_t numbers[CAPACITY];
    uint32_t count;
    uint32_t other; /* the number of what there was no room for; 0 before it is asked for */
    struct {
        atomic_uint number; /* 0: nobody's, and nobody's behind it; set last */
        _Atomic uint64_t *sizes;
    } sized[CAPACITY];
} known = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static size_t slot_of(const char *name) {
    uint32_t hash = 2166136261U; /* FNV-1a */
    for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619U;
    size_t i = hash % CAPACITY;
    while (known.names[i] && strcmp(known.names[i], name) != 0) i = (i + 1) % CAPACITY;
    return i;
}

/* Where the sizes of a number's transactions are; NULL where they are not counted. */
static _Atomic uint64_t *sizes_of(uint32_t number) {
    size_t i = number % CAPACITY;
    for (uint32_t found; (found = atomic_load_explicit(&known.sized[i].number, memory_order_acquire)) != 0;
         i = (i + 1) % CAPACITY)
        if (found == number) return known.sized[i].sizes;
    return NULL;
}

/* The lock is held, so that numbers come one after the other; of them there are never as many as have room. */
static void count_sizes(uint32_t number, uint64_t node) {
    size_t i = number % CAPACITY;
    while (atomic_load_explicit(&known.sized[i].number, memory_order_relaxed) != 0) i = (i + 1) % CAPACITY;
    known.sized[i].sizes = (_Atomic uint64_t *)(agent.memory + ABI_NODES_OFFSET + node);
    atomic_store_explicit(&known.sized[i].number, number, memory_order_release);
}

/* The number of a name; of all others where it is NULL. 0: the recorder does not answer, or has no room. */
static uint32_t ask(const char *name) {
    struct message m = {0};
    unsigned char *answer = NULL;
    uint32_t size = 0;
    struct transaction_answer given = {0};
    put_transaction(&m, &(struct transaction_fields){.other = name == NULL, .name = name});
    if (exchange(ABI_TRANSACTION, &m, NULL, 0, &answer, &size) != ANSWERED ||
        !get_transaction_answer(&(struct bytes){answer, size}, &given)) given.number = 0;
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    if (given.number && given.sizes) count_sizes(given.number, given.sizes);
    return given.number;
}

static uint32_t number_of(const char *name) {
    pthread_rwlock_wrlock(&known.lock);
    size_t i = slot_of(name);
    uint32_t number = known.numbers[i];
    if (known.names[i]) {
        /* another thread has asked meanwhile */
    } else if (known.count < ABI_MAX_TRANSACTIONS) {
        number = ask(name);
        if (number && (known.names[i] = strdup(name))) {
            known.numbers[i] = number;
            known.count++;
        }
    } else {
        if (!known.other) known.other = ask(NULL);
        number = known.other;
    }
    pthread_rwlock_unlock(&known.lock);
    return number;
}

/* A name is what fits. */
struct name {
    size_t length; /* bytes */
    char text[NAME_BYTES];
};

static uint32_t number_for(struct name *name) {
    name->text[name->length] = 0;
    pthread_rwlock_rdlock(&known.lock);
    size_t i = slot_of(name->text);
    bool found = known.names[i] != NULL;
    uint32_t number = known.numbers[i];
    pthread_rwlock_unlock(&known.lock);
    return found ? number : number_of(name->text);
}

/* Puts a string at a name's end, as far as there is room for its characters. */
static void add_string(JNIEnv *env, struct name *name, jstring string) {
    jsize length = (*env)->GetStringLength(env, string), room = (jsize)((sizeof name->text - 1 - name->length) / 3);
    if (length > room) length = room;
    memset(name->text + name->length, 0, sizeof name->text - name->length); /* the copy has no end of its own */
    (*env)->GetStringUTFRegion(env, string, 0, length, name->text + name->length);
    name->length += strlen(name->text + name->length);
}

static void add_text(struct name *name, const char *text) {
    for (; *text && name->length < sizeof name->text - 1; text++) name->text[name->length++] = *text;
}

/* The natives of $MallardTransactions, which the VM finds by these names. */
JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_number(JNIEnv *env, jclass runtime, jstring string);
JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_numberOfValue(JNIEnv *env, jclass runtime, jlong value);
JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_numberOfClass(JNIEnv *env, jclass runtime,
    jclass named);
JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_numberOfCalls(JNIEnv *env, jclass runtime,
    jobject object, jstring calls);
JNIEXPORT jlong JNICALL Java_java_lang__00024MallardTransactions_allocated(JNIEnv *env, jclass runtime, jthread thread);
JNIEXPORT void JNICALL Java_java_lang__00024MallardTransactions_ended(JNIEnv *env, jclass runtime, jthread thread,
    jint number, jlong before);

JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_number(JNIEnv *env, jclass runtime, jstring string) {
    (void)runtime;
    if (!agent.engaged || !string) return 0;
    struct name name = {0};
    add_string(env, &name, string);
    return (jint)number_for(&name);
}

JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_numberOfValue(JNIEnv *env, jclass runtime,
    jlong value) {
    (void)env, (void)runtime;
    if (!agent.engaged) return 0;
    struct name name = {0};
    name.length = (size_t)snprintf(name.text, sizeof name.text, "%lld", (long long)value);
    return (jint)number_for(&name);
}

/* A class by its name; classes with more than that by the name of what is in them. */
JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_numberOfClass(JNIEnv *env, jclass runtime,
    jclass named) {
    (void)env, (void)runtime;
    char *signature = NULL;
    if (!agent.engaged ||
        (*agent.jvmti)->GetClassSignature(agent.jvmti, named, &signature, NULL) != JVMTI_ERROR_NONE) return 0;
    struct name name = {0};
    char *text = signature, *end = text + strlen(text);
    if (*text == 'L' && end[-1] == ';') text++, end[-1] = 0;
    for (char *c = text; *c; c++)
        if (*c == '/') *c = '.';
    add_text(&name, text);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return (jint)number_for(&name);
}

/* Puts at a name's end what a method of an object gives, a string; false where there is no such method, it gives
 * nothing, or it throws something. */
static bool add_result(JNIEnv *env, struct name *name, jobject object, const char *method) {
    jmethodID id = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, object), method, "()Ljava/lang/String;");
    jstring result = id ? (jstring)(*env)->CallObjectMethod(env, object, id) : NULL;
    bool ok = !(*env)->ExceptionCheck(env) && result;
    if (ok) add_string(env, name, result);
    (*env)->ExceptionClear(env);
    return ok;
}

/* Methods that objects do not have: said once. */
static void say_unnamed(const char *methods) {
    static atomic_bool said;
    if (atomic_exchange(&said, true)) return;
    char detail[256];
    snprintf(detail, sizeof detail, "an argument that names transactions had no \"%.64s\" that gives a string, or that "
        "failed: they are [unnamed]", methods);
    send_loss("transactions", 1, detail);
}

JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_numberOfCalls(JNIEnv *env, jclass runtime,
    jobject object, jstring calls) {
    (void)runtime;
    if (!agent.engaged) return 0;
    struct name methods = {0}, name = {0};
    add_string(env, &methods, calls);
    methods.text[methods.length] = 0;
    char *rest = methods.text, *method;
    while ((method = strtok_r(rest, " ", &rest)) != NULL) {
        if (name.length > 0) add_text(&name, " ");
        if (!add_result(env, &name, object, method)) {
            say_unnamed(method);
            name.length = 0;
            add_text(&name, "[unnamed]");
            break;
        }
    }
    return (jint)number_for(&name);
}

JNIEXPORT jlong JNICALL Java_java_lang__00024MallardTransactions_allocated(JNIEnv *env, jclass runtime,
    jthread thread) {
    (void)runtime;
    return (jlong)allocated_by(env, thread);
}

/* The word of the histogram that bytes belong to. */
static unsigned step_of(uint64_t bytes) {
    unsigned power = bytes < ABI_SIZE_STEPS ? 0 : 63 - (unsigned)__builtin_clzll(bytes | 1);
    if (power == 0) return (unsigned)bytes;
    unsigned shift = power - 3; /* of ABI_SIZE_STEPS */
    unsigned step = ABI_SIZE_STEPS * (shift + 1) + (unsigned)(bytes >> shift) % ABI_SIZE_STEPS;
    return step < ABI_SIZES_WORDS - ABI_SIZES_FIRST ? step : ABI_SIZES_WORDS - ABI_SIZES_FIRST - 1;
}

JNIEXPORT void JNICALL Java_java_lang__00024MallardTransactions_ended(JNIEnv *env, jclass runtime, jthread thread,
    jint number, jlong before) {
    (void)runtime;
    _Atomic uint64_t *sizes = agent.engaged ? sizes_of((uint32_t)number) : NULL;
    if (!sizes) return;
    uint64_t now = before ? allocated_by(env, thread) : 0;
    atomic_fetch_add_explicit(&sizes[ABI_SIZES_ENDED], 1, memory_order_relaxed);
    if (!before || now < (uint64_t)before) return;
    uint64_t bytes = now - (uint64_t)before, most = atomic_load_explicit(&sizes[ABI_SIZES_MOST], memory_order_relaxed);
    while (bytes > most &&
        !atomic_compare_exchange_weak_explicit(&sizes[ABI_SIZES_MOST], &most, bytes, memory_order_relaxed,
            memory_order_relaxed)) continue;
    atomic_fetch_add_explicit(&sizes[ABI_SIZES_SUM], bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&sizes[ABI_SIZES_FIRST + step_of(bytes)], 1, memory_order_relaxed);
}

/* $MallardTransactions.askBudget, which the VM finds by this name. */
JNIEXPORT jstring JNICALL Java_java_lang__00024MallardTransactions_askBudget(JNIEnv *env, jclass runtime,
    jstring string);

/* Whether the recorder has to be asked again; else the answer is JVMTI's memory, NULL for nothing to say. */
static bool ask_budget(const struct budget_fields *test, char **over) {
    struct message m = {0};
    unsigned char *answer = NULL;
    uint32_t size = 0;
    struct budget_answer a = {0};
    put_budget(&m, test);
    bool ok = exchange(ABI_BUDGET, &m, NULL, 0, &answer, &size) == ANSWERED &&
        get_budget_answer(&(struct bytes){answer, size}, &a);
    if (ok && !a.later && a.over.size > 0 && !failed((*agent.jvmti)->Allocate(agent.jvmti, (jlong)a.over.size + 1,
        (unsigned char **)over), "memory")) {
        memcpy(*over, a.over.data, a.over.size);
        (*over)[a.over.size] = 0;
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    return ok && a.later;
}

/* How many tests, one behind the other, have waited for as long as an answer is waited for. None waits any more where
 * several have. */
static atomic_uint in_vain;

/* The recorder answers at once that it will know, so that others can ask it meanwhile; it is asked again until then.
 * False where it never knew. */
static bool wait_for_budget(const char *name, char **over) {
    struct budget_fields test = {.name = name};
    struct timespec pause = {.tv_nsec = 1000000};
    for (moment end = now() + wait_limit(); ask_budget(&test, over); test.again = 1) {
        if (now() > end) return false;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < LONGEST_PAUSE) pause.tv_nsec *= 2;
    }
    in_vain = 0;
    return true;
}

static void tell_vain(void) {
    if (++in_vain == MOST_IN_VAIN) send_loss("budgets", 1, "the recorder was too slow to say whether tests were within "
        "their budgets when they ended: none waited for that any more; \"mallard check\" says it");
}

JNIEXPORT jstring JNICALL Java_java_lang__00024MallardTransactions_askBudget(JNIEnv *env, jclass runtime,
    jstring string) {
    (void)runtime;
    if (!agent.engaged || in_vain >= MOST_IN_VAIN) return NULL;
    struct name name = {0};
    add_string(env, &name, string);
    name.text[name.length] = 0;
    char *over = NULL;
    if (!wait_for_budget(name.text, &over)) tell_vain();
    jstring said = over ? (*env)->NewStringUTF(env, over) : NULL;
    if (!said) (*env)->ExceptionClear(env);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)over);
    return said;
}

/* The classes that count in nodes, or make them. The recorder has others in their place, which look whether the thread
 * is in a transaction that it has entered. */
static const char *const node_classes[] = {"java/lang/$Mallard", "java/lang/$MallardObjects", "java/lang/$MallardVM",
    "java/lang/$MallardReplaced", "java/lang/$MallardReflection", "java/lang/$MallardTree",
    "java/lang/$MallardTransactions", "java/lang/$MallardTags"};
enum { NODE_CLASSES = sizeof node_classes / sizeof *node_classes };

/* $MallardEntered.retransformRuntime, which the VM finds by this name. */
JNIEXPORT jboolean JNICALL Java_java_lang__00024MallardEntered_retransformRuntime(JNIEnv *env, jclass runtime);

JNIEXPORT jboolean JNICALL Java_java_lang__00024MallardEntered_retransformRuntime(JNIEnv *env, jclass runtime) {
    (void)runtime;
    jclass classes[NODE_CLASSES];
    for (size_t i = 0; i < NODE_CLASSES; i++) {
        if (!(classes[i] = (*env)->FindClass(env, node_classes[i]))) {
            (*env)->ExceptionClear(env);
            return JNI_FALSE;
        }
    }
    if (!agent.engaged) return JNI_FALSE;
    jvmtiError e = (*agent.jvmti)->RetransformClasses(agent.jvmti, NODE_CLASSES, classes);
    if (e != JVMTI_ERROR_NONE) send_loss("transactions", 1,
        "the JVM does not let the runtime classes be changed: threads entered no transactions");
    return e == JVMTI_ERROR_NONE;
}

/* $MallardEntered.full, which the VM finds by this name. */
JNIEXPORT void JNICALL Java_java_lang__00024MallardEntered_full(JNIEnv *env, jclass runtime, jint most);

JNIEXPORT void JNICALL Java_java_lang__00024MallardEntered_full(JNIEnv *env, jclass runtime, jint most) {
    (void)env, (void)runtime;
    char detail[256];
    snprintf(detail, sizeof detail, "threads entered more than %d transactions inside each other: what they did in "
        "further ones is in the last of these", (int)most);
    send_loss("transactions", 1, detail);
}

/* $MallardEntered.find, which the VM finds by this name. */
JNIEXPORT jlong JNICALL Java_java_lang__00024MallardEntered_find(JNIEnv *env, jclass runtime, jint block, jlong own,
    jlong inside);

JNIEXPORT jlong JNICALL Java_java_lang__00024MallardEntered_find(JNIEnv *env, jclass runtime, jint block, jlong own,
    jlong inside) {
    (void)runtime;
    if (!agent.engaged || own == 0) return 0;
    struct message m = {0};
    unsigned char *answer = NULL;
    uint32_t size = 0;
    struct mirror_answer found = {0};
    put_mirror(&m, &(struct mirror_fields){.block = (uint32_t)block, .node = (uint64_t)own,
        .transaction = (uint64_t)inside});
    enum reply r = exchange(ABI_MIRROR, &m, NULL, 0, &answer, &size);
    if (r != ANSWERED || !get_mirror_answer(&(struct bytes){answer, size}, &found)) found.node = 0;
    if (r == TREE_KEPT) leave_block(env);
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    return (jlong)found.node;
}
