/* Single objects: what a walk of the heap tells of each, where that is asked for, and the order that each is given for
 * life. heap.c calls this while it walks, in the same thread. */
#ifndef MALLARD_SINGLE_H
#define MALLARD_SINGLE_H

#include "hotspot_objects.h"
#include "hotspot_spaces.h"

/* VMInit: whether they are asked for. */
bool want_singles(void);

void begin_singles(uint32_t walk);

/* Objects of a range follow, one behind the other, from an address on. */
void begin_piece(const struct heap_range *r, uintptr_t at);
void put_single(uintptr_t object, const struct heap_class *c, uint64_t bytes);
void end_piece(void);

void end_singles(void);

#endif
