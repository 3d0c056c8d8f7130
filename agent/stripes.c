/* Stripes: guessing where objects begin, and holding that against where the objects in front end. */
#include "stripes.h"

#include <pthread.h>
#include <stdatomic.h>

#include "pages.h"

enum {
    STRIPE = 128 << 10,    /* bytes, which are in a processor's cache still when tags are kept */
    WORTH = 1 << 20,       /* bytes of a piece that is divided */
    MOST_STRIPES = 1 << 17, /* 16 GB */
    LOOK = 16 << 10,       /* bytes in which an object is looked for */
    IN_A_ROW = 12,         /* objects that a guess needs */
    WORD = 8,
    TAGGED_WORDS = STRIPE / WORD / 64
};

static struct stripe *stripes; /* MOST_STRIPES */
static uint64_t *tagged;     /* TAGGED_WORDS of each, 0 when it is not used */
static size_t stripe_count;
static _Atomic size_t next_stripe; /* to be read */

/* Stripes that were read are held against those in front in turn. */
static pthread_mutex_t stripe_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t held;       /* stripes */
static uintptr_t come_to; /* what is in front of that one ends here */
static bool astray;       /* that is not known: something was no object */
static struct tally wrong;
static uint64_t wrong_objects;

bool make_stripes(void) {
    stripes = zero_pages(MOST_STRIPES * sizeof *stripes);
    tagged = zero_pages((size_t)MOST_STRIPES * TAGGED_WORDS * sizeof *tagged);
    return stripes && tagged && make_tally(&wrong);
}

bool list_stripes(uintptr_t from, uintptr_t to, bool tags_last) {
    size_t n = (to - from + STRIPE - 1) / STRIPE;
    if (to - from < WORTH || n > MOST_STRIPES - stripe_count) return false;
    for (size_t i = 0; i < n; i++, stripe_count++)
        stripes[stripe_count] = (struct stripe){.from = from + i * STRIPE,
                                             .to = i + 1 < n ? from + (i + 1) * STRIPE : to,
                                             .end = to,
                                             .tagged = tags_last ? NULL : &tagged[stripe_count * TAGGED_WORDS],
                                             .first = i == 0};
    return true;
}

/* Whether objects follow one another from there on. */
static bool is_start(uintptr_t at, uintptr_t end) {
    for (unsigned n = 0; n < IN_A_ROW && at < end; n++) {
        struct heap_class *class = end - at < SMALLEST ? NULL : class_if_known(at);
        uint64_t bytes = class ? bytes_if_simple(class, at) : 0;
        if (bytes - 1 >= end - at) return false;
        at += bytes;
    }
    return true;
}

static uintptr_t guess_start(const struct stripe *c) {
    uintptr_t to = c->to - c->from > LOOK ? c->from + LOOK : c->to;
    for (uintptr_t at = c->from; at < to; at += WORD)
        if (is_start(at, c->end)) return at;
    return 0;
}

struct stripe *take_stripe(struct reader *r) {
    for (;;) {
        size_t i = atomic_fetch_add_explicit(&next_stripe, 1, memory_order_relaxed);
        if (i >= stripe_count) return NULL;
        struct stripe *c = &stripes[i];
        c->at = c->start = c->first ? c->from : guess_start(c);
        if (c->start) return c;
        end_stripe(r, c);
    }
}

/* What was guessed wrong is read once more, in the same way: nothing was written to it. */
static void take_back(const struct reader *r, const struct stripe *c) {
    for (uintptr_t at = c->start; at < c->at;) {
        struct heap_class *class = implied_class(look_up_class(at, &r->search));
        uint64_t bytes = bytes_if_simple(class, at);
        add_object(&wrong, class->number, bytes);
        wrong_objects++;
        at += bytes;
    }
}

/* Reads on where nobody has guessed, and gives where it has come to. Behind something that is no object nobody knows
 * where one begins, up to the end of the piece. */
static uintptr_t read_on(struct reader *r, const struct stripe *c, uintptr_t at, uintptr_t to) {
    const struct goal g = {.all = &r->born, .implies = true, .gives_tags = c->tagged, .tags_last = !c->tagged};
    uint64_t unread = r->unread;
    at = read_objects(r, at, to, c->end, g);
    astray |= r->unread != unread;
    return at;
}

/* Holds a stripe against where what is in front of it ends, reads what is left of it, and gives where it ends. */
static uintptr_t hold(struct reader *r, struct stripe *c, uintptr_t at) {
    if (c->first) astray = false;
    if (c->start > at && !astray) at = read_on(r, c, at, c->start);
    if (c->start == at && !astray) {
        at = c->at;
        note_read(c->start, at);
    } else if (c->start) {
        take_back(r, c);
        c->start = 0;
    }
    if (astray) {
        if (at < c->to) r->unread += c->to - at;
        return c->to;
    }
    return at < c->to ? read_on(r, c, at, c->to) : at;
}

/* Keeps the tags that were noted in a stripe, and gives those that sites do not, or forgets them. */
static void keep_tags(struct reader *r, const struct stripe *c, bool keep) {
    for (size_t i = 0; i < TAGGED_WORDS; i++) {
        uintptr_t at = c->from + i * 64 * WORD;
        for (uint64_t left = keep ? c->tagged[i] : 0; left; left &= left - 1) {
            uintptr_t object = at + (unsigned)__builtin_ctzll(left) * WORD;
            struct heap_class *class = look_up_class(object, &r->search);
            if (class->implied) {
                class = implied_class(class);
                give_tag(object, tag_of(class->key));
            }
            if (class->flags & NEEDS_TAG) keep_tag(object, class, &r->hashes);
        }
        c->tagged[i] = 0;
    }
}

void end_stripe(struct reader *r, struct stripe *c) {
    pthread_mutex_lock(&stripe_lock);
    c->read = true;
    while (held < stripe_count && stripes[held].read) {
        c = &stripes[held++];
        come_to = hold(r, c, c->first ? c->from : come_to);
        if (!c->tagged) continue;
        pthread_mutex_unlock(&stripe_lock);
        keep_tags(r, c, c->start != 0);
        pthread_mutex_lock(&stripe_lock);
    }
    pthread_mutex_unlock(&stripe_lock);
}

void end_stripes(struct reader *r) {
    subtract_tally(&r->born, &wrong);
    r->objects -= wrong_objects;
    wrong_objects = stripe_count = held = 0;
    atomic_store_explicit(&next_stripe, 0, memory_order_relaxed);
}
