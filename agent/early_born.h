/* What is born, as it is read while the world runs: objects that are whole, one behind the other (early.h). */
#ifndef MALLARD_EARLY_BORN_H
#define MALLARD_EARLY_BORN_H

#include "hotspot_spaces.h"
#include "reader.h"

/* VMInit, behind find_objects. False: there is no memory. */
bool make_early_born(new_heap_class *is_new);

/* Reads objects up to an end, until a pause begins or there is no room for what has to wait for it, and gives where
 * that has come to. One thread alone calls it. */
uintptr_t read_born(uintptr_t at, uintptr_t to);

/* Adds up what was read, unless a pause begins: then that is left to it, and takes it longer. */
void add_up_born(void);

/* Something was no object: nothing that was read counts. */
bool born_is_wrong(void);

/* Whether some of what counts needs to be written to where tags may get lost. The pause has begun. */
bool born_needs_write(void);

/* The same: an object is about to get a tag, and may have counted without one. */
void recount_born(uintptr_t object);

/* The same: adds what was read, which is no news, to what a reader has, and gives how many bytes it was. */
uint64_t count_born(struct reader *r, const struct heap_news *news);

/* The same: has the threads that read pieces read what waits. */
void list_held(struct goal g);

/* What was read has been counted, or does not count. */
void clear_early_born(void);

#endif
