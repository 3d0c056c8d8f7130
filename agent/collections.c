/* Collections: JVMTI says when the world has stopped for one and when it is about to run again; what it was, HotSpot's
 * performance counters and its heap say. */
#include "collections.h"

#include <stdio.h>
#include <string.h>

#include "agent.h"
#include "hotspot.h"

enum { SPACES = 6, GENERATIONS = 2, PARTS = ABI_COLLECTION_COLLECTOR_WORDS };

/* Counters that the JVM has, found once; NULL: it has no such one. */
static struct {
    const int64_t *collectors[ABI_COLLECTION_COLLECTORS][PARTS], *spaces[SPACES], *promoted, *survived;
    const char *cause, *last_cause;
} counters;

/* What there was when the world had stopped. */
static struct {
    bool stopped;
    uint32_t words; /* of its event */
    uint64_t start, begun, before, old;
    int64_t collectors[ABI_COLLECTION_COLLECTORS][PARTS];
} then;

enum { INVOCATIONS, TIME, ENTRY, EXIT };
static const char *const parts[PARTS] = {
    [INVOCATIONS] = "invocations", [TIME] = "time", [ENTRY] = "lastEntryTime", [EXIT] = "lastExitTime"};

static void find_counters(void) {
    char name[64];
    for (unsigned c = 0; c < ABI_COLLECTION_COLLECTORS; c++)
        for (unsigned p = 0; p < PARTS; p++) {
            snprintf(name, sizeof name, "sun.gc.collector.%u.%s", c, parts[p]);
            counters.collectors[c][p] = performance_counter(name);
        }
    for (unsigned s = 0; s < SPACES; s++) {
        unsigned generation = s * GENERATIONS / SPACES, space = s % (SPACES / GENERATIONS);
        snprintf(name, sizeof name, "sun.gc.generation.%u.space.%u.used", generation, space);
        counters.spaces[s] = performance_counter(name);
    }
    counters.promoted = performance_counter("sun.gc.policy.promoted");
    counters.survived = performance_counter("sun.gc.policy.survived");
    counters.cause = performance_counter("sun.gc.cause");
    counters.last_cause = performance_counter("sun.gc.lastCause");
}

static int64_t value(const int64_t *counter) { return counter ? *counter : 0; }

/* The world is stopped before the clock is read, and after it at the end: the pause is that of the collection. */
static void stopped(void) {
    then.start = recorded_time();
    then.words = safepoint_ring.level ? ABI_COLLECTION_BRIEFLY : ABI_COLLECTION_WORDS;
    then.begun = 0;
    then.before = heap_used();
    then.old = old_generation_used();
    note_old_regions();
    for (unsigned c = 0; c < ABI_COLLECTION_COLLECTORS; c++) {
        for (unsigned p = 0; p < PARTS; p++) then.collectors[c][p] = value(counters.collectors[c][p]);
        then.begun += (uint64_t)then.collectors[c][INVOCATIONS];
    }
    then.stopped = true;
}

static void put_collectors(uint64_t *to) {
    for (unsigned c = 0; c < ABI_COLLECTION_COLLECTORS; c++, to += PARTS) {
        to[INVOCATIONS] = (uint64_t)(value(counters.collectors[c][INVOCATIONS]) - then.collectors[c][INVOCATIONS]);
        to[TIME] = (uint64_t)(value(counters.collectors[c][TIME]) - then.collectors[c][TIME]);
        to[ENTRY] = (uint64_t)value(counters.collectors[c][ENTRY]);
        to[EXIT] = (uint64_t)value(counters.collectors[c][EXIT]);
    }
}

static void put_text(uint64_t *to, const char *text) {
    char *at = (char *)to;
    if (text) memcpy(at, text, strnlen(text, ABI_COLLECTION_CAUSE_WORDS * sizeof *to - 1));
}

static void resuming(void) {
    uint64_t finish = recorded_time(), *event;
    if (!then.stopped) return;
    then.stopped = false;
    event = event_begin(&safepoint_ring, ABI_EVENT_COLLECTION, then.words * sizeof *event);
    if (!event) return;
    memset(event, 0, then.words * sizeof *event);
    event[ABI_COLLECTION_START] = then.start;
    event[ABI_COLLECTION_FINISH] = finish;
    event[ABI_COLLECTION_ID] = collection_id();
    event[ABI_COLLECTION_BEGUN] = then.begun;
    event[ABI_COLLECTION_BEFORE] = then.before;
    event[ABI_COLLECTION_AFTER] = heap_used();
    for (unsigned s = 0; s < SPACES; s++) event[ABI_COLLECTION_COUNTED] += (uint64_t)value(counters.spaces[s]);
    event[ABI_COLLECTION_FREED] = old_regions_freed();
    event[ABI_COLLECTION_PROMOTED] = (uint64_t)value(counters.promoted);
    event[ABI_COLLECTION_SURVIVED] = (uint64_t)value(counters.survived);
    event[ABI_COLLECTION_OLD_BEFORE] = then.old;
    if (then.words == ABI_COLLECTION_WORDS) {
        put_collectors(event + ABI_COLLECTION_COLLECTOR);
        put_text(event + ABI_COLLECTION_CAUSE, counters.cause);
        put_text(event + ABI_COLLECTION_LAST_CAUSE, counters.last_cause);
    }
    event_end(&safepoint_ring, then.words * (uint32_t)sizeof *event);
    event_commit(&safepoint_ring);
}

static void start(JNIEnv *env) {
    (void)env;
    find_counters();
    if (counters_switched_off()) send_loss("gc", 1, "-XX:-UsePerfData: causes and kinds of collections are unknown");
}

const struct observer collections_observer = {
    .events = UINT64_C(1) << ABI_EVENT_COLLECTION,
    .start = start,
    .stopped = stopped,
    .resuming = resuming,
};
