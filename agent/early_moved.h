/* Reading what a collection has moved while the world runs behind it, so that the next pause need not (decision
 * 0164). */
#ifndef MALLARD_EARLY_MOVED_H
#define MALLARD_EARLY_MOVED_H

#include "early.h"
#include "tally.h"

/* Objects of a class in an old region. */
struct moved_row {
    uint32_t region, class;
    struct sum sum;
};

/* An object that nothing could be written to: it is read in the pause. */
struct moved_object {
    uintptr_t at, to;
    uint32_t space, region;
};

/* What was read. */
struct early_moved {
    struct tally *survivors;      /* by age */
    const struct moved_row *rows; /* those of a region follow each other */
    size_t row_count;
    const struct moved_object *held;
    size_t held_count;
    uint64_t objects; /* without those */
};

/* VMInit. False: there is no memory. */
bool make_early_moved(new_heap_class *is_new);

/* While no pause can begin: reads for a while, but no longer than until one is about to. Gives whether it should go on
 * soon. */
bool read_early_moved(void);

/* While the world is stopped: what was read; NULL: something was no object. */
const struct early_moved *early_moved(void);

/* The same: whether survivors that were read need to be written to where tags may get lost. */
bool moved_needs_write(void);

/* While the world is stopped: what was read was taken. What is read next may have lost its tags, where a full
 * collection has moved it. */
void clear_early_moved(bool moved_all);

#endif
