/* The spaces of the heap, and what is new in them: what was not there yet when they were looked at last. Read while the
 * world is stopped, from the thread that stops it, but for what early.c asks for. Only hotspot*.c, heap.c and early*.h
 * include this. */
#ifndef MALLARD_HOTSPOT_SPACES_H
#define MALLARD_HOTSPOT_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "hotspot_compared.h"

/* Objects one behind the other. */
struct heap_range {
    uintptr_t from, to;
    uint32_t space, origin, region; /* as package abi has them */
    bool again;                     /* it was read and counted before */
};

/* What there is to be read at the beginning of a pause. The lists are this file's, until the next time. */
struct heap_news {
    const struct heap_range *ranges;
    size_t range_count;
    struct heap_buffers buffers; /* if these are too many it cannot be told where objects are */
    uint64_t used[ABI_HEAP_SPACES]; /* bytes, by space */
    bool born_early, moved_early;   /* what was read early counts */
    bool unseen;                    /* a collection came that the JVM has not announced: all is listed */
};

/* VMInit. NULL, or why spaces cannot be read, with what to change. */
const char *find_spaces(void);

/* What was read while the world ran is no news, but for holes in eden: what was left out below where reading came
 * to. */
struct heap_early {
    bool born, moved;             /* whether it may count */
    bool unkept;                  /* survivors that were read are to be read again: they need to be written to */
    const struct heap_gap *holes; /* by address */
    size_t count;
};

/* At the start of a pause, and at the end of the JVM. With `again` what is known of the young generation is listed,
 * too. */
void look_at_spaces(struct heap_news *news, const struct heap_early *early, bool again);

/* Whether objects may be moved, and memory be given back, when nobody has said that a pause begins: until JDK 25 Serial
 * and Parallel do not announce collections for a histogram or a heap dump. Then nothing may be read but what cannot be
 * gone, and what has been read counts if nothing_collected since: this changes before the collection moves anything. */
bool may_be_moved_unannounced(void);
bool nothing_collected(void);

/* At the end of a pause: what it has collected (ABI_HEAP_NOTHING, ...). */
uint32_t look_at_collection(void);
/* Of G1's regions that were old or humongous, those that are free now, from *region on: at most n of them. Moves
 * *region to where to go on. Old ones that may have been emptied as far as there was room are among them (decision
 * 0161): what is in them is read as if it were new there. */
size_t freed_regions(uint32_t *region, uint64_t *to, size_t n);

/* From the first object of the heap to behind the last one. */
struct heap_bounds {
    uintptr_t from, to;
};
struct heap_bounds heap_bounds(void);

#endif
