/* What is new in the parts of the heap. */
#include "hotspot_spaces.h"

#include <stdbool.h>
#include <string.h>

#include "agent.h"
#include "hotspot.h"
#include "hotspot_compared.h"
#include "hotspot_parts.h"
#include "hotspot_tops.h"
#include "pages.h"

enum {
    MOST_GAPS = 1 << 16, /* threads with a buffer */
    MOST_RANGES = MOST_PARTS + 2 * MOST_GAPS
};

static const struct hotspot *vm;
static bool serial;
static uint32_t *tags; /* MOST_PARTS: of regions, at the start of the pause */
static bool crowded; /* no region stayed free in the collection: it may have left objects in old ones that it emptied */
static uint64_t collections;                  /* all and full ones, at the start of the pause, then at its end */
static const int64_t *eden_counter, *survivor_counters[2], *old_counter; /* bytes used after a collection, or NULL */

static struct heap_range *ranges; /* MOST_RANGES */
static size_t range_count;

/* Both numbers, of all collections and of full ones behind it (CollectedHeap). */
static uint64_t collections_begun(void) { return AT(uint64_t, collected_heap() + vm->total_collections); }

/* Nothing is known, as when the JVM has said nothing of a collection. All of the heap is read then; what is in eden may
 * be the program's. */
static void forget_spaces(void) {
    struct parts all = parts_of_heap();
    forget_buffers();
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t space = space_of_part(&all, i);
        bool moved = space != ABI_HEAP_EDEN && space != ABI_HEAP_SPACES;
        *part_at(i) = (struct part){.moved = moved ? UINTPTR_MAX : 0};
    }
}

const char *find_spaces(void) {
    const char *why = find_parts();
    if (why) return why;
    vm = hotspot_entries();
    serial = strcmp(collector(), "Serial") == 0;
    tags = zero_pages(MOST_PARTS * sizeof *tags);
    ranges = zero_pages(MOST_RANGES * sizeof *ranges);
    if (!tags || !ranges || !make_compared()) return "there is no memory for what is known of the heap";
    forget_spaces(); /* there may have been collections */
    collections = collections_begun();
    eden_counter = performance_counter("sun.gc.generation.0.space.0.used");
    survivor_counters[0] = performance_counter("sun.gc.generation.0.space.1.used");
    survivor_counters[1] = performance_counter("sun.gc.generation.0.space.2.used");
    old_counter = performance_counter("sun.gc.generation.1.space.0.used");
    return NULL;
}

static void add_range(uintptr_t from, uintptr_t to, uint32_t space, uint32_t origin, uint32_t region) {
    if (from >= to || range_count == MOST_RANGES) return;
    ranges[range_count++] = (struct heap_range){from, to, space, origin, region, false};
}

/* What has come to a space, in two parts: the collector's and the program's. */
static void add_news(struct part *of, struct extent e, uint32_t space, uint32_t region) {
    uintptr_t from = first_unread(of, e), known = of->known < e.bottom ? e.bottom : of->known;
    uintptr_t lived = space == ABI_HEAP_EDEN ? known : from; /* of eden what is born was read early, and nothing else */
    uintptr_t moved = of->moved < lived ? lived : of->moved > e.top ? e.top : of->moved;
    add_range(lived, moved, space, ABI_HEAP_MOVED, region);
    of->early = 0;
    add_coverage(&of->read, of->read_early);
    of->read_early = (struct coverage){0};
    add_range(moved < from ? from : moved, e.top, space, ABI_HEAP_BORN, region);
    of->known = e.top;
}

/* Of a humongous object, all regions that it is in. */
static void add_humongous(const struct parts *all, uint32_t region) {
    struct part *of = part_at(region);
    struct extent e = extent_of_part(all, region);
    if (of->known > e.bottom) return;
    uintptr_t top = e.top;
    for (uint32_t i = region + 1; i < all->count && is_continued(all, i); i++) top = extent_of_part(all, i).top;
    add_range(e.bottom, top, ABI_HEAP_HUMONGOUS, of->moved > e.bottom ? ABI_HEAP_MOVED : ABI_HEAP_BORN, region);
    of->known = top;
}

static void look_at_parts(uint64_t *used) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t space = space_of_part(&all, i);
        if (has_regions()) tags[i] = tag_of_region(all.regions.list[i]);
        if (space == ABI_HEAP_SPACES) {
            *part_at(i) = (struct part){0};
            continue;
        }
        struct extent e = extent_of_part(&all, i);
        used[space] += e.top - e.bottom;
        if (space != ABI_HEAP_HUMONGOUS)
            add_news(part_at(i), e, space, has_regions() && space == ABI_HEAP_OLD ? i : 0);
        else if (!is_continued(&all, i))
            add_humongous(&all, i);
    }
}

