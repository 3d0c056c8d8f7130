/* The observers that stand by themselves, and the rings that they write to. */
#include "observers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "agent.h"
#include "collections.h"
#include "early.h"
#include "heap.h"
#include "watch.h"

static const struct observer *const observers[] = {
    &collections_observer,
    &heap_observer,
    NULL,
};

struct event_ring safepoint_ring;
struct replica_options replica_options;
uint64_t references_every;

static uint64_t wanted; /* kinds of events, a bit each */
static uint64_t clock_at_start;

uint64_t recorded_time(void) { return event_now() - clock_at_start; }

bool wants_event(uint32_t kind) { return wanted >> kind & 1; }

int make_event_memory(void) {
    return beyond_streams(memfd_create("mallard-events", MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

/* Patterns stay as long as the agent; without memory for them all classes are hashed. */
static void choose_classes(struct bytes patterns) {
    char *text = patterns.size ? malloc(patterns.size) : NULL;
    if (!text) return;
    memcpy(text, patterns.data, patterns.size);
    replica_options.classes = text;
    replica_options.classes_length = patterns.size;
}

void open_events(int fd, const struct hello_answer *hello) {
    clock_at_start = hello->clock;
    replica_options = (struct replica_options){.pause = hello->replica_pause, .depth = hello->replica_depth,
        .sampled = hello->replica_sampled, .values = hello->replica_values};
    choose_classes(hello->replica_classes);
    references_every = hello->references_every;
    if (hello->events && event_map(fd, &safepoint_ring, 1) == 1) wanted = hello->events;
}

/* The observer at *at or behind it that is wanted; NULL where none is left. */
static const struct observer *next(size_t *at) {
    const struct observer *o;
    while ((o = observers[*at])) {
        ++*at;
        if (o->events & wanted) return o;
    }
    return NULL;
}

/* Whether any observer is wanted. */
static bool observes(void) {
    size_t at = 0;
    return next(&at) != NULL;
}

void add_observers_capabilities(jvmtiCapabilities *c) {
    if (observes()) c->can_generate_garbage_collection_events = 1;
    want_watching(c);
}

static void JNICALL on_stopped(jvmtiEnv *jvmti) {
    const struct observer *o;
    (void)jvmti;
    hold_early(); /* nobody may be reading what is about to be moved, or writing to the ring */
    if (!agent.engaged) return;
    event_level(&safepoint_ring, 1);
    for (size_t at = 0; (o = next(&at));) o->stopped();
}

static void JNICALL on_resuming(jvmtiEnv *jvmti) {
    const struct observer *o;
    (void)jvmti;
    if (!agent.engaged) return;
    for (size_t at = 0; (o = next(&at));) o->resuming();
}

void add_observers_callbacks(jvmtiEventCallbacks *on) {
    add_watching_callbacks(on);
    if (!observes()) return;
    on->GarbageCollectionStart = on_stopped;
    on->GarbageCollectionFinish = on_resuming;
}

static bool notify(jvmtiEventMode mode, jvmtiEvent event) {
    return (*agent.jvmti)->SetEventNotificationMode(agent.jvmti, mode, event, NULL) == JVMTI_ERROR_NONE;
}

/* A collection may come in between. Its end may be told without its beginning, but not the other way round: what
 * follows would be taken for a part of it. */
static bool notify_of_collections(void) {
    return notify(JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH) &&
           notify(JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START);
}

void start_observers(JNIEnv *env) {
    const struct observer *o;
    for (size_t at = 0; (o = next(&at));) o->start(env);
    start_watching(env);
    if (observes() && !notify_of_collections()) send_loss("jvm", 1, "this JVM does not say when it collects");
}

void stop_observers(void) {
    const struct observer *o;
    for (size_t at = 0; (o = next(&at));)
        if (o->stop) o->stop();
    stop_watching();
    if (!observes()) return; /* where what follows fails, nobody reads what comes */
    notify(JVMTI_DISABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START);
    notify(JVMTI_DISABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}
