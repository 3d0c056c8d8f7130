/* Produces events for the tests and measurements of the reader, into the memory behind descriptor 3. */
#include "events.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct event_ring rings[ABI_EVENT_RINGS];
static uint64_t produced[ABI_EVENT_KINDS];

static uint64_t scramble(uint64_t x) { /* splitmix64 */
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Record number n of a ring: its kind, size and contents follow from n; the first 8 bytes are n, the others are
 * scrambled. */
static uint32_t kind_of(uint64_t n) { return ABI_EVENT_FIRST + scramble(n) % (ABI_EVENT_KINDS - ABI_EVENT_FIRST); }
static uint32_t size_of(uint64_t n, uint32_t most) { return 8 + (uint32_t)(scramble(~n) % (most - 7)); }

static void fill(unsigned char *to, uint64_t n, uint32_t size) {
    memcpy(to, &n, 8);
    for (uint32_t i = 8; i < size; i += 8) {
        uint64_t v = scramble(n * 65536 + i);
        memcpy(to + i, &v, size - i < 8 ? size - i : 8);
    }
}

static void wait_for_room(struct event_ring *r, uint32_t size) {
    uint64_t need = 2 * event_bytes(size); /* with padding */
    while (r->written + need - atomic_load_explicit(&r->control->read, memory_order_acquire) > r->size) sched_yield();
}

enum manner { LOSSLESS, LOSSY, UNCOMMITTED };

/* Writes so many records of at most `most` bytes. */
static void produce(struct event_ring *r, uint64_t records, uint32_t most, enum manner manner) {
    for (uint64_t n = 0; n < records; n++) {
        uint32_t kind = kind_of(n), size = size_of(n, most);
        if (manner == LOSSLESS) wait_for_room(r, most);
        unsigned char *p = event_begin(r, kind, size);
        produced[kind]++;
        if (p) {
            fill(p, n, size);
            event_end(r, size);
        }
        if (manner == LOSSLESS || (manner == LOSSY && scramble(n) % 4 == 0)) event_commit(r);
    }
    if (manner != UNCOMMITTED) event_commit(r);
}

static void print_produced(void) {
    for (uint32_t kind = 0; kind < ABI_EVENT_KINDS; kind++)
        printf("%u %llu\n", kind, (unsigned long long)produced[kind]);
    fflush(stdout);
}

/* The reader in C, for the thread sanitizer. */
static void *consume(void *p) {
    struct event_ring *r = p;
    uint64_t at = 0, n = 0, end = 50000;
    while (n < end) {
        uint64_t committed = atomic_load_explicit(&r->control->committed, memory_order_acquire);
        if (at == committed) sched_yield();
        while (at < committed) {
            uint64_t header;
            unsigned char *record = r->data + (at & (r->size - 1));
            memcpy(&header, record, 8);
            if (header != event_header(at, header >> 32 & 0xffff, (uint32_t)header)) abort();
            if ((header >> 32 & 0xffff) != ABI_EVENT_PADDING) {
                static _Thread_local unsigned char want[65536];
                fill(want, n, (uint32_t)header);
                if (memcmp(want, record + 8, (uint32_t)header) != 0 || (uint32_t)header != size_of(n, 500)) abort();
                n++;
            }
            at += event_bytes((uint32_t)header);
        }
        atomic_store_explicit(&r->control->read, at, memory_order_release);
    }
    return NULL;
}

static void *produce_thread(void *p) {
    struct event_ring *r = p;
    for (uint64_t n = 0; n < 50000; n++) {
        wait_for_room(r, 500);
        fill(event_begin(r, ABI_EVENT_FIRST, 500), n, size_of(n, 500));
        event_end(r, size_of(n, 500));
        if (n % 16 == 15) event_commit(r);
    }
    return NULL;
}

int main(int argc, char **argv) {
    uint32_t n = event_map(3, rings, ABI_EVENT_RINGS);
    const char *mode = argc > 1 ? argv[1] : "";
    uint64_t records = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    uint32_t most = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    if (n == 0) return 2;
    if (strcmp(mode, "lossless") == 0) {
        produce(&rings[0], records, most, LOSSLESS);
    } else if (strcmp(mode, "lossy") == 0) {
        produce(&rings[0], records, most, LOSSY);
    } else if (strcmp(mode, "uncommitted") == 0) {
        produce(&rings[0], records, most, UNCOMMITTED);
    } else if (strcmp(mode, "forever") == 0) {
        produce(&rings[0], UINT64_MAX, most, records ? LOSSLESS : LOSSY);
    } else if (strcmp(mode, "levels") == 0) { /* each line of the input: a collection with so many records */
        for (char line[32]; fgets(line, sizeof line, stdin);) {
            uint32_t level = event_level(rings, n);
            static uint64_t next;
            for (uint64_t end = next + strtoull(line, NULL, 10); next < end; next++)
                event_put(&rings[next % n], ABI_EVENT_FIRST, &next, sizeof next);
            for (uint32_t i = 0; i < n; i++) event_commit(&rings[i]);
            printf("%u\n", level);
            fflush(stdout);
        }
        return 0;
    } else if (strcmp(mode, "threads") == 0) {
        pthread_t threads[2 * ABI_EVENT_RINGS];
        for (uint32_t i = 0; i < n; i++) {
            pthread_create(&threads[2 * i], NULL, produce_thread, &rings[i]);
            pthread_create(&threads[2 * i + 1], NULL, consume, &rings[i]);
        }
        for (uint32_t i = 0; i < 2 * n; i++) pthread_join(threads[i], NULL);
        return 0;
    } else {
        return 2;
    }
    print_produced();
    return 0;
}
