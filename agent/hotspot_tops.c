/* Tops of parts of the heap, as they grow while the world runs. */
#include "hotspot_tops.h"

#include "hotspot.h"
#include "hotspot_parts.h"
#include "hotspot_stops.h"
#include "pages.h"

enum { MANY = 8 /* regions of G1's: more than are filled between a thread's finding none and its being told so */ };

/* Where parts of eden end; 0: it is none. */
struct tops {
    uintptr_t *list; /* MOST_PARTS */
    uint32_t count;  /* 0: there are none */
    int64_t stops;   /* world_stops() before; -1: the world may have been stopped */
    uint64_t room;   /* bytes behind them, as far as eden goes */
    uint32_t free;   /* regions */
    uintptr_t end;   /* of eden; 0: G1 */
};
static struct tops noted, kept;
static uint64_t eden_room;        /* bytes, as of when tops were noted last */
static const int64_t *young_room; /* bytes of G1's eden, with more for when it may not collect, as of the last pause */
static double more;               /* of the young generation, so many parts of it */

bool can_read_early(void) {
    noted.list = zero_pages(MOST_PARTS * sizeof *noted.list);
    kept.list = zero_pages(MOST_PARTS * sizeof *kept.list);
    young_room = performance_counter("sun.gc.generation.0.space.0.capacity");
    more = flag_number("GCLockerEdenExpansionPercent", 0) / 100;
    return noted.list && kept.list && young_room && find_stops() && find_buffers();
}

static bool is_eden(const struct parts *all, uint32_t i) { return space_of_part(all, i) == ABI_HEAP_EDEN; }

/* How much more comes until G1 collects, with so much in eden, and so many survivors (G1MonitoringSupport,
 * G1YoungGenSizer). */
static uint64_t room_in_g1(uint64_t eden, uint64_t survivors) {
    double young = ((double)*young_room + (double)survivors) / (1 + more), used = (double)(eden + survivors);
    return young > used ? (uint64_t)(young - used) : 0;
}

uint64_t note_tops(int64_t stops) {
    struct parts all = parts_of_heap();
    uint64_t came = 0, used[ABI_HEAP_SPACES + 1] = {0};
    noted = (struct tops){.list = noted.list, .count = all.count, .stops = stops};
    for (uint32_t i = 0; i < noted.count; i++) {
        uint32_t space = space_of_part(&all, i);
        struct extent e = space == ABI_HEAP_SPACES ? (struct extent){0} : extent_of_part(&all, i);
        used[space] += e.top - e.bottom;
        noted.free += space == ABI_HEAP_SPACES && has_regions() && all.regions.list[i];
        if (space != ABI_HEAP_EDEN) e = (struct extent){0};
        uintptr_t before = i < kept.count && kept.list[i] ? kept.list[i] : e.bottom;
        noted.list[i] = e.top;
        if (e.end > e.top) noted.room = e.end - e.top;
        if (e.end) noted.end = e.end;
        if (e.top > before) came += e.top - before;
    }
    if (has_regions()) noted.room = room_in_g1(used[ABI_HEAP_EDEN], used[ABI_HEAP_SURVIVOR]);
    eden_room = noted.room;
    return came;
}

uint64_t eden_left(void) { return eden_room; }

static bool has_room(const struct tops *t) {
    return has_regions() ? t->free >= MANY && t->room >= MANY * bytes_of_region() : t->room > 0;
}

bool tops_are_known(void) { return kept.count > 0 && kept.stops >= 0; }

bool nothing_handed_out(void) {
    if (!tops_are_known()) return false;
    return kept.stops == world_stops() || (kept.end == noted.end && has_room(&kept) && has_room(&noted));
}

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
