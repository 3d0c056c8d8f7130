/* A JVM agent that produces events inside the callbacks of garbage collection, in a ring of the memory file that its
 * option names. At the JVM's end it prints how many collections it saw. */
#include <fcntl.h>
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"

enum { BLOCK = 4096, BLOCKS = 16 };

static struct event_ring ring;
static uint64_t started, finished;

static void put(uint32_t kind, uint64_t number) {
    uint64_t record[2] = {number, event_now()};
    event_put(&ring, kind, record, sizeof record);
    event_commit(&ring);
}

static void JNICALL on_start(jvmtiEnv *jvmti) {
    (void)jvmti;
    event_level(&ring, 1);
    put(ABI_EVENT_FIRST, started++);
}

/* What a heap walk will do: blocks of bytes, and the end of the collection. */
static void JNICALL on_finish(jvmtiEnv *jvmti) {
    (void)jvmti;
    for (int i = 0; i < BLOCKS; i++) {
        unsigned char *block = event_begin(&ring, ABI_EVENT_FIRST + 1, BLOCK);
        if (!block) continue;
        memset(block, (int)finished, BLOCK);
        memcpy(block, &finished, sizeof finished);
        event_end(&ring, BLOCK);
    }
    put(ABI_EVENT_FIRST + 2, finished++);
}

/* A collection that begins later is neither counted nor in the ring: it may come before the JVM has ended. */
static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *env) {
    (void)env;
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, NULL);
    printf("%llu %llu\n", (unsigned long long)started, (unsigned long long)finished);
    fflush(stdout);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    jvmtiEnv *jvmti;
    jvmtiCapabilities wanted = {.can_generate_garbage_collection_events = 1};
    jvmtiEventCallbacks on = {
        .GarbageCollectionStart = on_start, .GarbageCollectionFinish = on_finish, .VMDeath = on_death};
    int fd = open(options, O_RDWR | O_CLOEXEC);
    if (fd < 0 || event_map(fd, &ring, 1) != 1) return JNI_ERR;
    close(fd);
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    if ((*jvmti)->AddCapabilities(jvmti, &wanted) != 0) return JNI_ERR;
    if ((*jvmti)->SetEventCallbacks(jvmti, &on, sizeof on) != 0) return JNI_ERR;
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    return JNI_OK;
}
