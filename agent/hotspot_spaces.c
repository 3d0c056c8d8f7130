/* The spaces of the heap. In each there is an address up to which its objects are known: from there to the top is what
 * has come since. */
#include "hotspot_spaces.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "arrays.h"
#include "coverage.h"
#include "hotspot.h"
#include "hotspot_stops.h"
#include "hotspot_table.h"
#include "pages.h"

enum {
    MOST_REGIONS = 1 << 16,
    MOST_GAPS = 1 << 16, /* threads with a buffer */
    MOST_RANGES = MOST_REGIONS + 2 * MOST_GAPS
};

/* A space of Serial's or Parallel's, or a region of G1's. */
struct space {
    uintptr_t known; /* objects below were read; 0: nothing was */
    uintptr_t moved; /* of the others, those below were put there by the collector */
    uintptr_t early; /* those below were read while the world ran, but for holes in eden; 0: none were */
    struct coverage read, read_early; /* since nothing was known; what may yet count */
};

static const struct hotspot *vm;
static bool g1, serial;

/* Eden, survivor, old, and the space that the next young collection copies to: without G1. That is empty, but when
 * there was no room for all that lives: what was copied there stays, and full collections leave objects there. The VM
 * does not count it as used. */
enum { TO_SPACE = ABI_HEAP_OLD + 1, SPACES };
static struct space spaces[SPACES];
static struct space *regions; /* MOST_REGIONS */
static uint32_t *tags;                        /* of regions, at the start of the pause */

/* Where parts of eden end; 0: it is none. */
struct tops {
    uintptr_t *list; /* MOST_REGIONS */
    uint32_t count;  /* 0: there are none */
    int64_t stops;   /* world_stops() before; -1: the world may have been stopped */
};
static struct tops noted, kept;
static uint64_t eden_noted, eden_begun, eden_filled; /* bytes: noted, when the pause began, and the last collection */
static bool crowded; /* no region stayed free in the collection: it may have left objects in old ones that it emptied */
static uint64_t collections;                  /* all and full ones, at the start of the pause, then at its end */
static const int64_t *eden_counter, *survivor_counters[2], *old_counter; /* bytes used after a collection, or NULL */

static struct heap_range *ranges; /* MOST_RANGES */
static size_t range_count;
static struct heap_gap *gaps; /* MOST_GAPS */
static size_t gap_count;

/* What is in front of gaps in threads' buffers, and was read of it. */
struct filled {
    struct heap_gap *list; /* MOST_GAPS */
    struct coverage *read; /* MOST_GAPS */
};
static struct filled filled, filled_before; /* in this walk, and the one before */

/* Both numbers, of all collections and of full ones behind it (CollectedHeap). */
static uint64_t collections_begun(void) { return AT(uint64_t, collected_heap() + vm->total_collections); }

static uint32_t tag_of(uintptr_t region) {
    return region ? AT(uint32_t, region + vm->region_type + vm->region_tag) : (uint32_t)vm->free_tag;
}

/* Nothing is known, as when the JVM has said nothing of a collection. All of the heap is read then; what is in eden may
 * be the program's. */
static void forget_spaces(void) {
    const struct space moved = {.moved = UINTPTR_MAX};
    struct regions all = g1 ? g1_regions() : (struct regions){0};
    gap_count = 0;
    spaces[ABI_HEAP_EDEN] = (struct space){0};
    spaces[ABI_HEAP_SURVIVOR] = spaces[ABI_HEAP_OLD] = spaces[TO_SPACE] = moved;
    for (uint32_t i = 0; i < all.count && i < MOST_REGIONS; i++) {
        uint32_t tag = tag_of(all.list[i]);
        regions[i] = tag == vm->free_tag || tag == vm->eden_tag ? (struct space){0} : moved;
    }
}

static bool make_filled(struct filled *f) {
    f->list = zero_pages(MOST_GAPS * sizeof *f->list);
    f->read = zero_pages(MOST_GAPS * sizeof *f->read);
    return f->list && f->read;
}