bool may_be_moved_unannounced(void) {
    enum { ALL_ANNOUNCED = 25 }; /* by who collects (SerialHeap::do_full_collection), and not by who asks for it */
    return !has_regions() && agent.feature < ALL_ANNOUNCED;
}

bool nothing_collected(void) {
    const uint64_t *begun = (const uint64_t *)(collected_heap() + vm->total_collections);
    return has_regions() || __atomic_load_n(begun, __ATOMIC_SEQ_CST) == collections;
}

/* Whether each buffer that is in use where reading came by is in a hole: else it was not known to be there. */
static bool is_whole(const struct heap_early *early) {
    struct parts all = parts_of_heap();
    struct heap_buffers b = known_buffers();
    for (uint32_t i = 0; i < all.count; i++) {
        const struct part *of = part_at(i);
        if (!of->early) continue;
        uintptr_t bottom = extent_of_part(&all, i).bottom, from = of->known < bottom ? bottom : of->known;
        for (size_t g = gap_from(b.free, b.count, from); g < b.count && b.free[g].from < of->early; g++) {
            size_t next = gap_from(early->holes, early->count, b.free[g].from + 1);
            if (next == 0 || early->holes[next - 1].to < b.free[g].to) return false;
        }
    }
    return true;
}

/* What was read of a part of eden before: the ends of buffers were not. */
static void add_again(uintptr_t from, uintptr_t to) {
    struct heap_buffers b = known_buffers();
    for (size_t g = gap_from(b.free, b.count, from); from < to; g++) {
        bool gap = g < b.count && b.free[g].from < to;
        size_t before = range_count;
        add_range(from, gap ? b.free[g].from : to, ABI_HEAP_EDEN, ABI_HEAP_BORN, 0);
        if (range_count > before) ranges[before].again = true;
        from = gap ? b.free[g].to : to;
    }
}

static void add_eden_again(void) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++)
        if (space_of_part(&all, i) == ABI_HEAP_EDEN) add_again(extent_of_part(&all, i).bottom, part_at(i)->known);
}

/* Survivors that were read: all of them, or those that were early. */
static void add_survivors_again(bool all_of_them) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++) {
        if (space_of_part(&all, i) != ABI_HEAP_SURVIVOR) continue;
        const struct part *of = part_at(i);
        uintptr_t bottom = extent_of_part(&all, i).bottom, known = of->known < bottom ? bottom : of->known;
        size_t before = range_count;
        add_range(all_of_them ? bottom : known, of->early < known ? known : of->early, ABI_HEAP_SURVIVOR,
            ABI_HEAP_MOVED, 0);
        if (range_count > before) ranges[before].again = true;
    }
}

void look_at_spaces(struct heap_news *news, const struct heap_early *early, bool again) {
    struct heap_buffers before = known_buffers();
    memset(news, 0, sizeof *news);
    range_count = 0;
    /* it says nothing of those before it counts what lives, or writes it down */
    news->unseen = collections != collections_begun();
    forget_tops();
    if (news->unseen) {
        forget_spaces();
        before.count = 0;
    }
    collections = collections_begun();
    if (again) add_eden_again();
    /* what was the end of a buffer last time may have objects now */
    for (size_t i = 0; i < before.count; i++)
        add_range(before.free[i].from, before.free[i].to, ABI_HEAP_EDEN, ABI_HEAP_BORN, 0);
    look_at_buffers();
    news->born_early = early->born && !news->unseen && is_whole(early);
    news->moved_early = early->moved && !news->unseen;
    forget_early(!news->born_early, !news->moved_early);
    if (again || early->unkept) add_survivors_again(again);
    if (news->born_early) count_read_early(early->holes, early->count);
    for (size_t i = 0; news->born_early && i < early->count; i++)
        add_range(early->holes[i].from, early->holes[i].to, ABI_HEAP_EDEN, ABI_HEAP_BORN, 0);
    look_at_parts(news->used);
    news->ranges = ranges;
    news->range_count = range_count;
    news->buffers = known_buffers();
}

/* What the collector has left in a space: up to where the VM's counter says, since what was allocated right behind the
 * collection has no header yet. */
