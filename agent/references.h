/* What objects refer to, at the JVM's end: a part of the observer of objects (heap.c). */
#ifndef MALLARD_REFERENCES_H
#define MALLARD_REFERENCES_H

#include <jni.h>
#include <stdbool.h>

#include "hotspot_objects.h"

/* VMInit, behind find_objects. False where references are not wanted, or cannot be read, which is said. */
bool find_graph(void);

/* VMDeath. Stops the world, calls first in it, and writes what is alive and why. Waits for the recorder, but no longer
 * than for an answer. */
void write_graph(void (*first)(void), new_heap_class *is_new);

#endif
