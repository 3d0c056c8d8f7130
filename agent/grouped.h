/* Single objects by class and size, where nobody is to know where each of them is. */
#ifndef MALLARD_GROUPED_H
#define MALLARD_GROUPED_H

#include <stdbool.h>
#include <stdint.h>

enum { GROUPED_MOST = 4096 /* objects: so many that their headers are still close to the processor */ };

/* Objects of one class and size, in the order in which they came. */
struct object_group {
    uint32_t class, words;
    uint32_t first, objects; /* in grouped_objects() */
};

/* Takes an object; false: there is no room for another one then. */
bool group_object(uintptr_t object, uint32_t class, uint32_t words);

/* Gives groups of what was taken, and forgets it. They are there until more is taken. */
uint32_t grouped(const struct object_group **groups, const uintptr_t **objects);

#endif
