/* Event rings: mapping them, what happens when one is full, and waking the reader (events.h;
 * internal/transport/events has the layout). */
#include "events.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* What the reader lays down at the start of the memory. */
struct event_memory {
    uint32_t magic, version, rings, unused;
    _Alignas(64) _Atomic uint32_t asleep; /* the reader sleeps and wants to be woken */
    _Alignas(64) struct event_descriptor {
        uint64_t offset; /* of the ring's control block, behind which its data are */
        uint32_t size;
        uint32_t largest, wake_at, full_at, levels, calm_turns;
    } ring[ABI_EVENT_RINGS];
};

_Static_assert(offsetof(struct event_memory, asleep) == ABI_EVENT_ASLEEP, "the layout is the reader's");
_Static_assert(offsetof(struct event_memory, ring) == ABI_EVENT_DESCRIPTORS, "the layout is the reader's");
_Static_assert(sizeof(struct event_descriptor) == ABI_EVENT_DESCRIPTOR, "the layout is the reader's");
_Static_assert(sizeof(struct event_memory) <= ABI_EVENT_CONTROL, "the layout is the reader's");
_Static_assert(offsetof(struct event_control, committed) == ABI_EVENT_COMMITTED, "the layout is the reader's");
_Static_assert(offsetof(struct event_control, read) == ABI_EVENT_READ, "the layout is the reader's");
_Static_assert(offsetof(struct event_control, losing_since) == ABI_EVENT_LOSING, "the layout is the reader's");
_Static_assert(offsetof(struct event_control, level) == ABI_EVENT_LEVEL, "the layout is the reader's");
_Static_assert(offsetof(struct event_control, lost) == ABI_EVENT_LOST, "the layout is the reader's");
_Static_assert(sizeof(struct event_control) <= ABI_EVENT_CONTROL, "the layout is the reader's");

uint32_t event_map(int fd, struct event_ring *rings, uint32_t most) {
    struct stat file;
    if (fstat(fd, &file) != 0 || file.st_size < ABI_EVENT_CONTROL) return 0;
    unsigned char *p = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED) return 0;
    madvise(p, (size_t)file.st_size, MADV_DONTDUMP);
    madvise(p, (size_t)file.st_size, MADV_DONTFORK);
    struct event_memory *m = (struct event_memory *)(void *)p;
    if (m->magic != ABI_EVENT_MAGIC || m->version != ABI_EVENT_VERSION || m->rings > ABI_EVENT_RINGS) {
        munmap(p, (size_t)file.st_size);
        return 0;
    }
    uint32_t n = m->rings < most ? m->rings : most;
    for (uint32_t i = 0; i < n; i++) {
        const struct event_descriptor *d = &m->ring[i];
        rings[i] = (struct event_ring){.data = p + d->offset + ABI_EVENT_CONTROL,
                                       .control = (struct event_control *)(void *)(p + d->offset),
                                       .asleep = &m->asleep,
                                       .size = d->size,
                                       .largest = d->largest,
                                       .wake_at = d->wake_at,
                                       .full_at = d->full_at,
                                       .levels = d->levels,
                                       .calm_turns = d->calm_turns};
    }
    return n;
}

uint64_t event_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static uint64_t unread(struct event_ring *r) {
    r->read = atomic_load_explicit(&r->control->read, memory_order_acquire);
    return r->written - r->read;
}

