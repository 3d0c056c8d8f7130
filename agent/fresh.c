/* Sums of objects as code has made them: their memory, what is noted of classes, and what becomes of sums. */
#include "fresh.h"

#include "pages.h"

enum { CLASSES_AHEAD = 8 /* that are fetched before they are read */ };

bool make_fresh_tally(struct fresh_tally *t) {
    t->by_class = zero_pages(ABI_HEAP_CLASSES * sizeof *t->by_class);
    t->counted = zero_pages(ABI_HEAP_CLASSES * sizeof *t->counted);
    forget_fresh(t);
    return t->by_class && t->counted;
}

struct fresh *note_fresh(struct fresh_tally *t, struct heap_class *c, struct fresh **before) {
    const struct heap_class *is = implied_class(c);
    uint32_t index = (uint32_t)(c - heap_classes);
    struct fresh *f = &t->by_class[index];
    f->number = is->number;
    f->needs_write = is != c || is->flags & NEEDS_TAG;
    if (c->size != DIFFERENT_SIZES) {
        f->header = (uint64_t)tag_of(c->key) << ABI_TAG_SHIFT | ABI_HEADER_NEW;
        f->klass = t->era | klass_of(c->key);
        f->size = c->size;
        (*before)->next[1] = (*before)->next[0];
        (*before)->next[0] = index;
        *before = f;
    }
    return f;
}

struct sum move_fresh(struct fresh_tally *from, struct tally *to) {
    struct sum all = {0};
    for (uint32_t i = 0; i < from->count; i++) {
        struct fresh *f = &from->by_class[from->counted[i]];
        __builtin_prefetch(&from->by_class[from->counted[i + CLASSES_AHEAD < from->count ? i + CLASSES_AHEAD : i]], 1);
        add_sum(to, f->number, (struct sum){f->objects, f->bytes});
        all.objects += f->objects;
        all.bytes += f->bytes;
        f->objects = f->bytes = 0;
    }
    from->count = 0;
    return all;
}

void clear_fresh(struct fresh_tally *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        struct fresh *f = &t->by_class[t->counted[i]];
        f->objects = f->bytes = 0;
    }
    t->count = 0;
    forget_fresh(t);
}
