/* Tops of parts of the heap, as they grow while the world runs. */
#include "hotspot_tops.h"

#include "hotspot_parts.h"
#include "hotspot_stops.h"
#include "pages.h"

/* Where parts of eden end; 0: it is none. */
struct tops {
    uintptr_t *list; /* MOST_PARTS */
    uint32_t count;  /* 0: there are none */
    int64_t stops;   /* world_stops() before; -1: the world may have been stopped */
};
static struct tops noted, kept;
static uint64_t eden_noted, eden_filled; /* bytes: noted, and when the last collection began */

bool can_read_early(void) {
    noted.list = zero_pages(MOST_PARTS * sizeof *noted.list);
    kept.list = zero_pages(MOST_PARTS * sizeof *kept.list);
    return noted.list && kept.list && find_stops() && find_buffers();
}

static bool is_eden(const struct parts *all, uint32_t i) { return space_of_part(all, i) == ABI_HEAP_EDEN; }

uint64_t note_tops(int64_t stops) {
    struct parts all = parts_of_heap();
    uint64_t came = 0;
    eden_noted = 0;
    noted.count = all.count;
    noted.stops = stops;
    for (uint32_t i = 0; i < noted.count; i++) {
        struct extent e = is_eden(&all, i) ? extent_of_part(&all, i) : (struct extent){0};
        uintptr_t before = i < kept.count && kept.list[i] ? kept.list[i] : e.bottom;
        noted.list[i] = e.top;
        eden_noted += e.top - e.bottom;
        if (e.top > before) came += e.top - before;
    }
    return came;
}

uint64_t eden_left(void) { return eden_noted <= eden_filled ? eden_filled - eden_noted : UINT64_MAX; }

void note_filled(uint64_t bytes) { eden_filled = bytes; }

bool nothing_stopped(void) { return kept.count > 0 && kept.stops >= 0 && kept.stops == world_stops(); }

/* What of a part of eden was not read yet, up to an end. */
static bool unread(uint32_t part, uintptr_t from, uintptr_t to, struct heap_gap *gap) {
    const struct part *of = part_at(part);
    struct parts all = parts_of_heap();
    if (!to) return false;
    uintptr_t first = first_unread(of, extent_of_part(&all, part));
    if (first < of->moved) first = of->moved;
    if (from < first) from = first;
    *gap = (struct heap_gap){from, to};
    return from < to;
}

bool next_change(uint32_t *part, struct heap_gap *to) {
    for (; *part < noted.count; ++*part)
        if (unread(*part, *part < kept.count ? kept.list[*part] : 0, noted.list[*part], to)) return true;
    return false;
}

void keep_tops(void) {
    struct tops old = kept;
    kept = noted;
    noted = old;
}

void forget_tops(void) { kept.count = 0; }

bool next_early(uint32_t *part, struct heap_gap *to) {
    for (; *part < kept.count; ++*part)
        if (unread(*part, 0, kept.list[*part], to)) return true;
    return false;
}

bool next_moved(uint32_t *part, struct heap_range *to) {
    struct parts all = parts_of_heap();
    for (; *part < all.count; ++*part) {
        uint32_t space = space_of_part(&all, *part);
        if (space != ABI_HEAP_SURVIVOR && space != ABI_HEAP_OLD) continue;
        const struct part *of = part_at(*part);
        struct extent e = extent_of_part(&all, *part);
        *to = (struct heap_range){.from = first_unread(of, e), .to = of->moved < e.top ? of->moved : e.top,
            .space = space, .origin = ABI_HEAP_MOVED, .region = has_regions() ? *part : 0};
        if (to->from < to->to) return true;
    }
    return false;
}

void read_early(uint32_t part, uintptr_t to) { part_at(part)->early = to; }

void forget_early(bool eden, bool others) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++) {
        if (!(is_eden(&all, i) ? eden : others)) continue;
        part_at(i)->early = 0;
        part_at(i)->read_early = (struct coverage){0};
    }
}