void event_wake(struct event_ring *r) {
    if (unread(r) < r->wake_at) return;
    /* Exchanged whatever it is: either the reader sees what was committed before it sleeps, or it is seen here. */
    if (atomic_exchange(r->asleep, 0)) syscall(SYS_futex, r->asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Gives the place of a record for which there is room, behind padding if it does not fit before the data's end; NULL
 * without room. */
static void *begin(struct event_ring *r, uint32_t kind, uint32_t capacity) {
    uint64_t rest = r->size - (r->written & (r->size - 1)), need = event_bytes(capacity);
    uint64_t padding = rest < need ? rest : 0;
    if (unread(r) + padding + need > r->size) return NULL;
    if (padding) {
        r->kind = ABI_EVENT_PADDING;
        event_end(r, (uint32_t)(padding - ABI_EVENT_HEADER));
    }
    r->kind = kind;
    return r->data + (r->written & (r->size - 1)) + ABI_EVENT_HEADER;
}

bool event_wait(struct event_ring *r, uint32_t capacity, uint64_t most, uint64_t *waited) {
    const struct timespec slice = {.tv_nsec = 200000};
    uint64_t need = 2 * event_bytes(capacity), start, since; /* padding may be in front */
    if (!r->data || need > r->size) return false;
    event_commit(r);
    if (r->written + need - r->read <= r->size) return true;
    for (start = since = event_now(); unread(r) + need > r->size && event_now() - since < most;) {
        uint64_t before = r->read;
        event_wake(r);
        nanosleep(&slice, NULL);
        if (unread(r), r->read != before) since = event_now();
    }
    *waited += event_now() - start;
    return unread(r) + need <= r->size;
}

/* A record of what has been left out, by kind, from when to when, and of the level before and now. */
struct loss {
    uint64_t from, to;
    uint32_t level_then, level;
    struct {
        uint64_t kind, records;
    } lost[ABI_EVENT_KINDS];
};

static bool report(struct event_ring *r, uint64_t from, uint64_t to, uint32_t level_then) {
    struct loss *l = begin(r, ABI_EVENT_LOSS, sizeof *l);
    if (!l) return false;
    uint32_t n = 0;
    l->from = from;
    l->to = to;
    l->level_then = level_then;
    l->level = r->level;
    for (uint32_t kind = 0; kind < ABI_EVENT_KINDS; kind++) {
        uint64_t now = atomic_load_explicit(&r->control->lost[kind], memory_order_relaxed);
        if (now == r->reported[kind]) continue;
        l->lost[n].kind = kind;
        l->lost[n++].records = now - r->reported[kind];
        r->reported[kind] = now;
    }
    event_end(r, (uint32_t)(offsetof(struct loss, lost) + n * sizeof l->lost[0]));
    return true;
}

/* What was not left out before is committed first: where a killed JVM leaves counts of what is lost, they are of what
 * comes behind the last record. */
static void start_losing(struct event_ring *r, uint64_t now, uint32_t level_then) {
    event_commit(r);
    r->losing = true;
    r->level_then = level_then;
    atomic_store_explicit(&r->control->losing_since, now, memory_order_relaxed);
}

static void lose(struct event_ring *r, uint32_t kind) {
    _Atomic uint64_t *lost = &r->control->lost[kind % ABI_EVENT_KINDS];
    if (!r->losing) start_losing(r, event_now(), r->level);
    r->lost = true;
    atomic_store_explicit(lost, atomic_load_explicit(lost, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* Losses end when half of the ring is free, so that they come in bursts rather than one by one. The record of them is
 * committed before it is forgotten since when they are, which a reader wants to know when the JVM is killed here. */
static void stop_losing(struct event_ring *r) {
    uint64_t since = atomic_load_explicit(&r->control->losing_since, memory_order_relaxed);
    r->losing = !report(r, since, event_now(), r->level_then);
    if (r->losing) return;
    event_commit(r);
    atomic_store_explicit(&r->control->losing_since, 0, memory_order_relaxed);
}

void *event_begin_slowly(struct event_ring *r, uint32_t kind, uint32_t capacity) {
    if (!r->data) return NULL;
    if (r->losing && unread(r) <= r->size / 2) stop_losing(r);
    void *record = r->losing || capacity > r->largest ? NULL : begin(r, kind, capacity);
    if (!record) lose(r, kind);
    return record;
}

/* The level of n rings is kept in the first. */
static void change_level(struct event_ring *first, uint32_t level) {
    uint32_t then = first->level;
    uint64_t now = event_now();
    first->calm = 0;
    if (level == then) return;
    first->level = level;
    atomic_store_explicit(&first->control->level, level, memory_order_relaxed);
    if (first->losing) return; /* the record of that has both levels */
    if (!report(first, now, now, then)) start_losing(first, now, then);
    event_commit(first);
}

uint32_t event_level(struct event_ring *rings, uint32_t n) {
    struct event_ring *first = &rings[0];
    bool full = false, calm = true;
    if (n == 0 || !first->data) return 0;
    for (uint32_t i = 0; i < n; i++) {
        struct event_ring *r = &rings[i];
        uint64_t waiting = unread(r);
        full |= r->lost || waiting >= r->full_at;
        calm &= waiting < r->wake_at;
        r->lost = false;
        if (r->losing && waiting <= r->size / 2) stop_losing(r);
        event_commit(r);
    }
    if (full) {
        change_level(first, first->level + 1 < first->levels ? first->level + 1 : first->level);
    } else if (!calm) {
        first->calm = 0;
    } else if (++first->calm >= first->calm_turns) {
        change_level(first, first->level > 0 ? first->level - 1 : 0);
    }
    return first->level;
}
