/* Reading the heap while the world runs, so that pauses need not (decision 0123). */
#ifndef MALLARD_EARLY_H
#define MALLARD_EARLY_H

#include "hotspot_objects.h"
#include "hotspot_spaces.h"

/* VMInit, behind find_spaces and find_objects. Starts a thread, if there is a processor for it, that calls `is_new`
 * with classes that nobody has found before, but not from stop_early or hold_early on. */
void start_early(new_heap_class *is_new);

/* A pause begins: nothing is read from here on. Gives what may count of what was read: of eden nothing does where tags
 * may get lost of some objects, which have to be looked at again. */
const struct heap_early *stop_early(bool may_lose_tags);

/* In any thread: whether the world is stopped, or about to be: nothing may be read then. Who reads asks every so many
 * objects. */
bool pause_begins(void);
enum { OBJECTS_UNTIL_LOOK = 512 };

/* The world is stopped, and what was read has been counted. What is read from here on may have been moved by a full
 * collection. */
void clear_early(bool moved_all);

/* The world is stopped: nothing is read until go_on_early, when it is about to run again, if ever. What was read stays,
 * unless it is forgotten. */
void hold_early(void);
void go_on_early(void);

/* It does not: the JVM ends. */
void end_early(void);

#endif
