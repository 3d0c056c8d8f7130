/* The contents of objects, as hashes: of fields and elements, without header and padding, and without what the VM adds.
 * Only hotspot*.c and replicas.c include this.
 *
 * A reference stands for the identity of what it refers to, which is its identity hash: addresses change. What has none
 * is given one. Down to a depth it stands for the contents of that instead.
 *
 * What follows holds for objects that were allocated since the last pause: what they refer to was alive then, or was
 * allocated later, and nothing has been moved or freed since. */
#ifndef MALLARD_HOTSPOT_CONTENTS_H
#define MALLARD_HOTSPOT_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot_objects.h"

/* VMInit, behind find_objects. NULL, or why contents cannot be read. */
const char *find_contents(void);

/* A walk begins in front of which classes were unloaded. */
void forget_contents(void);

/* What contents of an object are. */
enum contents {
    NO_CONTENTS,       /* they are not looked at: stacks, classes, what there is no room for */
    UNKNOWN_CONTENTS,  /* it refers to what has no identity */
    SOME_CONTENTS
};

/* Hashes an object of a class, down to a depth. Several objects may have one hash, one in 2^64 by chance; arrays of
 * different lengths have different ones. `by` finds classes. */
enum contents hash_contents(uintptr_t object, const struct heap_class *c, unsigned depth,
                            const struct class_search *by, uint64_t *hash);

#endif
