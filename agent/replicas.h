/* Copies: objects whose contents are equal. heap.c has what is born read once more for this, and what has come through
 * a first young collection, behind all else of a walk, in the thread that walks. */
#ifndef MALLARD_REPLICAS_H
#define MALLARD_REPLICAS_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot_objects.h"

/* VMInit, behind find_objects: whether they are asked for, and can be read. */
bool want_replicas(new_heap_class *is_new);

/* What had these numbers is gone: others may have them from here on. */
void forget_replicas(const uint32_t *numbers, uint32_t count);

/* What follows is of a walk; the last one is at the JVM's end. False: it is left out, since those before took too long.
 * Where `same_classes` is false classes were unloaded. */
bool begin_replicas(uint32_t walk, bool same_classes, bool last);

/* Which objects are compared with one another: those that are born, whatever their age; or those that have lived, of
 * one age. */
struct copies_of {
    bool lived;
    unsigned age;
};

/* Reads the objects up to an address, of which the last may go on up to an end: as a walk has read them. */
void read_replicas(uintptr_t at, uintptr_t to, uintptr_t end, struct copies_of of);

/* Tells what was found. Nothing else may be writing to the ring. */
void end_replicas(void);

#endif
