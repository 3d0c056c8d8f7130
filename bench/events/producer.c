/* Produces events for go run ./bench events, into the memory behind descriptor 3:
 *
 *     producer stream SIZE BYTES random|heap   writes so much as fast as the reader makes room
 *     producer cost SIZE RECORDS               prints the nanoseconds that a record takes where there is room
 */
#include "events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORDS = 1 << 19 };

static struct event_ring ring;
static uint64_t words[WORDS]; /* what records are copied from */

static uint64_t scramble(uint64_t x) { /* splitmix64 */
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* The words of a heap walk: an object's address, which grows by small sizes, then its class and its site, a few of
 * which are most of them. Or words that nothing compresses. */
static void make_words(int random) {
    uint64_t address = UINT64_C(0xe0000000);
    for (uint64_t i = 0; i < WORDS; i += 2) {
        uint64_t r = scramble(i), few = r >> 32 & 0xffff;
        words[i] = random ? r : (address += 16 + (r & 7) * 8);
        words[i + 1] = random ? scramble(~i) : (few * few >> 24) | (few * few >> 22) << 32;
    }
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL); }

static uint64_t processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static uint64_t unread(void) {
    return ring.written - atomic_load_explicit(&ring.control->read, memory_order_acquire);
}

static inline void put(uint32_t size) {
    static uint64_t at;
    if (at + size > sizeof words) at = 0;
    if (!event_put(&ring, ABI_EVENT_FIRST, (unsigned char *)words + at, size)) exit(3);
    event_commit(&ring);
    at += (size + 7) / 8 * 8;
}

static void stream(uint32_t size, uint64_t bytes) {
    uint64_t need = 2 * event_bytes(size);
    for (uint64_t done = 0; done < bytes; done += size) {
        if (ring.written + need - ring.read > ring.size)
            while (unread() > ring.size / 2) nap();
        put(size);
    }
}

static void cost(uint32_t size, uint64_t records) {
    uint64_t spent = 0, timed = 0, turn = ring.size / 2 / event_bytes(size); /* enough for the reader to be woken */
    for (uint64_t done = 0; done < records || timed == 0; done += turn) {
        while (unread() > 0) nap();
        uint64_t start = processor_time();
        for (uint64_t i = 0; i < turn; i++) put(size);
        if (ring.written < 2 * ring.size) continue; /* memory that is touched for the first time */
        spent += processor_time() - start;
        timed += turn;
    }
    printf("%.2f\n", (double)spent / (double)timed);
}

int main(int argc, char **argv) {
    if (argc < 4 || event_map(3, &ring, 1) != 1) return 2;
    uint32_t size = (uint32_t)strtoul(argv[2], NULL, 10);
    uint64_t n = strtoull(argv[3], NULL, 10);
    make_words(argc > 4 && strcmp(argv[4], "random") == 0);
    if (strcmp(argv[1], "stream") == 0) {
        stream(size, n);
    } else if (strcmp(argv[1], "cost") == 0) {
        cost(size, n);
    } else {
        return 2;
    }
    return 0;
}
