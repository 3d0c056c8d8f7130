/* Sums of objects by class. */
#ifndef MALLARD_TALLY_H
#define MALLARD_TALLY_H

#include <stdbool.h>
#include <stdint.h>

struct sum {
    uint64_t objects, bytes;
};

struct tally {
    struct sum *by_class; /* ABI_HEAP_CLASSES of them */
    uint32_t *classes;    /* those that have a sum */
    uint32_t count;
};

/* False: there is no memory. */
bool make_tally(struct tally *t);

static inline void add_sum(struct tally *t, uint32_t class, struct sum more) {
    struct sum *s = &t->by_class[class];
    if (s->objects == 0) t->classes[t->count++] = class;
    s->objects += more.objects;
    s->bytes += more.bytes;
}

static inline void add_object(struct tally *t, uint32_t class, uint64_t bytes) {
    add_sum(t, class, (struct sum){1, bytes});
}

/* Adds what is in one to the other, and makes it empty. Where the other is empty that takes no time. */
void move_tally(struct tally *from, struct tally *to);

void clear_tally(struct tally *t);

/* Takes what is in one, and is part of the other, out of both. That keeps classes that have no objects any more. */
void subtract_tally(struct tally *from, struct tally *part);

#endif
