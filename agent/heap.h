/* The observer of objects: what is born, moves and dies in the heap (package internal/observe/objects). */
#ifndef MALLARD_HEAP_H
#define MALLARD_HEAP_H

#include "observers.h"

extern const struct observer heap_observer;

#endif
