/* The spaces of the heap, and what is new in them: what was not there yet when they were looked at last. Read while the
 * world is stopped, from the thread that stops it. Only hotspot*.c and heap.c include this. */
#ifndef MALLARD_HOTSPOT_SPACES_H
#define MALLARD_HOTSPOT_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

/* Objects one behind the other. */
struct heap_range {
    uintptr_t from, to;
    uint32_t space, origin, region; /* as package abi has them */
};

/* The end of a thread's allocation buffer, which has no objects yet. */
struct heap_gap {
    uintptr_t from, to;
};

/* What there is to be read at the beginning of a pause. The lists are this file's, until the next time. */
struct heap_news {
    const struct heap_range *ranges;
    size_t range_count;
    const struct heap_gap *gaps; /* by address */
    size_t gap_count;
    uint64_t used[ABI_HEAP_SPACES]; /* bytes, by space */
    bool unseen;                    /* a collection came that the JVM has not announced: all is listed */
};

/* VMInit. NULL, or why spaces cannot be read, with what to change. */
const char *find_spaces(void);

/* At the start of a pause, and at the end of the JVM. */
void look_at_spaces(struct heap_news *news);

/* At the end of a pause: what it has collected (ABI_HEAP_NOTHING, ...). */
uint32_t look_at_collection(void);
/* Of G1's regions that were old or humongous, those that are free now, from *region on: at most n of them. Moves
 * *region to where to go on. */
size_t freed_regions(uint32_t *region, uint64_t *to, size_t n);

/* From the first object of the heap to behind the last one. */
struct heap_bounds {
    uintptr_t from, to;
};
struct heap_bounds heap_bounds(void);

#endif
