/* When the JVM stops all threads, by its performance counters (runtimeService.cpp): how often it has begun to, how long
 * that took in all, which grows when the world has stopped, before anything is done then, and how long the world was
 * stopped in all, which grows when that is over. All three are of the thread that stops the world, in this order. */
#include "hotspot_stops.h"

#include <stdatomic.h>
#include <stddef.h>

#include "hotspot.h"

static const int64_t *begun, *sync_time, *stop_time; /* NULL: not known */

/* A stop, by how many had begun, and how long those before it were. */
static struct {
    _Atomic int64_t number, time;
} stop;

bool find_stops(void) {
    begun = performance_counter("sun.rt.safepoints");
    sync_time = performance_counter("sun.rt.safepointSyncTime");
    stop_time = performance_counter("sun.rt.safepointTime");
    return begun && sync_time && stop_time;
}

static int64_t read_counter(const int64_t *c) { return __atomic_load_n(c, __ATOMIC_SEQ_CST); }

int64_t world_stops(void) { return sync_time ? read_counter(sync_time) : -1; }

void world_is_stopped(void) {
    if (!begun || !stop_time) return;
    stop.time = read_counter(stop_time);
    stop.number = read_counter(begun);
}

/* The latest stop that has begun is over if the time has grown since, or since the one before it was over. */
bool world_runs(void) {
    static int64_t last, time; /* the latest stop before, and the time, then */
    static bool over;          /* it was */
    int64_t now = read_counter(begun), grown = read_counter(stop_time), before = stop.time;
    if (read_counter(begun) != now) return false;
    if (stop.number == now)
        over = grown != before;
    else if (now == last)
        over |= grown != time;
    else
        over = over && now == last + 1 && grown != time;
    last = now;
    time = grown;
    return over;
}
