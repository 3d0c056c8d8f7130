/* Sums of objects by class: their memory, and what is done with two. */
#include "tally.h"

#include <stddef.h>

#include "abi.h"
#include "pages.h"

bool make_tally(struct tally *t) {
    size_t sums = ABI_HEAP_CLASSES * sizeof *t->by_class, all = sums + ABI_HEAP_CLASSES * sizeof *t->classes;
    char *memory = zero_pages(all);
    if (!memory) return false;
    t->by_class = (struct sum *)(void *)memory;
    t->classes = (uint32_t *)(void *)(memory + sums);
    return true;
}

void clear_tally(struct tally *t) {
    for (uint32_t i = 0; i < t->count; i++) t->by_class[t->classes[i]] = (struct sum){0};
    t->count = 0;
}

void move_tally(struct tally *from, struct tally *to) {
    if (to->count == 0) {
        struct tally empty = *to;
        *to = *from;
        *from = empty;
        return;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        struct sum *s = &from->by_class[from->classes[i]];
        add_sum(to, from->classes[i], *s);
        *s = (struct sum){0};
    }
    from->count = 0;
}

void subtract_tally(struct tally *from, struct tally *part) {
    for (uint32_t i = 0; i < part->count; i++) {
        struct sum *less = &part->by_class[part->classes[i]], *s = &from->by_class[part->classes[i]];
        s->objects -= less->objects;
        s->bytes -= less->bytes;
        *less = (struct sum){0};
    }
    part->count = 0;
}
