/* What objects refer to, every so often and at the JVM's end: a part of the observer of objects (heap.c). */
#ifndef MALLARD_REFERENCES_H
#define MALLARD_REFERENCES_H

#include <jni.h>
#include <stdbool.h>

#include "hotspot_objects.h"

/* VMInit, behind find_objects. False where references are not wanted, or cannot be read, which is said. A thread writes
 * graphs from here on, if they are wanted before the JVM's end. New classes are told to is_new, in pauses. */
bool find_graph(JNIEnv *env, new_heap_class *is_new);

/* VMDeath. Stops the world, calls first in it, and writes what is alive and why. Waits for the recorder, but no longer
 * than for an answer. No graph is written afterwards. */
void write_last_graph(void (*first)(void));

#endif