const char *find_spaces(void) {
    const char *gc = collector();
    vm = hotspot_entries();
    g1 = strcmp(gc, "G1") == 0;
    serial = strcmp(gc, "Serial") == 0;
    bool parallel = strcmp(gc, "Parallel") == 0;
    if (!vm->on[USE_FLAGS]) return "this JVM does not say which collector it has";
    if (!g1 && !serial && !parallel)
        return "this collector's heap cannot be read; run with -XX:+UseG1GC, -XX:+UseParallelGC or -XX:+UseSerialGC";
    if (parallel && flag_set("UseNUMA")) return "a heap on several nodes cannot be read; run with -XX:-UseNUMA";
    if (g1 ? !vm->on[USE_G1] || !vm->on[USE_OBJECTS_G1] : !vm->on[serial ? USE_SERIAL : USE_PARALLEL])
        return "this JVM's heap is not as Mallard knows it";
    if (g1 && g1_regions().count > MOST_REGIONS)
        return "there are too many regions to be read; run with a larger -XX:G1HeapRegionSize";
    regions = zero_pages(MOST_REGIONS * sizeof *regions);
    tags = zero_pages(MOST_REGIONS * sizeof *tags);
    noted.list = zero_pages(MOST_REGIONS * sizeof *noted.list);
    kept.list = zero_pages(MOST_REGIONS * sizeof *kept.list);
    ranges = zero_pages(MOST_RANGES * sizeof *ranges);
    gaps = zero_pages(MOST_GAPS * sizeof *gaps);
    if (!regions || !tags || !noted.list || !kept.list || !ranges || !gaps || !make_filled(&filled) ||
        !make_filled(&filled_before))
        return "there is no memory for what is known of the heap";
    forget_spaces(); /* there may have been collections */
    collections = collections_begun();
    eden_counter = performance_counter("sun.gc.generation.0.space.0.used");
    survivor_counters[0] = performance_counter("sun.gc.generation.0.space.1.used");
    survivor_counters[1] = performance_counter("sun.gc.generation.0.space.2.used");
    old_counter = performance_counter("sun.gc.generation.1.space.0.used");
    return NULL;
}

/* Where a space is: from its first object to behind its last. */
struct extent {
    uintptr_t bottom, top;
};

static struct extent extent_of(uint32_t space) {
    uintptr_t young, old, at;
    if (serial) {
        young = AT(uintptr_t, collected_heap() + vm->young);
        old = AT(uintptr_t, collected_heap() + vm->old);
        at = space == ABI_HEAP_EDEN       ? AT(uintptr_t, young + vm->eden)
             : space == ABI_HEAP_SURVIVOR ? AT(uintptr_t, young + vm->survivor)
             : space == TO_SPACE          ? AT(uintptr_t, young + vm->to_space)
                                          : AT(uintptr_t, old + vm->old_space);
        return (struct extent){AT(uintptr_t, at + vm->space_bottom), AT(uintptr_t, at + vm->space_top)};
    }
    young = AT(uintptr_t, vm->young_address);
    old = AT(uintptr_t, vm->old_address);
    at = space == ABI_HEAP_EDEN       ? AT(uintptr_t, young + vm->ps_eden)
         : space == ABI_HEAP_SURVIVOR ? AT(uintptr_t, young + vm->ps_survivor)
         : space == TO_SPACE          ? AT(uintptr_t, young + vm->ps_to_space)
                                      : AT(uintptr_t, old + vm->ps_old_space);
    return (struct extent){AT(uintptr_t, at + vm->mutable_bottom), AT(uintptr_t, at + vm->mutable_top)};
}

static void add_range(uintptr_t from, uintptr_t to, uint32_t space, uint32_t origin, uint32_t region) {
    if (from >= to || range_count == MOST_RANGES) return;
    ranges[range_count++] = (struct heap_range){from, to, space, origin, region, false};
}

static uintptr_t first_unread(const struct space *of, struct extent e) {
    uintptr_t from = of->known < e.bottom ? e.bottom : of->known;
    return from < of->early ? of->early : from;
}

