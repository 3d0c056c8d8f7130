/* Sums of objects that are as code has made them: nobody has locked, hashed or moved them. Their header has the tag of
 * their site and nothing else, so that two comparisons find that an object is one of them, and what is known of a class
 * of them, and how many there were, is in one line of a processor's cache.
 *
 * Which line that will be is guessed from the object before: mostly it is one of two that followed the last times, and
 * which of these a processor guesses from how it branched. So it knows where the next object is before it has read of
 * what class this one is. */
#ifndef MALLARD_FRESH_H
#define MALLARD_FRESH_H

#include "hotspot_objects.h"
#include "tally.h"

/* Objects of a class, without a tag or with one. */
struct fresh {
    _Alignas(64) uint64_t header;
    uint32_t klass; /* 0: that has to be looked up */
    int32_t size;   /* as in struct heap_class */
    uint64_t objects, bytes;
    uint32_t number;
    uint32_t next[2]; /* indexes of what came behind one of these the last times */
    bool needs_write; /* where tags may get lost */
};

struct fresh_tally {
    struct fresh *by_class; /* ABI_HEAP_CLASSES, at their indexes in heap_classes */
    uint32_t *counted;      /* those that have objects */
    uint32_t count;
};

/* False: there is no memory. */
bool make_fresh_tally(struct fresh_tally *t);

/* What an object is, behind one of those before it; NULL: it has to be looked up. */
static inline struct fresh *fresh_behind(const struct fresh_tally *t, const struct fresh *before, uint64_t header,
                                         uint32_t klass) {
    struct fresh *f = &t->by_class[before->next[0]];
    if (f->header == header && f->klass == klass) return f;
    f = &t->by_class[before->next[1]];
    return f->header == header && f->klass == klass ? f : NULL;
}

/* Notes what objects of a class are known by that has been looked up, and that one came behind one of another, which is
 * this one from here on. Of DIFFERENT_SIZES each is looked up. */
struct fresh *note_fresh(struct fresh_tally *t, struct heap_class *c, struct fresh **before);

static inline uint64_t bytes_of_fresh(const struct fresh *f, uintptr_t object) {
    return f->size > 0 ? (uint32_t)f->size : bytes_of_array(f->size, object);
}

static inline void count_fresh(struct fresh_tally *t, struct fresh *f, uint64_t bytes) {
    if (f->objects++ == 0) t->counted[t->count++] = (uint32_t)(f - t->by_class);
    f->bytes += bytes;
}

/* Adds all to another tally, forgets what is known of classes, and gives how many objects and bytes that were. */
struct sum move_fresh(struct fresh_tally *from, struct tally *to);

/* Forgets both. */
void clear_fresh(struct fresh_tally *t);

#endif
