/* What was read of the heap, held against what the VM says there is: each byte of it once, in each part, and in each
 * buffer of a thread's. */
#ifndef MALLARD_HOTSPOT_COMPARED_H
#define MALLARD_HOTSPOT_COMPARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hotspot_buffers.h"

/* Buffers that threads have: what in them has no objects yet, and what is in front of that. */
struct heap_buffers {
    const struct heap_gap *free, *filled; /* by address */
    size_t count;
    bool too_many; /* these are not all */
};

/* VMInit, behind find_parts. False: there is no memory. */
bool make_compared(void);

/* While the world is stopped: looks at all buffers. What was read of one before counts if a thread still has it. */
void look_at_buffers(void);

/* As they were looked at last, unless they were forgotten since, as when they were collected: then there are none. */
struct heap_buffers known_buffers(void);
void forget_buffers(void);

/* Objects from end to end were read and counted: while the world is stopped, in any thread; and early, in one. */
void note_read(uintptr_t from, uintptr_t to);
void note_read_early(uintptr_t from, uintptr_t to);

/* While the world is stopped: what was read early counts, but for holes. Of buffers of which one is the end that was
 * what is in front. */
void count_read_early(const struct heap_gap *holes, size_t n);

struct heap_compared {
    uint64_t regions;       /* of G1's, those that are not free, or spaces */
    uint64_t other_regions; /* of these, where it is not each byte, once */
    uint64_t other_bytes;   /* by how many bytes these differ */
    uint64_t buffers, other_buffers; /* those that have objects; of these, the same */
};

/* While the world is stopped, when what is new has been read. What differs does so once. */
void compare_parts(struct heap_compared *to);

#endif
