/* Blocks for threads: given before a thread's first bytecode, handed to the recorder when it ends. A thread that runs
 * earlier than its start event (the one that initialises the VM, one that is attaching) has taken a block by itself, in
 * $MallardThreads.firstBlock. */
#include "agent.h"
#include "hotspot.h"

#include <stdlib.h>
#include <string.h>

static char *thread_name(JNIEnv *env, jthread t) {
    jvmtiThreadInfo info;
    memset(&info, 0, sizeof info);
    /* before the VM is initialised */
    if ((*agent.jvmti)->GetThreadInfo(agent.jvmti, t, &info) != JVMTI_ERROR_NONE) return NULL;
    if (info.thread_group) (*env)->DeleteLocalRef(env, info.thread_group);
    if (info.context_class_loader) (*env)->DeleteLocalRef(env, info.context_class_loader);
    char *name = info.name ? strdup(info.name) : NULL;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)info.name);
    return name;
}

/* The object that has the field with the offset of a thread's block: the thread, or in a JVM that was started without
 * Mallard what has the size of its stack (FieldHolder, since JDK 19). NULL: there is none; else a local reference. */
static jobject block_holder(JNIEnv *env, jthread t) {
    return agent.holder_field ? (*env)->GetObjectField(env, t, agent.holder_field) : (*env)->NewLocalRef(env, t);
}

static jlong block_offset(JNIEnv *env, jthread t) { /* relative to agent.shared */
    jobject holder = block_holder(env, t);
    if (!holder) return 0;
    jlong offset = (*env)->GetLongField(env, holder, agent.block_field);
    (*env)->DeleteLocalRef(env, holder);
    return offset;
}

static void set_block_offset(JNIEnv *env, jthread t, jlong offset) {
    jobject holder = block_holder(env, t);
    if (!holder) return;
    (*env)->SetLongField(env, holder, agent.block_field, offset);
    (*env)->DeleteLocalRef(env, holder);
}

static void set_block(JNIEnv *env, jthread t, uint32_t block) {
    set_block_offset(env, t, (jlong)((uintptr_t)block_address(block) - (uintptr_t)agent.shared));
}

uint32_t block_of(JNIEnv *env, jthread t) {
    jlong offset = block_offset(env, t);
    return offset ? (uint32_t)(((uintptr_t)agent.shared +
        (uintptr_t)offset - (uintptr_t)block_address(0)) / agent.block_bytes) : ABI_OVERFLOW_BLOCK;
}

bool is_counting(JNIEnv *env, jthread t) { return block_offset(env, t) != 0; }

struct thread_block_fields describe_thread(JNIEnv *env, jthread t, bool virtual) {
    bool carrier = agent.carrier && (*env)->IsInstanceOf(env, t, agent.carrier);
    return (struct thread_block_fields){
        .block = block_of(env, t), .flags = (carrier ? ABI_THREAD_CARRIER : 0) | (virtual ? ABI_THREAD_VIRTUAL : 0),
        .name = virtual ? NULL : thread_name(env, t)};
}

/* The block that the calling thread had, where the VM says that it has ended and lets it run on: it ends the VM. */
static _Thread_local uint32_t ended_block = ABI_OVERFLOW_BLOCK;

struct thread_block_fields describe_stopped_thread(JNIEnv *env, jthread t, bool virtual, bool self) {
    if (!self || ended_block == ABI_OVERFLOW_BLOCK ||
        block_of(env, t) != ABI_OVERFLOW_BLOCK) return describe_thread(env, t, virtual);
    return (struct thread_block_fields){.block = ended_block, .flags = ABI_THREAD_ENDED};
}

static void send_thread(JNIEnv *env, jthread t) {
    struct message m = {0};
    struct thread_fields thread = {.thread = describe_thread(env, t, false)};
    put_thread(&m, &thread);
    free((char *)(uintptr_t)thread.thread.name);
    send_message(ABI_THREAD, &m);
}

/* In place of a field of ours, the size of the stack that was asked for: the VM reads it when it starts a thread, and
 * nobody does later (decision 0116). */
static void find_size_field(JNIEnv *env, jclass thread) {
    jclass of = thread;
    if (agent.feature >= 19) {
        agent.holder_field = (*env)->GetFieldID(env, thread, "holder", "Ljava/lang/Thread$FieldHolder;");
        of = agent.holder_field ? (*env)->FindClass(env, "java/lang/Thread$FieldHolder") : NULL;
    }
    if (of) agent.block_field = (*env)->GetFieldID(env, of, "stackSize", "J");
}

