/* Snapshots every so many bytecodes: a thread that has executed them waits until the recorder has taken one and, where
 * a class of the user's is to be told, until that has been called. So a program of one thread has the same snapshots
 * every time. */
#include "agent.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "own_thread.h"

/* How long a thread waits for the class, in seconds, before no thread does so any more: it may hold a lock that the
 * class wants. */
enum { WAIT_SECONDS = 10 };

/* What a thread hands to the one that calls the class, which begins in MAKING it. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum { MAKING, IDLE, CALLED, OVER } state;
    struct metrics_answer metrics;
    jlong next; /* bytecodes to the next snapshot, as the class has chosen; 0: it has not */
    bool impatient;
    JNIEnv *caller; /* whose own bytecodes make no snapshots */
} hand = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* one thread after the other */

static void turn_to(int state) {
    hand.state = state;
    pthread_cond_broadcast(&hand.changed);
}

/* Waits until the class can be called, under the lock. */
static bool caller_is_idle(void) {
    const struct timespec end = timespec_of(now() + WAIT_SECONDS * (moment)1000000000);
    while ((hand.state == MAKING || hand.state == CALLED) && !hand.impatient)
        hand.impatient = pthread_cond_timedwait(&hand.changed, &hand.lock, &end) == ETIMEDOUT;
    return hand.state == IDLE;
}

/* Says once that nobody waits any more. */
static void tell_impatience(void) {
    static bool said; /* under turn */
    if (!hand.impatient || said) return;
    said = true;
    send_loss("on-snapshot", 1, "the class took more than 10 s while a thread of the program waited for it; from "
        "there on none waited, and what it chose came later");
}

static bool ask(bool called, struct metrics_answer *metrics) {
    struct message m = {0};
    unsigned char *answer = NULL;
    uint32_t size = 0;
    put_snapshot(&m, &(struct snapshot_fields){.called = called});
    bool ok = exchange(ABI_SNAPSHOT, &m, NULL, 0, &answer, &size) == ANSWERED &&
        get_metrics(&(struct bytes){answer, size}, metrics);
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    return ok;
}

/* Has a snapshot taken, and the class called with it unless it is still busy. The lock is not held where the recorder
 * is spoken to: that may end in disengage. */
static jlong snapshot(void) {
    struct metrics_answer metrics;
    if (!agent.snapshot_callback) {
        ask(false, &metrics);
        return 0;
    }
    pthread_mutex_lock(&hand.lock);
    bool called = caller_is_idle();
    pthread_mutex_unlock(&hand.lock);
    bool answered = ask(called, &metrics);
    pthread_mutex_lock(&hand.lock);
    if (answered && hand.state == IDLE) {
        hand.metrics = metrics;
        turn_to(CALLED);
        caller_is_idle();
    }
    jlong next = hand.next;
    pthread_mutex_unlock(&hand.lock);
    tell_impatience();
    return next;
}

bool wait_for_bytecodes(JNIEnv *env, jlong next, struct metrics_answer *metrics) {
    pthread_mutex_lock(&hand.lock);
    hand.caller = env;
    if (next > 0) hand.next = next;
    if (hand.state != OVER) turn_to(IDLE);
    while (hand.state == IDLE) pthread_cond_wait(&hand.changed, &hand.lock);
    *metrics = hand.metrics;
    bool called = hand.state == CALLED;
    pthread_mutex_unlock(&hand.lock);
    return called;
}

void begin_calls(JNIEnv *env) {
    pthread_mutex_lock(&hand.lock);
    hand.caller = env;
    pthread_mutex_unlock(&hand.lock);
}

void end_calls(void) {
    pthread_mutex_lock(&hand.lock);
    turn_to(OVER);
    pthread_mutex_unlock(&hand.lock);
}

/* $MallardBytecodes.snapshot, which the VM finds by this name. */
JNIEXPORT jlong JNICALL Java_java_lang__00024MallardBytecodes_snapshot(JNIEnv *env, jclass runtime, jlong executed);

JNIEXPORT jlong JNICALL Java_java_lang__00024MallardBytecodes_snapshot(JNIEnv *env, jclass runtime, jlong executed) {
    (void)runtime;
    if (!agent.engaged || executed == 0 || env == hand.caller) return 0;
    pthread_mutex_lock(&turn);
    jlong next = snapshot();
    pthread_mutex_unlock(&turn);
    return next;
}

void start_bytecode_snapshots(JNIEnv *env) {
    if (!agent.bytecode_snapshots || !make_condition(&hand.changed)) return;
    jclass class = (*env)->FindClass(env, "java/lang/$MallardBytecodes");
    jmethodID bind = class ? (*env)->GetStaticMethodID(env, class, "bind", "()V") : NULL;
    if (bind) (*env)->CallStaticVoidMethod(env, class, bind);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        disengage("the runtime class finds no way to ask for snapshots");
    }
}
