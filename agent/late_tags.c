/* Who has locked a new object has put its header elsewhere, where it may not be written to while the program runs. Code
 * that was to tag it has the next walk do that. Until then the object is known by a weak reference of JNI, which keeps
 * nothing alive. */
#include "late_tags.h"

#include <pthread.h>
#include <stdatomic.h>

#include "agent.h"
#include "heap.h"
#include "hotspot_headers.h"
#include "hotspot_table.h"

enum {
    MOST = 1 << 14,  /* objects between two walks; others have no site */
    TOGETHER = 2,    /* references that are given back for each one that is made */
    TAG_OF_HANDLE = 3 /* bits that are none of a handle's address (jniHandles.hpp) */
};

static struct late {
    jweak object;
    uint32_t tag;
} late[MOST];
static uint32_t count, given; /* the first ones have got their tag */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* nobody calls the VM under it: the walk waits for it */

static bool is_full(void) {
    pthread_mutex_lock(&lock);
    bool full = count == MOST && given == 0;
    pthread_mutex_unlock(&lock);
    return full;
}

/* Takes references that are needed no more, and gives how many. */
static uint32_t take_given(jweak *to, uint32_t most) {
    uint32_t n = 0;
    while (n < most && given > 0) {
        to[n++] = late[--given].object;
        late[given] = late[--count];
    }
    return n;
}

void tag_late(JNIEnv *env, jobject object, jint tag) {
    jweak gone[TOGETHER + 1], made;
    if (!object || agent.leaving || !atomic_load(&agent.engaged) || !reads_heap() || is_full()) return;
    if (!(made = (*env)->NewWeakGlobalRef(env, object))) {
        (*env)->ExceptionClear(env);
        return;
    }
    pthread_mutex_lock(&lock);
    uint32_t n = take_given(gone, TOGETHER);
    if (count < MOST)
        late[count++] = (struct late){made, (uint32_t)tag};
    else
        gone[n++] = made;
    pthread_mutex_unlock(&lock);
    while (n > 0) (*env)->DeleteWeakGlobalRef(env, gone[--n]);
}

void give_late_tags(void (*gives)(uintptr_t object)) {
    pthread_mutex_lock(&lock);
    for (; given < count; given++) {
        uintptr_t handle = (uintptr_t)late[given].object & ~(uintptr_t)TAG_OF_HANDLE, object = 0;
        if (!read_if_mapped(handle, &object, sizeof object) || !object) continue;
        gives(object);
        set_tag(object, late[given].tag);
    }
    pthread_mutex_unlock(&lock);
}

void forget_late_tags(void) {
    JNIEnv *env;
    jweak gone[TOGETHER];
    uint32_t n;
    if ((*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) return;
    do {
        pthread_mutex_lock(&lock);
        given = count;
        n = take_given(gone, TOGETHER);
        pthread_mutex_unlock(&lock);
        for (uint32_t i = 0; i < n; i++) (*env)->DeleteWeakGlobalRef(env, gone[i]);
    } while (n > 0);
}
