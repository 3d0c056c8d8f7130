/* The observers that stand by themselves, and the rings that they write to. */
#include "observers.h"

#include <sys/mman.h>

#include "agent.h"
#include "collections.h"

static const struct observer *const observers[] = {
    &collections_observer,
    NULL,
};

struct event_ring safepoint_ring;

static uint64_t wanted; /* kinds of events, a bit each */
static uint64_t clock_at_start;

uint64_t recorded_time(void) { return event_now() - clock_at_start; }

int make_event_memory(void) { return memfd_create("mallard-events", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

void open_events(int fd, const struct hello_answer *hello) {
    clock_at_start = hello->clock;
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

void add_observers_capabilities(jvmtiCapabilities *c) {
    const struct observer *o;
    for (size_t at = 0; (o = next(&at));) o->capabilities(c);
}

void add_observers_callbacks(jvmtiEventCallbacks *on) {
    const struct observer *o;
    for (size_t at = 0; (o = next(&at));) o->callbacks(on);
}

void start_observers(JNIEnv *env) {
    const struct observer *o;
    for (size_t at = 0; (o = next(&at));) o->start(env);
}

void stop_observers(void) {
    const struct observer *o;
    for (size_t at = 0; (o = next(&at));) o->stop();
}
