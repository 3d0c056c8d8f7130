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

#include "hotspot_fields.h"
#include "hotspot_objects.h"
#include "values.h"

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

/* Has the processor fetch what hash_contents will look at beside the object, or some of it. */
void fetch_contents(uintptr_t object, const struct heap_class *c);

/* Writes an object's contents, to a depth, for people to read: ABI_VALUE_... Gives how many bytes, at most `capacity`,
 * which is 1 and more. */
uint32_t write_contents(uintptr_t object, unsigned depth, const struct class_search *by, unsigned char *to,
                        uint32_t capacity);

/* For what writes contents. */
uintptr_t klass_address(const struct heap_class *c);
uint32_t width_of_type(char type); /* bytes of a field */

/* What a string remembers of its hash is no part of its contents: it may have been asked for it or not. Nor is who has
 * made it. */
bool is_derived_field(uintptr_t klass, const struct field *f);

#endif
