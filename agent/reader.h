/* Reads objects that lie one behind the other. */
#ifndef MALLARD_READER_H
#define MALLARD_READER_H

#include "fresh.h"
#include "hotspot_objects.h"
#include "hotspot_spaces.h"
#include "single.h"
#include "tally.h"

/* A thread that reads, and what it has found in this walk. */
struct reader {
    struct class_search search;
    struct tally born;       /* in eden */
    struct fresh_tally fresh; /* the same, but for what add_fresh has added to it */
    uint64_t objects;
    uint64_t unread;         /* bytes */
    bool broken;             /* something was no object */
    uint64_t hashes;         /* of keep_tag */
    struct heap_class other; /* of search */
};

/* False: there is no memory. */
static inline bool make_reader(struct reader *r, new_heap_class *is_new) {
    *r = (struct reader){.search = {is_new, &r->other}};
    return make_tally(&r->born) && make_fresh_tally(&r->fresh);
}

/* Adds what is as code has made it to the other sums of what is born, at the end of a walk. */
static inline void add_fresh(struct reader *r) {
    r->objects += move_fresh(&r->fresh, &r->born).objects;
    forget_fresh(&r->fresh);
}

/* Where objects are added up. */
struct goal {
    struct tally *all, *by_age; /* all ABI_HEAP_AGES of them, or NULL */
    bool again;                 /* they were read and counted before */
    bool singly;                /* each is told by itself, too */
    bool settled;               /* they are not in eden, or a collection has put them there */
    bool restores;              /* that was a full one: what has no tag may have lost it */
    bool implies;               /* what has no tag is of the site that gives none, where there is one */
    bool gives_tags;            /* to these */
    bool tags_last;             /* without keep_tag */
    bool tagged_last;           /* the same of what has a tag */
    bool may_guess;             /* where objects begin: all classes that were known are as they were */
};

/* Whether of what is as code has made it nothing but the class counts. */
static inline bool counts_fresh(const struct goal *g) {
    return g->implies && g->tags_last && !g->gives_tags && !g->settled && !g->singly && !g->by_age;
}

enum { AHEAD = 512 /* bytes that are fetched before they are read */ };

/* What is left of a piece is not read: something there is no object. Gives its end. */
static inline uintptr_t give_up(struct reader *r, uintptr_t at, uintptr_t to) {
    r->unread += to - at;
    r->broken |= has_class(at); /* else it was not made yet */
    return to;
}

static inline void count(struct reader *r, const struct goal *g, uintptr_t object, struct heap_class *c,
                         uint64_t bytes) {
    if (g->implies && c->implied) {
        c = implied_class(c);
        if (g->gives_tags) give_tag(object, tag_of(c->key));
    } else if (g->restores && !tag_of(c->key)) {
        c = class_before(c);
        if (tag_of(c->key)) give_tag(object, tag_of(c->key));
    }
    if (g->settled && !(c->flags & SETTLED)) c->flags |= SETTLED;
    if (c->flags & NEEDS_TAG && !g->tags_last && !(g->tagged_last && tag_of(c->key))) keep_tag(object, c, &r->hashes);
    add_object(g->by_age ? &g->by_age[age_of_object(object)] : g->all, c->number, bytes);
    r->objects++;
}

/* Reads the objects up to an address, of which the last may go on up to an end, and gives where it has come: `to` where
 * something is no object. */
static inline uintptr_t read_objects(struct reader *r, uintptr_t at, uintptr_t to, uintptr_t end, struct goal g) {
    struct heap_class *c = heap_classes;
    uintptr_t from = at;
    while (at < to) {
        __builtin_prefetch((const void *)(at + AHEAD));
        c = class_of_object(at, c, &r->search);
        uint64_t bytes = c ? bytes_of_object(c, at) : 0;
        if (bytes == 0 || bytes > end - at) break;
        if (g.singly) put_single(at, g.implies ? implied_class(c) : c, bytes);
        count(r, &g, at, c, bytes);
        at += bytes;
    }
    if (!g.again) note_read(from, at);
    return at < to ? give_up(r, at, to) : at;
}

/* The same for what counts into what is born, with a goal of which counts_fresh is true. */
static inline void read_fresh(struct reader *r, uintptr_t at, uintptr_t to, struct goal g) {
    struct fresh *before = r->fresh.by_class;
    uintptr_t from = at;
    while (at < to) {
        __builtin_prefetch((const void *)(at + AHEAD));
        struct fresh *f = fresh_behind(&r->fresh, before, *(const uint64_t *)at, klass_of_object(at));
        struct heap_class *c = f ? NULL : look_up_class(at, &r->search);
        uint64_t bytes = f ? bytes_of_fresh(f, at) : c ? bytes_of_object(c, at) : 0;
        if (bytes == 0 || bytes > to - at) break;
        if (f)
            before = f;
        else if (c != r->search.other)
            f = note_fresh(&r->fresh, c, &before);
        if (f)
            count_fresh(&r->fresh, f, bytes);
        else
            count(r, &g, at, c, bytes);
        at += bytes;
    }
    note_read(from, at);
    if (at < to) give_up(r, at, to);
}

#endif