/* What has come to a space, in two parts: the collector's and the program's. */
static void add_news(struct space *of, struct extent e, uint32_t space, uint32_t region) {
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

static struct extent region_extent(uintptr_t region) {
    return (struct extent){AT(uintptr_t, region + vm->region_bottom), AT(uintptr_t, region + vm->region_top)};
}

/* Of a humongous object, all regions that it is in. */
static void add_humongous(const struct regions *all, uint32_t region) {
    struct space *of = &regions[region];
    struct extent e = region_extent(all->list[region]);
    if (of->known > e.bottom) return;
    uintptr_t top = e.top;
    for (uint32_t i = region + 1; i < all->count && tag_of(all->list[i]) == vm->continued_tag; i++)
        top = region_extent(all->list[i]).top;
    add_range(e.bottom, top, ABI_HEAP_HUMONGOUS, of->moved > e.bottom ? ABI_HEAP_MOVED : ABI_HEAP_BORN, region);
    of->known = top;
}

/* Where a region's objects are, by its tag: regions that are not free. */
static uint32_t space_of(uint32_t tag) {
    return tag == vm->eden_tag       ? ABI_HEAP_EDEN
           : tag == vm->survivor_tag ? ABI_HEAP_SURVIVOR
           : tag & vm->old_mask      ? ABI_HEAP_OLD
                                     : ABI_HEAP_HUMONGOUS;
}

static void look_at_regions(uint64_t *used) {
    struct regions all = g1_regions();
    for (uint32_t i = 0; i < all.count && i < MOST_REGIONS; i++) {
        uint32_t tag = tags[i] = tag_of(all.list[i]);
        if (tag == vm->free_tag) {
            regions[i] = (struct space){0};
            continue;
        }
        struct extent e = region_extent(all.list[i]);
        uint32_t space = space_of(tag);
        used[space] += e.top - e.bottom;
        if (space == ABI_HEAP_EDEN || space == ABI_HEAP_SURVIVOR)
            add_news(&regions[i], e, space, 0);
        else if (space == ABI_HEAP_OLD)
            add_news(&regions[i], e, space, i);
        else if (tag == vm->humongous_tag)
            add_humongous(&all, i);
    }
}

bool can_read_early(void) { return find_stops() && find_buffers(); }

bool may_be_moved_unannounced(void) {
    enum { ALL_ANNOUNCED = 25 }; /* by who collects (SerialHeap::do_full_collection), and not by who asks for it */
    return !g1 && agent.feature < ALL_ANNOUNCED;
}

bool nothing_collected(void) {
    const uint64_t *begun = (const uint64_t *)(collected_heap() + vm->total_collections);
    return g1 || __atomic_load_n(begun, __ATOMIC_SEQ_CST) == collections;
}

/* G1's regions, or the others' spaces. */
struct parts {
    struct regions regions;
    uint32_t count;
};

static struct parts parts_of_heap(void) {
    if (!g1) return (struct parts){.count = SPACES};
    struct regions all = g1_regions();
    return (struct parts){all, all.count < MOST_REGIONS ? (uint32_t)all.count : MOST_REGIONS};
}

static struct space *part_at(uint32_t i) { return g1 ? &regions[i] : &spaces[i]; }

/* Where a part's objects are; ABI_HEAP_SPACES: it is free. */
static uint32_t space_of_part(const struct parts *all, uint32_t i) {
    if (!g1) return i == TO_SPACE ? ABI_HEAP_SURVIVOR : i;
    uint32_t tag = tag_of(all->regions.list[i]);
    return tag == vm->free_tag ? ABI_HEAP_SPACES : space_of(tag);
}

static bool is_eden(const struct parts *all, uint32_t i) { return space_of_part(all, i) == ABI_HEAP_EDEN; }

static struct extent extent_of_part(const struct parts *all, uint32_t i) {
    return g1 ? region_extent(all->regions.list[i]) : extent_of(i);
}

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

bool nothing_stopped(void) { return kept.count > 0 && kept.stops >= 0 && kept.stops == world_stops(); }

/* What of a part of eden was not read yet, up to an end. */
static bool unread(uint32_t part, uintptr_t from, uintptr_t to, struct heap_gap *gap) {
    const struct space *of = part_at(part);
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
        const struct space *of = part_at(*part);
        struct extent e = extent_of_part(&all, *part);
        *to = (struct heap_range){.from = first_unread(of, e), .to = of->moved < e.top ? of->moved : e.top,
            .space = space, .origin = ABI_HEAP_MOVED, .region = g1 ? *part : 0};
        if (to->from < to->to) return true;
    }
    return false;
}

