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
    uint64_t klass; /* and above it the era in which that was noted */
    uint64_t objects, bytes;
    int32_t size; /* as in struct heap_class */
    uint32_t number;
    uint32_t next[2]; /* indexes of what came behind one of these the last times */
    bool needs_write; /* where tags may get lost */
};

struct fresh_tally {
    struct fresh *by_class; /* ABI_HEAP_CLASSES, at their indexes in heap_classes */
    uint32_t *counted;      /* those that have objects */
    uint32_t count;
    uint64_t era; /* in the upper half */
};

/* False: there is no memory. */
bool make_fresh_tally(struct fresh_tally *t);

static inline bool is_fresh(const struct fresh *f, uint64_t header, uint64_t klass) {
    return f->header == header && f->klass == klass;
}

/* What an object is, behind one of those before it; NULL: it has to be looked up. */
static inline struct fresh *fresh_behind(const struct fresh_tally *t, struct fresh *before, uint64_t header,
                                         uint32_t klass_now) {
    uint64_t klass = t->era | klass_now;
    struct fresh *f = &t->by_class[before->next[0]];
    if (is_fresh(f, header, klass)) return f;
    f = &t->by_class[before->next[1]];
    if (is_fresh(f, header, klass)) return f;
    uint32_t index = index_at(place_of_key(header >> ABI_TAG_SHIFT << 32 | klass_now));
    f = &t->by_class[index];
    if (!is_fresh(f, header, klass)) return NULL;
    before->next[1] = before->next[0];
    before->next[0] = index;
    return f;
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

/* Adds all to another tally, and gives how many objects and bytes that were. */
struct sum move_fresh(struct fresh_tally *from, struct tally *to);

/* What is known of classes is true no more. */
static inline void forget_fresh(struct fresh_tally *t) { t->era += UINT64_C(1) << 32; }

/* Drops all, and forgets that. */
void clear_fresh(struct fresh_tally *t);

#endif
