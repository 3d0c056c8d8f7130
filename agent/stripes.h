/* Stripes of what is born in a space of one piece, as Serial's and Parallel's eden is: read together, though nobody
 * knows where an object begins in the middle. It is guessed, and what was read from there on counts when what is in
 * front of it has been read and ends right there.
 *
 * What is guessed may be anything: until then nothing is written to it, no class is looked at that was not known
 * before, and nothing is followed that it refers to. Which objects have tags is noted, to be kept afterwards. */
#ifndef MALLARD_STRIPES_H
#define MALLARD_STRIPES_H

#include "reader.h"

enum { SMALLEST = 16 /* bytes of an object */ };

struct stripe {
    _Alignas(64) uintptr_t from; /* of one thread while it reads */
    uintptr_t to;                /* from and to are anywhere in objects */
    uintptr_t end;               /* of the piece */
    uintptr_t start;             /* the first object; 0: not found */
    uintptr_t at;                /* reading has come up to here */
    uint64_t *tagged;            /* a bit for each word from `from` on: to be given a tag, or a hash; NULL: none is */
    bool first;                  /* of the piece, where an object begins */
    bool read;                   /* as far as it goes without what is in front of it */
};

/* VMInit. False: there is no memory. */
bool make_stripes(void);

/* Lists a piece; false: it is too small, or there is no room. */
bool list_stripes(uintptr_t from, uintptr_t to, bool tags_last);

/* The next stripe for a reader, which has guessed where to begin; NULL: there are no more. */
struct stripe *take_stripe(struct reader *r);

/* Reads one object; false: the stripe has ended, or it has to wait for what is in front of it. */
static inline bool read_in_stripe(struct reader *r, struct stripe *c) {
    struct heap_class *class = c->end - c->at < SMALLEST ? NULL : class_if_known(c->at);
    uint64_t bytes = class ? bytes_if_simple(class, c->at) : 0;
    __builtin_prefetch((const void *)(c->at + AHEAD));
    if (__builtin_expect(bytes - 1 >= c->end - c->at, 0)) return false;
    if (c->tagged) {
        uint64_t word = (c->at - c->from) / 8;
        c->tagged[word / 64] |= (uint64_t)(class->implied || class->flags & NEEDS_TAG) << word % 64;
    }
    class = implied_class(class);
    add_object(&r->born, class->number, bytes);
    r->objects++;
    c->at += bytes;
    return c->at < c->to;
}

/* A stripe has been read. Holds what is read against what is in front of it, as far as that is read. */
void end_stripe(struct reader *r, struct stripe *c);

/* All threads have ended, and this reader has what all have found: takes out what was guessed wrong. */
void end_stripes(struct reader *r);

#endif
