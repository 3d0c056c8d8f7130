/* What objects refer to, in three steps, of which two are done while the world is stopped once:
 *
 *   1. JVMTI names the roots, one after the other (roots.c). From each on references are followed, and what is found is
 *      marked: a bit for each word of the heap (reachable.c).
 *   2. When there are no more, marked objects are written in the order of their addresses, with their references
 *      (reached.c).
 *   3. The world runs again, and the names of what roots have are asked for. They are written while it is stopped once
 *      more, for no time (root_names.c). */
#include "references.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "agent.h"
#include "graph.h"
#include "observers.h"
#include "own_thread.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while a graph is written */
static bool ended;                                       /* no more are */
static pthread_cond_t ending = PTHREAD_COND_INITIALIZER; /* that is so */
static bool on;
static new_heap_class *new_class;

/* Nothing is kept from the one before, but for why there are no more. */
static void begin_graph(void) {
    graph = (struct graph){.search = {new_class, heap_classes}, .last_class = heap_classes, .why = graph.why};
}

static void write_graph(JNIEnv *env, void (*first)(void)) {
    jthread *virtuals;
    if (!begin_frame(env)) return;
    begin_graph();
    jint virtual_count = find_virtual_threads(&virtuals);
    bool written = write_roots(first);
    if (written) write_root_names(env);
    for (jint i = 0; i < virtual_count; i++) (*env)->DeleteLocalRef(env, virtuals[i]);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)virtuals);
    end_frame(env);
    give_room_back();
    if (graph.gave_up)
        send_loss("references", 1, "the recorder did not take them in time; run with a longer --answer-within");
    else if (!written && !graph.why)
        graph.why = heap_changed;
    if (graph.why) send_loss("references", 1, graph.why);
}

void write_last_graph(void (*first)(void)) {
    JNIEnv *env = NULL;
    pthread_mutex_lock(&lock);
    ended = true;
    pthread_cond_broadcast(&ending);
    if (on && !graph.why && (*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK)
        write_graph(env, first);
    pthread_mutex_unlock(&lock);
}

/* With the lock. Waits until the next graph is due, or none is any more: the VM waits for threads that are in native
 * code when it exits. */
static void wait_for_next(void) {
    const struct timespec end = timespec_of(now() + (moment)references_every);
    while (!ended && pthread_cond_timedwait(&ending, &lock, &end) != ETIMEDOUT) continue;
}

static void JNICALL write_graphs(jvmtiEnv *jvmti, JNIEnv *env, void *unused) {
    bool goes_on = true;
    (void)jvmti, (void)unused;
    while (goes_on) {
        pthread_mutex_lock(&lock);
        wait_for_next();
        goes_on = !ended && !graph.why && agent.engaged;
        if (goes_on) write_graph(env, NULL);
        pthread_mutex_unlock(&lock);
    }
}

bool find_graph(JNIEnv *env, new_heap_class *is_new) {
    if (!wants_event(ABI_EVENT_HEAP_GRAPH)) return false;
    graph.why = find_references();
    if (graph.why) send_loss("references", 1, graph.why);
    on = !graph.why;
    new_class = is_new;
    if (on && references_every && make_condition(&ending)) start_agent_thread(env, "mallard references", write_graphs);
    return on;
}