void read_early(uint32_t part, uintptr_t to) { part_at(part)->early = to; }

static void forget_early(bool eden, bool others) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++) {
        if (!(is_eden(&all, i) ? eden : others)) continue;
        part_at(i)->early = 0;
        part_at(i)->read_early = (struct coverage){0};
    }
}

/* Whether each buffer that is in use where reading came by is in a hole: else it was not known to be there. */
static bool is_whole(const struct heap_early *early) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++) {
        const struct space *of = part_at(i);
        if (!of->early) continue;
        uintptr_t bottom = extent_of_part(&all, i).bottom, from = of->known < bottom ? bottom : of->known;
        for (size_t g = gap_from(gaps, gap_count, from); g < gap_count && gaps[g].from < of->early; g++) {
            size_t next = gap_from(early->holes, early->count, gaps[g].from + 1);
            if (next == 0 || early->holes[next - 1].to < gaps[g].to) return false;
        }
    }
    return true;
}

/* What was read of a part of eden before: gaps were not. */
static void add_again(uintptr_t from, uintptr_t to) {
    for (size_t g = gap_from(gaps, gap_count, from); from < to; g++) {
        bool gap = g < gap_count && gaps[g].from < to;
        size_t before = range_count;
        add_range(from, gap ? gaps[g].from : to, ABI_HEAP_EDEN, ABI_HEAP_BORN, 0);
        if (range_count > before) ranges[before].again = true;
        from = gap ? gaps[g].to : to;
    }
}

static void add_eden_again(void) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++)
        if (is_eden(&all, i)) add_again(extent_of_part(&all, i).bottom, part_at(i)->known);
}

/* Survivors that were read: all of them, or those that were early. */
static void add_survivors_again(bool all_of_them) {
    struct parts all = parts_of_heap();
    for (uint32_t i = 0; i < all.count; i++) {
        if (space_of_part(&all, i) != ABI_HEAP_SURVIVOR) continue;
        const struct space *of = part_at(i);
        uintptr_t bottom = extent_of_part(&all, i).bottom, known = of->known < bottom ? bottom : of->known;
        size_t before = range_count;
        add_range(all_of_them ? bottom : known, of->early < known ? known : of->early, ABI_HEAP_SURVIVOR,
            ABI_HEAP_MOVED, 0);
        if (range_count > before) ranges[before].again = true;
    }
}

/* Of a buffer that a thread still has something was read. */
static void look_at_buffers(void) {
    struct filled last = filled;
    size_t before = gap_count;
    filled = filled_before;
    filled_before = last;
    gap_count = parts_of_buffers(filled.list, gaps, MOST_GAPS);
    for (size_t i = 0; i < gap_count; i++) {
        size_t was = gap_from(last.list, before, filled.list[i].from);
        bool same = was < before && last.list[was].from == filled.list[i].from;
        filled.read[i] = same ? last.read[was] : (struct coverage){0};
    }
}

