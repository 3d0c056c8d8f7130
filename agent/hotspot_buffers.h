/* Threads' allocation buffers (TLABs). Only hotspot*.c, early.c and heap.c include this. */
#ifndef MALLARD_HOTSPOT_BUFFERS_H
#define MALLARD_HOTSPOT_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the heap that has no objects, or not all of them yet. */
struct heap_gap {
    uintptr_t from, to;
};

/* By address. */
void sort_gaps(struct heap_gap *gaps, size_t n);

/* The first of sorted gaps at or behind an address. */
size_t gap_from(const struct heap_gap *gaps, size_t n, uintptr_t address);

/* While the world is stopped: of at most n buffers what has objects, and the ends that have none yet, by address. */
size_t parts_of_buffers(struct heap_gap *filled, struct heap_gap *free, size_t n);

/* VMInit, or later. False: this JVM's buffers cannot be looked at while it runs, or there is no memory. */
bool find_buffers(void);

/* Buffers in use, by address, and of each what in it is not free. The lists are this file's, until the next time. */
struct buffers {
    const struct heap_gap *list, *filled;
    size_t count;
};

/* While the world runs, one thread at a time: a first look at all threads. Whether one is in Java or in the VM, so that
 * the world is not stopped, or whether one has got on since the look before. */
struct look {
    bool runs, ran;
};
/* False: they cannot be looked at. */
bool look_at_threads(struct look *is);

/* Behind that. Each thread was seen, after this was called, when it was not getting memory: so what it was handed out
 * before is whole objects, but for what is listed. False: it did not come to that. */
bool buffers_in_use(struct buffers *to);

#endif