bool find_block_field(JNIEnv *env) {
    if (agent.block_field) return true;
    jclass thread = (*env)->FindClass(env, "java/lang/Thread");
    if (thread && agent.attached)
        find_size_field(env, thread);
    else if (thread)
        agent.block_field = (*env)->GetFieldID(env, thread, "$mallard", "J");
    /* of what they allocated before there was an agent nobody knows */
    if (agent.block_field && !agent.attached) find_vm_thread(env, thread);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    return agent.block_field != NULL;
}

/* Whether a thread of a JVM that was started without Mallard had no block so far: its field has had the size of its
 * stack until now. JVMTI keeps with the thread that it has one. */
static bool had_none(jthread t) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    void *given = NULL;
    pthread_mutex_lock(&lock);
    bool none = (*agent.jvmti)->GetThreadLocalStorage(agent.jvmti, t, &given) == JVMTI_ERROR_NONE && !given &&
        (*agent.jvmti)->SetThreadLocalStorage(agent.jvmti, t, &agent) == JVMTI_ERROR_NONE;
    pthread_mutex_unlock(&lock);
    return none;
}

void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread t) {
    (void)jvmti;
    if (agent.attached && !agent.engaged) set_block_offset(env, t, 0); /* classes that are left behind count in vain */
    if (!agent.engaged || !find_block_field(env)) return;
    if (agent.attached ? had_none(t) : block_of(env, t) == ABI_OVERFLOW_BLOCK) {
        uint32_t block = take_block();
        set_block(env, t, block);
        if (block == ABI_OVERFLOW_BLOCK) return;
    }
    send_thread(env, t);
}

void adopt_threads(JNIEnv *env) {
    jint n = 0;
    jthread *threads = NULL;
    (*env)->EnsureLocalCapacity(env, MANY_REFERENCES);
    if (failed((*agent.jvmti)->GetAllThreads(agent.jvmti, &n, &threads), "the list of threads")) return;
    for (jint i = 0; i < n; i++) {
        on_thread_start(agent.jvmti, env, threads[i]);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
}

void abandon_threads(JNIEnv *env) {
    jint n = 0;
    jthread *threads = NULL;
    (*env)->EnsureLocalCapacity(env, MANY_REFERENCES);
    if ((*agent.jvmti)->GetAllThreads(agent.jvmti, &n, &threads) != JVMTI_ERROR_NONE) return;
    for (jint i = 0; i < n; i++) {
        set_block_offset(env, threads[i], 0);
        (*agent.jvmti)->SetThreadLocalStorage(agent.jvmti, threads[i], NULL);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
}

void leave_block(JNIEnv *env) {
    jthread self = NULL;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return;
    set_block(env, self, ABI_OVERFLOW_BLOCK);
    (*env)->DeleteLocalRef(env, self);
}

static void end_thread(JNIEnv *env, jthread t) {
    uint32_t block = block_of(env, t);
    if (block == ABI_OVERFLOW_BLOCK) return;
    struct message m = {0};
    struct thread_end_fields end = {.thread = describe_thread(env, t, false), .allocated = allocated_by(env, t)};
    put_thread_end(&m, &end);
    free((char *)(uintptr_t)end.thread.name);
    set_block_offset(env, t, 0); /* what the VM may still run counts elsewhere */
    end_block(block);
    ended_block = block;
    if (!send_message(ABI_THREAD_END, &m)) free_block(block);
}

/* A native thread may detach with an exception that it never looked at. */
void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread t) {
    (void)jvmti;
    if (!agent.block_field) return;
    jthrowable pending = (*env)->ExceptionOccurred(env);
    if (pending) (*env)->ExceptionClear(env);
    end_thread(env, t);
    if (pending) (*env)->Throw(env, pending);
}

void send_threads(JNIEnv *env) {
    jint n = 0;
    jthread *threads = NULL;
    (*env)->EnsureLocalCapacity(env, MANY_REFERENCES);
    if (failed((*agent.jvmti)->GetAllThreads(agent.jvmti, &n, &threads), "the list of threads")) return;
    for (jint i = 0; i < n; i++) {
        if (block_of(env, threads[i]) != ABI_OVERFLOW_BLOCK) send_thread(env, threads[i]);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
}
