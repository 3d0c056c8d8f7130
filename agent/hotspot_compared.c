/* Holding what was read against what there is. */
#include "hotspot_compared.h"

#include "hotspot_parts.h"
#include "pages.h"

enum { MOST_BUFFERS = 1 << 16 };

static struct heap_gap *ends; /* MOST_BUFFERS: what in them has no objects */
static size_t count;

/* What is in front of these, and was read of it. */
struct filled {
    struct heap_gap *list; /* MOST_BUFFERS */
    struct coverage *read; /* MOST_BUFFERS */
};
static struct filled filled, filled_before; /* in this walk, and the one before */

static bool make_filled(struct filled *f) {
    f->list = zero_pages(MOST_BUFFERS * sizeof *f->list);
    f->read = zero_pages(MOST_BUFFERS * sizeof *f->read);
    return f->list && f->read;
}

bool make_compared(void) {
    ends = zero_pages(MOST_BUFFERS * sizeof *ends);
    return ends && make_filled(&filled) && make_filled(&filled_before);
}

void look_at_buffers(void) {
    struct filled last = filled;
    size_t before = count;
    filled = filled_before;
    filled_before = last;
    count = parts_of_buffers(filled.list, ends, MOST_BUFFERS);
    for (size_t i = 0; i < count; i++) {
        size_t was = gap_from(last.list, before, filled.list[i].from);
        bool same = was < before && last.list[was].from == filled.list[i].from;
        filled.read[i] = same ? last.read[was] : (struct coverage){0};
    }
}

struct heap_buffers known_buffers(void) {
    return (struct heap_buffers){ends, filled.list, count, count == MOST_BUFFERS};
}

void forget_buffers(void) { count = 0; }

void note_read(uintptr_t from, uintptr_t to) {
    if (from >= to) return;
    struct coverage part = coverage_of(from, to);
    size_t next = gap_from(filled.list, count, from + 1);
    add_coverage_of_many(&part_of(from)->read, part);
    if (next > 0 && from < filled.list[next - 1].to) add_coverage_of_many(&filled.read[next - 1], part);
}

void note_read_early(uintptr_t from, uintptr_t to) {
    if (from < to) add_coverage(&part_of(from)->read_early, coverage_of(from, to));
}

void count_read_early(const struct heap_gap *holes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t next = gap_from(filled.list, count, holes[i].from);
        if (next == 0 || ends[next - 1].to != holes[i].to) continue;
        add_coverage(&filled.read[next - 1], coverage_of(filled.list[next - 1].from, holes[i].from));
    }
}

static void compare_part(struct part *of, struct coverage is, struct heap_compared *to) {
    if (is_same_coverage(of->read, is)) return;
    to->other_regions++;
    to->other_bytes += of->read.bytes < is.bytes ? is.bytes - of->read.bytes : of->read.bytes - is.bytes;
    of->read = is;
}

void compare_parts(struct heap_compared *to) {
    struct parts all = parts_of_heap();
    *to = (struct heap_compared){0};
    for (size_t i = 0; i < count; i++) {
        const struct heap_gap *is = &filled.list[i];
        to->buffers += is->from < is->to;
        to->other_buffers += !is_same_coverage(filled.read[i], coverage_of(is->from, is->to));
        add_coverage(&part_of(ends[i].from)->read, coverage_of(ends[i].from, ends[i].to));
    }
    for (uint32_t i = 0; i < all.count; i++) {
        struct part *of = part_at(i);
        if (space_of_part(&all, i) == ABI_HEAP_SPACES) continue;
        to->regions++;
        if (!is_continued(&all, i)) /* the first one's is all of the object */
            compare_part(of, coverage_of(extent_of_part(&all, i).bottom, of->known), to);
    }
    /* there may be objects the next time */
    for (size_t i = 0; i < count; i++)
        subtract_coverage(&part_of(ends[i].from)->read, coverage_of(ends[i].from, ends[i].to));
}