void look_at_spaces(struct heap_news *news, const struct heap_early *early, bool again) {
    memset(news, 0, sizeof *news);
    range_count = 0;
    /* it says nothing of those before it counts what lives, or writes it down */
    news->unseen = collections != collections_begun();
    kept.count = 0;
    if (news->unseen) forget_spaces();
    collections = collections_begun();
    if (again) add_eden_again();
    /* what was the end of a buffer last time may have objects now */
    for (size_t i = 0; i < gap_count; i++) add_range(gaps[i].from, gaps[i].to, ABI_HEAP_EDEN, ABI_HEAP_BORN, 0);
    look_at_buffers();
    news->born_early = early->born && !news->unseen && is_whole(early);
    news->moved_early = early->moved && !news->unseen;
    forget_early(!news->born_early, !news->moved_early);
    if (again || early->unkept) add_survivors_again(again);
    for (size_t i = 0; news->born_early && i < early->count; i++)
        add_range(early->holes[i].from, early->holes[i].to, ABI_HEAP_EDEN, ABI_HEAP_BORN, 0);
    if (g1) look_at_regions(news->used);
    for (uint32_t i = 0; !g1 && i < SPACES; i++) {
        struct extent e = extent_of(i);
        uint32_t space = i == TO_SPACE ? ABI_HEAP_SURVIVOR : i;
        news->used[space] += e.top - e.bottom;
        add_news(&spaces[i], e, space, 0);
    }
    eden_begun = news->used[ABI_HEAP_EDEN];
    news->ranges = ranges;
    news->range_count = range_count;
    news->gaps = gaps;
    news->filled = filled.list;
    news->gap_count = gap_count;
    news->too_many_gaps = gap_count == MOST_GAPS;
}

static uintptr_t region_shift(void) { return AT(uint32_t, region_table() + vm->region_shift); }

static uintptr_t region_bias(void) { return AT(size_t, region_table() + vm->region_bias); }

static struct space *region_at(uintptr_t address) { return &regions[(address >> region_shift()) - region_bias()]; }

/* The space that an address is in, or the region, of a humongous object's the first one. */
static struct space *space_at(uintptr_t address) {
    uint32_t i = 0;
    if (g1) {
        struct space *region = region_at(address);
        while (region > regions && tags[region - regions] == vm->continued_tag) region--;
        return region;
    }
    for (; i < SPACES - 1; i++) {
        struct extent e = extent_of(i);
        if (address >= e.bottom && address < e.top) break;
    }
    return &spaces[i];
}

void note_read(uintptr_t from, uintptr_t to) {
    if (from >= to) return;
    struct coverage part = coverage_of(from, to);
    size_t next = gap_from(filled.list, gap_count, from + 1);
    add_coverage_of_many(&space_at(from)->read, part);
    if (next > 0 && from < filled.list[next - 1].to) add_coverage_of_many(&filled.read[next - 1], part);
}

void note_read_early(uintptr_t from, uintptr_t to) {
    add_coverage(&(g1 ? region_at(from) : space_at(from))->read_early, coverage_of(from, to));
}

static void compare_space(struct space *of, struct extent e, struct heap_compared *to) {
    struct coverage is = coverage_of(e.bottom, e.top);
    to->regions++;
    if (is_same_coverage(of->read, is)) return;
    to->other_regions++;
    to->other_bytes += of->read.bytes < is.bytes ? is.bytes - of->read.bytes : of->read.bytes - is.bytes;
    of->read = is;
}

void compare_spaces(struct heap_compared *to) {
    struct regions all = g1 ? g1_regions() : (struct regions){0};
    *to = (struct heap_compared){0};
    for (size_t i = 0; i < gap_count; i++) {
        const struct heap_gap *is = &filled.list[i];
        to->buffers += is->from < is->to;
        to->other_buffers += !is_same_coverage(filled.read[i], coverage_of(is->from, is->to));
        add_coverage(&space_at(gaps[i].from)->read, coverage_of(gaps[i].from, gaps[i].to));
    }
    for (uint32_t i = 0; i < all.count && i < MOST_REGIONS; i++)
        if (tags[i] == vm->continued_tag)
            to->regions++; /* the first one's is all of the object */
        else if (tags[i] != vm->free_tag)
            compare_space(&regions[i], (struct extent){(i + region_bias()) << region_shift(), regions[i].known}, to);
    for (uint32_t i = 0; !g1 && i < SPACES; i++) compare_space(&spaces[i], extent_of(i), to);
    /* there may be objects the next time */
    for (size_t i = 0; i < gap_count; i++)
        subtract_coverage(&space_at(gaps[i].from)->read, coverage_of(gaps[i].from, gaps[i].to));
}

