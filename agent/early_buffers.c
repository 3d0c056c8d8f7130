/* Each thread puts objects into its buffer one behind the other, and the buffer's top behind the last one before it
 * makes it. So when the top has moved since it was seen, what was below it then is made: C2 keeps the order in which it
 * writes there (each write is a memory input of the next), and x86 shows it to other processors. */
#include "early_buffers.h"

#include "observers.h"
#include "pages.h"

enum { MOST_BUFFERS = 1 << 16 }; /* as many as threads can have */

#if defined(__x86_64__)
enum { SHOWS_ORDER = 1 };
#else
enum { SHOWS_ORDER = 0 };
#endif

/* In a turn. */
struct turn {
    struct heap_gap *list;    /* MOST_BUFFERS, by address */
    uintptr_t *tops, *whole;  /* MOST_BUFFERS each */
    size_t count;
    uint64_t time;
};
static struct turn is, last;
static uint64_t full_in, largest;

static bool make_turn(struct turn *t) {
    t->list = zero_pages(MOST_BUFFERS * sizeof *t->list);
    t->tops = zero_pages(MOST_BUFFERS * sizeof *t->tops);
    t->whole = zero_pages(MOST_BUFFERS * sizeof *t->whole);
    return t->list && t->tops && t->whole;
}

bool make_early_buffers(void) { return make_turn(&is) && make_turn(&last); }

/* Adds a buffer that has been there in the turn before. */
static void note_again(const struct heap_gap *b, uintptr_t top, size_t was) {
    uintptr_t before = last.tops[was];
    is.whole[is.count] = SHOWS_ORDER && top > before ? before : last.whole[was];
    if (top <= before) return;
    double full = (double)(b->to - top) / (double)(top - before) * (double)(is.time - last.time);
    if (full < (double)full_in) full_in = (uint64_t)full;
}

struct turn_buffers note_buffers(const struct buffers *in_use) {
    struct turn before = last;
    last = is;
    is = before;
    is.time = recorded_time();
    full_in = UINT64_MAX;
    largest = 0;
    for (is.count = 0; is.count < in_use->count && is.count < MOST_BUFFERS; is.count++) {
        const struct heap_gap *b = &in_use->list[is.count];
        uintptr_t top = in_use->filled[is.count].to;
        size_t was = gap_from(last.list, last.count, b->from);
        is.list[is.count] = *b;
        is.tops[is.count] = top >= b->from && top <= b->to ? top : b->from;
        is.whole[is.count] = b->from;
        if (b->to - b->from > largest) largest = b->to - b->from;
        if (was < last.count && last.list[was].from == b->from && last.list[was].to == b->to)
            note_again(b, is.tops[is.count], was);
    }
    return (struct turn_buffers){is.list, is.whole, is.count};
}

uint64_t until_full(void) { return full_in; }

uint64_t largest_buffer(void) { return largest; }

void clear_early_buffers(void) {
    is.count = 0;
    full_in = UINT64_MAX;
}
