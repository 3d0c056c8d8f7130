/* What comes to the heap while the world runs, and can be read early. Only early*.c and hotspot*.c include this. */
#ifndef MALLARD_HOTSPOT_TOPS_H
#define MALLARD_HOTSPOT_TOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot_buffers.h"
#include "hotspot_spaces.h"

/* VMInit, behind find_spaces: whether eden can be read while the world runs. */
bool can_read_early(void);

/* In what follows a part is a region of G1's, or another collector's space. While the world runs: notes where those of
 * eden end now, and gives how many bytes have come since tops that were kept. The world has run before this was called,
 * and behind that world_stops() was `stops`; -1: nobody knows. */
uint64_t note_tops(int64_t stops);

/* How many bytes come to eden behind the tops that were noted, until there is no room. */
uint64_t eden_left(void);

/* Whether some are kept, and the world has run between the last pause and when they were noted. */
bool tops_are_known(void);

/* Whether that is so, and the world did not stop since then until tops were noted, or eden had room all that time. Else
 * some of what has come may have been handed out in a stop, for a thread that had found no room, and does not have it
 * yet (VM_G1CollectForAllocation). */
bool nothing_handed_out(void);

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

/* A pause begins: none of the tops is kept. */
void forget_tops(void);

/* What was read early does not count: of eden, of all else. */
void forget_early(bool eden, bool others);

#endif