/* What the collector has left in a space: up to where the VM's counter says, since what was allocated right behind the
 * collection has no header yet. */
static void note_moved(uint32_t space, const int64_t *counter, bool anew) {
    struct extent e = extent_of(space);
    struct space *s = &spaces[space];
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
    struct regions all = g1_regions();
    for (uint32_t i = 0; i < all.count && i < MOST_REGIONS; i++)
        if (tags[i] == vm->free_tag && tag_of(all.list[i]) == vm->free_tag) return false;
    return collected == ABI_HEAP_YOUNG;
}

/* Regions that are what they were have objects behind those that are known, or none but these. */
static bool is_as_before(uint32_t before, uint32_t now, uint32_t collected) {
    if (before & now & vm->humongous_mask) return true;
    return collected == ABI_HEAP_NOTHING ||
        (before & now & vm->old_mask && collected != ABI_HEAP_EVERYTHING && !crowded);
}

static void look_at_collected_regions(uint32_t collected) {
    struct regions all = g1_regions();
    crowded = was_crowded(collected);
    for (uint32_t i = 0; i < all.count && i < MOST_REGIONS; i++) {
        uint32_t tag = tag_of(all.list[i]);
        if (tag == vm->free_tag)
            regions[i] = (struct space){0};
        else if (!is_as_before(tags[i], tag, collected))
            regions[i] = (struct space){.moved = is_of_program(tag, collected) ? 0 : UINTPTR_MAX};
    }
}

/* G1 counts the pauses of its concurrent cycles as collections, too: they leave all young regions as they were. */
static bool young_regions_are_as_before(void) {
    struct regions all = g1_regions();
    for (uint32_t i = 0; i < all.count && i < MOST_REGIONS; i++) {
        if (tags[i] != vm->eden_tag && tags[i] != vm->survivor_tag) continue;
        if (tag_of(all.list[i]) != tags[i] || region_extent(all.list[i]).top != regions[i].known) return false;
    }
    return true;
}

uint32_t look_at_collection(void) {
    uint64_t now = collections_begun(), before = collections;
    uint32_t collected = ABI_HEAP_YOUNG;
    if (now >> 32 != before >> 32)
        collected = ABI_HEAP_EVERYTHING;
    else if (now == before || (g1 && young_regions_are_as_before()))
        collected = ABI_HEAP_NOTHING;
    collections = now;
    if (g1) look_at_collected_regions(collected);
    if (collected == ABI_HEAP_NOTHING) return collected;
    eden_filled = eden_begun;
    gap_count = 0;
    if (g1) return collected;
    note_moved(ABI_HEAP_EDEN, eden_counter, true);
    if (collected == ABI_HEAP_YOUNG && !eden_counter) spaces[ABI_HEAP_EDEN].moved = 0; /* it was empty */
    note_survivors();
    note_moved(TO_SPACE, NULL, true);
    note_moved(ABI_HEAP_OLD, old_counter, collected == ABI_HEAP_EVERYTHING);
    return collected;
}

size_t freed_regions(uint32_t *region, uint64_t *to, size_t n) {
    size_t found = 0;
    struct regions all = g1 ? g1_regions() : (struct regions){0};
    for (; *region < all.count && *region < MOST_REGIONS && found < n; ++*region) {
        uint32_t before = tags[*region], now = tag_of(all.list[*region]);
        bool kept = (before & vm->old_mask & now && !crowded) || before & vm->humongous_mask & now;
        if (before & (vm->old_mask | vm->humongous_mask) && !kept) to[found++] = *region;
    }
    return found;
}

struct heap_bounds heap_bounds(void) {
    struct heap_bounds b = {.from = UINTPTR_MAX};
    struct regions all = g1 ? g1_regions() : (struct regions){.count = SPACES};
    for (uint32_t i = 0; i < all.count; i++) {
        if (g1 && tag_of(all.list[i]) == vm->free_tag) continue;
        struct extent e = g1 ? region_extent(all.list[i]) : extent_of(i);
        if (e.bottom < b.from) b.from = e.bottom;
        if (e.top > b.to) b.to = e.top;
    }
    return b;
}
