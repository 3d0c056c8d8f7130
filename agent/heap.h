/* The observer of objects: what is born, moves and dies in the heap (package internal/observe/objects). */
#ifndef MALLARD_HEAP_H
#define MALLARD_HEAP_H

#include <stdbool.h>

#include "observers.h"

extern const struct observer heap_observer;

/* A site gives its objects no tags from here on: those of the class with that number, and that tag, in walks. What is
 * born of the class without one is its, from the next walk on. Any thread may say so; what there is no room for is not
 * minded. */
void imply_site(uint32_t class, uint32_t tag);

/* Whether objects are recorded: headers have tags. */
bool reads_heap(void);

#endif
