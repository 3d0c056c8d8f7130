/* Of what classes the objects are that calls make: which counters they have, by the call's and the class's. Threads
 * remember what they have asked for; here is what any of them has. */
#include "agent.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static jfieldID class_number;           /* of java.lang.Class; NULL: the recorder has not added it */
static _Atomic uint32_t classes;        /* that have numbers, from 1 on */

/* An open-addressing table. */
struct made {
    uint32_t class; /* 0: no entry */
    uint32_t call, first;
};
enum { FIRST_CAPACITY = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the table; JVMTI is not called under it */
static struct made *table;
static size_t capacity, count;
static uint64_t given_back; /* times that counters were, as of when the table was begun */

static struct made *slot_of(struct made *in, size_t size, uint32_t class, uint32_t call) {
    size_t i = (((uint64_t)class << 32 | call) * 0x9E3779B97F4A7C15U >> 32) & (size - 1);
    while (in[i].class && (in[i].class != class || in[i].call != call)) i = (i + 1) & (size - 1);
    return &in[i];
}

/* Times that counters were given back. */
static uint64_t times_given_back(void) {
    const _Atomic uint64_t *word =
        (const _Atomic uint64_t *)(void *)(block_address(ABI_OVERFLOW_BLOCK) + 8 * ABI_WORD_GIVEN_BACK);
    return atomic_load(word);
}

/* Forgets all once counters were given back: a number may be somebody else's by now. */
static void forget(void) {
    uint64_t now = times_given_back();
    if (now == given_back) return;
    given_back = now;
    count = 0;
    if (table) memset(table, 0, capacity * sizeof *table);
}

static uint32_t find(uint32_t class, uint32_t call) {
    pthread_mutex_lock(&lock);
    forget();
    uint32_t first = capacity ? slot_of(table, capacity, class, call)->first : 0;
    pthread_mutex_unlock(&lock);
    return first;
}

static bool grow(void) {
    size_t size = capacity ? 2 * capacity : FIRST_CAPACITY;
    struct made *bigger = calloc(size, sizeof *bigger);
    if (!bigger) return false;
    for (size_t i = 0; i < capacity; i++)
        if (table[i].class) *slot_of(bigger, size, table[i].class, table[i].call) = table[i];
    free(table);
    table = bigger;
    capacity = size;
    return true;
}

/* The caller runs the call's code, so its counters are its own still. */
static void keep(uint32_t class, uint32_t call, uint32_t first) {
    pthread_mutex_lock(&lock);
    if (2 * count < capacity || grow()) {
        struct made *slot = slot_of(table, capacity, class, call);
        if (!slot->class) count++;
        *slot = (struct made){class, call, first};
    }
    pthread_mutex_unlock(&lock);
}

/* 0: there is no answer. */
static uint32_t ask(const char *type, uint32_t call) {
    struct message m = {0};
    struct class_made_answer given = {0};
    unsigned char *answer = NULL;
    uint32_t size = 0;
    uint64_t since = times_given_back();
    put_class_made(&m, &(struct class_made_fields){.counter = call, .name = type});
    bool answered = exchange(ABI_CLASS_MADE, &m, NULL, 0, &answer, &size) == ANSWERED &&
        get_class_made_answer(&(struct bytes){answer, size}, &given);
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    if (!answered) return 0;
    if (given.counters != UINT32_MAX) learn_made_of_class(call, type, since, given.counters, given.first);
    return given.first;
}

/* The first counter for a type that is known of the call, or of the same call in another class; 0: ask. */
static uint32_t known(const char *type, uint32_t call) {
    uint32_t counters, first;
    if (!made_of_class(call, type, times_given_back(), &counters, &first)) return 0;
    if (counters == 0) return first;
    struct message m = {0};
    if (!take_reserved(counters, &first)) return 0;
    put_counters_made(&m, &(struct counters_made_fields){.counter = call, .name = type, .first = first});
    return post_message(ABI_COUNTERS_MADE, &m) ? first : 0;
}

static uint32_t find_or_ask(jclass class, uint32_t call) {
    char *signature = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) return 0;
    const char *type = type_of(signature);
    uint32_t first = known(type, call);
    if (first == 0) first = ask(type, call);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return first;
}

/* The number of a class. Should two threads give it one at a time, one of them is not found again. */
static uint32_t number_of(JNIEnv *env, jclass class) {
    jint number = (*env)->GetIntField(env, class, class_number);
    if (number == 0) {
        number = (jint)(atomic_fetch_add(&classes, 1) + 1);
        (*env)->SetIntField(env, class, class_number, number);
    }
    return (uint32_t)number;
}

/* $MallardClasses.counters, which the VM finds by this name. */
JNIEXPORT jint JNICALL Java_java_lang__00024MallardClasses_counters(JNIEnv *env, jclass runtime, jclass of, jint call);

JNIEXPORT jint JNICALL Java_java_lang__00024MallardClasses_counters(JNIEnv *env, jclass runtime, jclass of, jint call) {
    (void)runtime;
    if (!agent.engaged || !class_number) return 0;
    uint32_t class = number_of(env, of), first = find(class, (uint32_t)call);
    if (first == 0 && (first = find_or_ask(of, (uint32_t)call)) != 0) keep(class, (uint32_t)call, first);
    return (jint)first;
}

void find_class_number(JNIEnv *env) {
    jclass c = (*env)->GetObjectClass(env, agent.runtime); /* java.lang.Class */
    class_number = (*env)->GetFieldID(env, c, "$mallard", "I");
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, c);
}
