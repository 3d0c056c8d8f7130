/* Stripes of what is born in a space of one piece, as Serial's and Parallel's eden is: several threads read it, though
 * nobody knows where an object begins in the middle. It is guessed, and what was read from there on counts when what is
 * in front of it has been read and ends right there.
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

/* Reads objects until the stripe has ended, or it has to wait for what is in front of it. */
static inline void read_stripe(struct reader *r, struct stripe *s) {
    struct fresh *before = r->fresh.by_class;
    uintptr_t at = s->at;
    while (at < s->to && s->end - at >= SMALLEST) {
        __builtin_prefetch((const void *)(at + AHEAD));
        struct fresh *f = fresh_behind(&r->fresh, before, *(const uint64_t *)at, klass_of_object(at));
        struct heap_class *c = f ? NULL : class_if_known(at);
        uint64_t bytes = f ? bytes_of_fresh(f, at) : c ? bytes_if_simple(c, at) : 0;
        if (bytes - 1 >= s->end - at) break;
        if (f)
            before = f;
        else
            f = note_fresh(&r->fresh, c, &before);
        count_fresh(&r->fresh, f, bytes);
        if (s->tagged) {
            uint64_t word = (at - s->from) / 8;
            s->tagged[word / 64] |= (uint64_t)f->needs_write << word % 64;
        }
        at += bytes;
    }
    s->at = at;
}

/* A stripe has been read. Holds what is read against what is in front of it, as far as that is read. */
void end_stripe(struct reader *r, struct stripe *c);

/* All threads have ended, and this reader has what all have found: takes out what was guessed wrong. */
void end_stripes(struct reader *r);

#endif
