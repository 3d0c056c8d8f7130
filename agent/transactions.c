/* Transactions. Their names: an open-addressing table from what the program has said, in modified UTF-8, to the number
 * that the recorder has given to it. */
#include "agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 2 * ABI_MAX_TRANSACTIONS, NAME_BYTES = 3 * ABI_MAX_TRANSACTION_CHARS + 1 };

static struct {
    pthread_rwlock_t lock;
    char *names[CAPACITY];
    uint32_t numbers[CAPACITY];
    uint32_t count;
    uint32_t other; /* the number of what there was no room for; 0 before it is asked for */
} known = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static size_t slot_of(const char *name) {
    uint32_t hash = 2166136261U; /* FNV-1a */
    for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619U;
    size_t i = hash % CAPACITY;
    while (known.names[i] && strcmp(known.names[i], name) != 0) i = (i + 1) % CAPACITY;
    return i;
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

/* $MallardTransactions.number, which the VM finds by this name. */
JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_number(JNIEnv *env, jclass runtime, jstring name);

JNIEXPORT jint JNICALL Java_java_lang__00024MallardTransactions_number(JNIEnv *env, jclass runtime, jstring name) {
    (void)runtime;
    if (!agent.engaged || !name) return 0;
    char text[NAME_BYTES];
    jsize length = (*env)->GetStringLength(env, name);
    if (length > (jsize)ABI_MAX_TRANSACTION_CHARS) length = ABI_MAX_TRANSACTION_CHARS;
    memset(text, 0, sizeof text); /* the copy has no end of its own */
    (*env)->GetStringUTFRegion(env, name, 0, length, text);
    pthread_rwlock_rdlock(&known.lock);
    size_t i = slot_of(text);
    bool found = known.names[i] != NULL;
    uint32_t number = known.numbers[i];
    pthread_rwlock_unlock(&known.lock);
    return (jint)(found ? number : number_of(text));
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
