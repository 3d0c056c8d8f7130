/* Virtual threads (JDK 21 and newer), for the last snapshot. This file is compiled against the headers of older JDKs
 * too, so what JVMTI got with JEP 444 is named here by its place: capabilities are bits and functions are slots that
 * the specification never moves. */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

enum { CAN_SUPPORT_VIRTUAL_THREADS = 44 }; /* bit of jvmtiCapabilities */

/* A tag no class loader has: loaders are numbered from 1 up. */
#define VIRTUAL_THREAD_TAG (-1)

/* A snapshot that takes longer than the program is patient with is worse than one that says what it lacks. */
enum { MAX_VIRTUAL_THREADS = 100000 };

void want_virtual_threads(jvmtiCapabilities *c) {
    if (agent.feature < 21) return;
    ((unsigned char *)c)[CAN_SUPPORT_VIRTUAL_THREADS / 8] |= 1 << CAN_SUPPORT_VIRTUAL_THREADS % 8;
}

/* Functions of JVMTI by their number in the specification. */
enum { SUSPEND_ALL_VIRTUAL_THREADS = 118, RESUME_ALL_VIRTUAL_THREADS = 119 };

static void all_but(int function, jthread exception) {
    typedef jvmtiError(JNICALL * call)(jvmtiEnv *, jint, const jthread *);
    if (!agent.carrier) return;
    void *f = ((void *const *)(const void *)*agent.jvmti)[function - 1];
    ((call)(uintptr_t)f)(agent.jvmti, exception ? 1 : 0, &exception);
}

void suspend_virtual_threads(jthread except) { all_but(SUSPEND_ALL_VIRTUAL_THREADS, except); }
void resume_virtual_threads(void) { all_but(RESUME_ALL_VIRTUAL_THREADS, NULL); }

/* JVMTI gives the stack of a thread that mounts or unmounts a virtual one when that is over, and for ever waits the
 * thread that asks for its own. To JVMTI it is a carrier then, whichever thread runs in it. Carriers run nothing else
 * but the JDK's scheduler. */
static bool is_carrier(JNIEnv *env) {
    static const char carrier[] = "Ljdk/internal/misc/CarrierThread";
    jthread self = NULL;
    char *signature = NULL;
    if (agent.feature < 21 || (*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE || !self)
        return false;
    jclass c = (*env)->GetObjectClass(env, self);
    bool is = (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE &&
              strncmp(signature, carrier, sizeof carrier - 1) == 0;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    (*env)->DeleteLocalRef(env, c);
    (*env)->DeleteLocalRef(env, self);
    return is;
}

bool own_stack(JNIEnv *env, jint start, jint most, jvmtiFrameInfo *frames, jint *count) {
    *count = 0;
    return !is_carrier(env) &&
           (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, start, most, frames, count) == JVMTI_ERROR_NONE;
}

static jint JNICALL tag_thread(jlong class_tag, jlong size, jlong *tag, jint length, void *data) {
    (void)class_tag, (void)size, (void)length, (void)data;
    *tag = VIRTUAL_THREAD_TAG;
    return 0;
}

bool has_virtual_threads(void) {
    jint status = 0;
    return agent.virtual && (*agent.jvmti)->GetClassStatus(agent.jvmti, agent.virtual, &status) == JVMTI_ERROR_NONE &&
        status & JVMTI_CLASS_STATUS_INITIALIZED;
}

/* No list of virtual threads exists but the heap, all of it. The ended ones among them have no frames. */
jint find_virtual_threads(jthread **threads) {
    static const jlong tag = VIRTUAL_THREAD_TAG;
    jvmtiHeapCallbacks callbacks;
    jint n = 0;
    *threads = NULL;
    if (!has_virtual_threads()) return 0;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_iteration_callback = tag_thread;
    if ((*agent.jvmti)->IterateThroughHeap(agent.jvmti, 0, agent.virtual, &callbacks, NULL) != JVMTI_ERROR_NONE ||
        (*agent.jvmti)->GetObjectsWithTags(agent.jvmti, 1, &tag, &n, threads, NULL) != JVMTI_ERROR_NONE)
        n = 0;
    if (n > MAX_VIRTUAL_THREADS) {
        send_loss("virtual-threads", (uint64_t)(n - MAX_VIRTUAL_THREADS),
            "virtual threads whose stacks were not read when the JVM ended: counts are exact except for methods still "
            "on them");
        n = MAX_VIRTUAL_THREADS;
    }
    return n;
}
