/* Contents of some objects, where they are asked for (run --show-values): of the groups that have most objects of a
 * class in a walk. Else nothing of this reads any. */
#ifndef MALLARD_EXAMPLES_H
#define MALLARD_EXAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot_objects.h"

/* VMInit: whether they are asked for. NULL, or why they cannot be had. */
const char *want_examples(bool *wanted);

/* A group has so many objects, in part of a walk or all of it, and this is one of them. */
void rank_example(uint32_t class, uint64_t hash, uint32_t objects, uintptr_t object);

/* Tells the contents of a class's groups that were not said the last time. Gives how many events that are. */
uint32_t put_examples(uint32_t walk, uint32_t class, unsigned depth, const struct class_search *by);

/* What had this number is gone. */
void forget_examples(uint32_t class);

/* A walk begins. */
void begin_examples(void);

#endif
