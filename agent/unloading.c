/* Class loaders that are gone, and with them their classes. JVMTI has no event for a class that is unloaded, but one
 * for a tagged object that is freed, and loaders are tagged with their numbers. A loader lives as long as any of its
 * classes, their objects and their frames. */
#include "agent.h"

#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    uint32_t *loaders;
    size_t count, capacity;
} gone = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Called at a safepoint by the VM's own thread (17) or by a service thread (25): it only takes a note. Without memory
 * for that the loader's counters are not used again. */
void JNICALL on_object_free(jvmtiEnv *jvmti, jlong tag) {
    (void)jvmti;
    if (tag <= 0) return; /* no loader */
    pthread_mutex_lock(&gone.lock);
    if (gone.count == gone.capacity) {
        size_t capacity = gone.capacity * 2 + 64;
        uint32_t *loaders = realloc(gone.loaders, capacity * sizeof *loaders);
        if (loaders) {
            gone.loaders = loaders;
            gone.capacity = capacity;
        }
    }
    if (gone.count < gone.capacity) gone.loaders[gone.count++] = (uint32_t)tag;
    pthread_mutex_unlock(&gone.lock);
}

void send_gone_loaders(void) {
    struct message m = {0};
    pthread_mutex_lock(&gone.lock);
    uint32_t *loaders = gone.loaders;
    size_t count = gone.count;
    if (count > 0) {
        gone.loaders = NULL;
        gone.count = gone.capacity = 0;
    }
    pthread_mutex_unlock(&gone.lock);
    if (count == 0) return;
    for (size_t i = 0; i < count; i++) {
        loader_went(loaders[i]); /* before its numbers are others' */
        put_loader_gone(&m, &(struct loader_gone_fields){.loader = loaders[i]});
    }
    free(loaders);
    send_message(ABI_LOADERS_GONE, &m);
}
