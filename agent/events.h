/* Event rings: how the agent says what it learns while the world is stopped. A ring is shared memory with one
 * producer, here, and one reader, the recorder (internal/transport/events). A record is a kind and up to `largest`
 * bytes, which the producer writes in place:
 *
 *     struct pause *p = event_begin(ring, EVENT_PAUSE, sizeof *p);
 *     if (p) {
 *         p->nanoseconds = event_now();
 *         event_end(ring, sizeof *p);
 *     }
 *     event_commit(ring);
 *
 * event_begin gives NULL where the record has to be left out. That is counted, by kind, and needs nothing more of the
 * caller. Records that have ended become readable together, at the next event_commit, or before one that is left out.
 * A JVM that is killed leaves those that were committed, whole, and nothing of the others.
 *
 * All but event_map may be called in any JVMTI callback, those of garbage collection included, and by threads that the
 * JVM does not know: nothing here takes a lock, waits, allocates or calls the JVM. A commit that finds a quarter of the
 * ring unread makes one system call that does not block (FUTEX_WAKE), if the reader sleeps. The first record that is
 * left out, and the first that is not any more, read the clock.
 *
 * A ring has one producer at a time. One thread may follow another where the program orders them: by a lock, a join, or
 * one safepoint after the other. */
#ifndef MALLARD_EVENTS_H
#define MALLARD_EVENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "abi.h"

/* Shared by a producer and the reader. Each word has one writer. */
struct event_control {
    _Atomic uint64_t committed;
    _Alignas(64) _Atomic uint64_t read; /* the reader's */
    _Alignas(64) _Atomic uint64_t losing_since; /* nanoseconds; 0: nothing is being left out */
    _Atomic uint32_t level;
    _Atomic uint64_t lost[ABI_EVENT_KINDS]; /* records since the start */
};

/* A producer's own view of its ring. One that is all zero is no ring: every record is left out, and nobody counts. */
struct event_ring {
    _Alignas(64) unsigned char *data; /* NULL without a ring */
    struct event_control *control;
    _Atomic uint32_t *asleep; /* whether the reader of all rings is */
    uint64_t size;            /* of data, a power of two */
    uint64_t largest;         /* bytes of a record */
    uint64_t wake_at;         /* bytes unread at which the reader is woken */
    uint64_t full_at;         /* bytes unread at the start of a collection at which less is recorded from there on */
    uint64_t written;         /* bytes of records that have ended, padding included, since the start */
    uint64_t committed;       /* of those, what the reader may read */
    uint64_t read;            /* what the reader had read when it was last looked at */
    uint32_t kind;            /* of the record that has begun */
    uint32_t levels;          /* that the observer has */
    uint32_t level;           /* 0: everything is recorded */
    uint32_t calm;            /* collections in a row that found little unread */
    uint32_t calm_turns;      /* of those, as many as raise the level again */
    bool losing;              /* records are being left out, until the ring is half empty */
    uint32_t level_then;      /* when that began */
    bool lost;                /* records have been left out since the level was last chosen */
    uint64_t reported[ABI_EVENT_KINDS]; /* records that were left out, as far as the ring says so */
};

/* Maps the memory behind fd and gives the rings that it has, at most `most`; 0 if it is no such memory. The mapping
 * stays, and fd is the caller's. */
uint32_t event_map(int fd, struct event_ring *rings, uint32_t most);

/* What is to be recorded from here on: 0 is everything, higher levels are less, as their observer states them. To be
 * called at the start of a collection, for the n rings of one observer, by one thread while no other uses them. */
uint32_t event_level(struct event_ring *rings, uint32_t n);

/* The recorder's clock (CLOCK_MONOTONIC), nanoseconds. */
uint64_t event_now(void);

/* For the functions below. */
void *event_begin_slowly(struct event_ring *r, uint32_t kind, uint32_t capacity);
void event_wake(struct event_ring *r);

/* The header of a record, at a multiple of 8: its size, its kind, and a stamp that depends on where it is, so that what
 * an earlier round left in the ring is not taken for a record. */
static inline uint64_t event_header(uint64_t position, uint32_t kind, uint32_t size) {
    return size | (uint64_t)kind << 32 | (position * ABI_EVENT_STAMP) >> 48 << 48;
}

static inline uint64_t event_bytes(uint32_t size) { return ABI_EVENT_HEADER + ((uint64_t)size + 7) / 8 * 8; }

/* Begins a record of at most `capacity` bytes and gives the place for them, aligned to 8; NULL if it is left out. A
 * record that does not end never was. */
static inline void *event_begin(struct event_ring *r, uint32_t kind, uint32_t capacity) {
    uint64_t at = r->written & (r->size - 1), need = event_bytes(capacity);
    if (capacity > r->largest || r->losing || at + need > r->size || r->written + need - r->read > r->size)
        return event_begin_slowly(r, kind, capacity);
    r->kind = kind;
    return r->data + at + ABI_EVENT_HEADER;
}

/* Ends the record that has begun, of which the first `size` bytes are written. */
static inline void event_end(struct event_ring *r, uint32_t size) {
    uint64_t header = event_header(r->written, r->kind, size);
    memcpy(r->data + (r->written & (r->size - 1)), &header, sizeof header);
    r->written += event_bytes(size);
}

/* Lets the reader have all records that have ended. */
static inline void event_commit(struct event_ring *r) {
    if (r->written == r->committed) return;
    r->committed = r->written;
    atomic_store_explicit(&r->control->committed, r->written, memory_order_release);
    if (r->written - r->read >= r->wake_at) event_wake(r);
}

/* Commits, and waits until a record of at most `capacity` bytes has room; false if the reader has read nothing for
 * `most` nanoseconds. Adds what it has waited to *waited. Not for callbacks that others wait for. */
bool event_wait(struct event_ring *r, uint32_t capacity, uint64_t most, uint64_t *waited);

/* A record that is there already; false if it is left out. */
static inline bool event_put(struct event_ring *r, uint32_t kind, const void *record, uint32_t size) {
    void *to = event_begin(r, kind, size);
    if (!to) return false;
    memcpy(to, record, size);
    event_end(r, size);
    return true;
}

#endif
