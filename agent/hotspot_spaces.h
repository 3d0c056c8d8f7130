/* The spaces of the heap, and what is new in them: what was not there yet when they were looked at last. Read while the
 * world is stopped, from the thread that stops it, but for what early.c asks for. Only hotspot*.c, heap.c and early*.h
 * include this. */
#ifndef MALLARD_HOTSPOT_SPACES_H
#define MALLARD_HOTSPOT_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "hotspot_buffers.h"

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
    const struct heap_gap *gaps; /* by address */
    const struct heap_gap *filled; /* whole objects: what is in front of each gap in its buffer */
    size_t gap_count;
    bool too_many_gaps; /* not all are in the list: it cannot be told where objects are */
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

/* VMInit, behind find_spaces: whether eden can be read while the world runs. */
bool can_read_early(void);

/* Whether objects may be moved, and memory be given back, when nobody has said that a pause begins: until JDK 25 Serial
 * and Parallel do not announce collections for a histogram or a heap dump. Then nothing may be read but what cannot be
 * gone, and what has been read counts if nothing_collected since: this changes before the collection moves anything. */
bool may_be_moved_unannounced(void);
bool nothing_collected(void);

/* In what follows a part is a region of G1's, or another collector's space. While the world runs: notes where those of
 * eden end now, and gives how many bytes have come since tops that were kept. The world has run before this was called,
 * and behind that world_stops() was `stops`; -1: nobody knows. */
uint64_t note_tops(int64_t stops);

/* How many bytes come to eden behind the tops that were noted until there are as many as when the last collection
 * began; UINT64_MAX: there are more. */
uint64_t eden_left(void);

/* Whether the world did not stop between tops that were kept and those that were noted. Else some of what has come may
 * have been handed out then, for a thread that does not have it yet (VM_G1CollectForAllocation). */
bool nothing_stopped(void);

/* While the world runs, and no pause can begin. Of the first part from *part on, which that is moved to: what has come
 * to it between the tops that were kept and those that were noted; false: there is none. */
bool next_change(uint32_t *part, struct heap_gap *to);

/* Keeps the tops that were noted. */
void keep_tops(void);

/* What of a part can be read early, up to the tops that were kept. */
bool next_early(uint32_t *part, struct heap_gap *to);

/* Of the first part from *part on, which that is moved to: what the last collection has moved there, and was not read
 * yet; false: there is none. */
bool next_moved(uint32_t *part, struct heap_range *to);

/* A part was read up to there. */
void read_early(uint32_t part, uintptr_t to);

/* Objects from end to end were read and counted: while the world is stopped, in any thread; and early, in one. */
void note_read(uintptr_t from, uintptr_t to);
void note_read_early(uintptr_t from, uintptr_t to);

/* What was read of the heap by now, held against what the VM says there is. */
struct heap_compared {
    uint64_t regions;       /* of G1's, those that are not free, or spaces */
    uint64_t other_regions; /* of these, where it is not each byte, once */
    uint64_t other_bytes;   /* by how many bytes these differ */
    uint64_t buffers, other_buffers; /* those that have objects; of these, the same */
};

/* While the world is stopped, when what is new has been read. What differs does so once. */
void compare_spaces(struct heap_compared *to);

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