static void note_moved(uint32_t space, const int64_t *counter, bool anew) {
    struct parts all = parts_of_heap();
    struct extent e = extent_of_part(&all, space);
    struct part *s = part_at(space);
    s->moved = counter ? e.bottom + (uint64_t)*counter : e.top;
    if (!anew && s->known >= e.bottom) return;
    s->known = e.bottom;
    s->read = (struct coverage){0};
}

/* Where all else is full Serial allocates in a survivor space, too. One of the two is empty, unless a collection has
 * failed. */
static void note_survivors(void) {
    const int64_t *a = survivor_counters[0], *b = survivor_counters[1];
    int64_t used = a && b ? *a + *b : 0;
    note_moved(ABI_HEAP_SURVIVOR, serial && a && b && (*a == 0 || *b == 0) ? &used : NULL, true);
}

/* What is in eden when the world runs again was allocated right behind the collection, and what is humongous too, but
 * that a full collection may have moved it. */
static bool is_of_program(uint32_t tag, uint32_t collected) {
    return tag == vm->eden_tag || (tag & vm->humongous_mask && collected != ABI_HEAP_EVERYTHING);
}

/* Whether a young collection may have found no room for what it moves. */
static bool was_crowded(uint32_t collected) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++)
        if (tags[i] == vm->free_tag && space_of_part(&all, i) == ABI_HEAP_SPACES) return false;
    return collected == ABI_HEAP_YOUNG;
}

/* Regions that are what they were have objects behind those that are known, or none but these. */
static bool is_as_before(uint32_t before, uint32_t now, uint32_t collected) {
    if (before & now & vm->humongous_mask) return true;
    return collected == ABI_HEAP_NOTHING ||
        (before & now & vm->old_mask && collected != ABI_HEAP_EVERYTHING && !crowded);
}

static void look_at_collected_regions(uint32_t collected) {
    struct parts all = parts_of_heap();
    crowded = was_crowded(collected);
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t tag = tag_of_region(all.regions.list[i]);
        if (tag == vm->free_tag)
            *part_at(i) = (struct part){0};
        else if (!is_as_before(tags[i], tag, collected))
            *part_at(i) = (struct part){.moved = is_of_program(tag, collected) ? 0 : UINTPTR_MAX};
    }
}

/* G1 counts the pauses of its concurrent cycles as collections, too: they leave all young regions as they were. */
static bool young_regions_are_as_before(void) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++) {
        if (tags[i] != vm->eden_tag && tags[i] != vm->survivor_tag) continue;
        if (tag_of_region(all.regions.list[i]) != tags[i] || extent_of_part(&all, i).top != part_at(i)->known)
            return false;
    }
    return true;
}

uint32_t look_at_collection(void) {
    uint64_t now = collections_begun(), before = collections;
    uint32_t collected = ABI_HEAP_YOUNG;
    if (now >> 32 != before >> 32)
        collected = ABI_HEAP_EVERYTHING;
    else if (now == before || (has_regions() && young_regions_are_as_before()))
        collected = ABI_HEAP_NOTHING;
    collections = now;
    if (has_regions()) look_at_collected_regions(collected);
    if (collected == ABI_HEAP_NOTHING) return collected;
    forget_buffers();
    if (has_regions()) return collected;
    note_moved(ABI_HEAP_EDEN, eden_counter, true);
    if (collected == ABI_HEAP_YOUNG && !eden_counter) part_at(ABI_HEAP_EDEN)->moved = 0; /* it was empty */
    note_survivors();
    note_moved(TO_SPACE, NULL, true);
    note_moved(ABI_HEAP_OLD, old_counter, collected == ABI_HEAP_EVERYTHING);
    return collected;
}

size_t freed_regions(uint32_t *region, uint64_t *to, size_t n) {
    size_t found = 0;
    struct parts all = has_regions() ? parts_of_heap() : (struct parts){.count = 0};
    for (; *region < all.count && found < n; ++*region) {
        uint32_t before = tags[*region], now = tag_of_region(all.regions.list[*region]);
        bool kept = (before & vm->old_mask & now && !crowded) || before & vm->humongous_mask & now;
        if (before & (vm->old_mask | vm->humongous_mask) && !kept) to[found++] = *region;
    }
    return found;
}

struct heap_bounds heap_bounds(void) {
    struct heap_bounds b = {.from = UINTPTR_MAX};
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++) {
        if (space_of_part(&all, i) == ABI_HEAP_SPACES) continue;
        struct extent e = extent_of_part(&all, i);
        if (e.bottom < b.from) b.from = e.bottom;
        if (e.top > b.to) b.to = e.top;
    }
    return b;
}
