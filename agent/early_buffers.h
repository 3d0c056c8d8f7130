/* Threads' allocation buffers from turn to turn of who reads early: how much of them is whole, and how soon they are
 * full. One thread at a time; only early.c includes this. */
#ifndef MALLARD_EARLY_BUFFERS_H
#define MALLARD_EARLY_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hotspot_buffers.h"

/* VMInit. False: there is no memory. */
bool make_early_buffers(void);

/* Buffers in use, by address, and up to where the objects of each are whole. The lists are this file's, until the next
 * time. */
struct turn_buffers {
    const struct heap_gap *list;
    const uintptr_t *whole;
    size_t count;
};

/* In a turn: what there is now, which is what was there before in the next one. */
struct turn_buffers note_buffers(const struct buffers *in_use);

/* Nanoseconds from the last turn until the first of the buffers is full, if it goes on as it did since the turn before;
 * UINT64_MAX: none has got fuller. */
uint64_t until_full(void);

/* Bytes of the largest. */
uint64_t largest_buffer(void);

/* A pause begins: none was there before. */
void clear_early_buffers(void);

#endif
