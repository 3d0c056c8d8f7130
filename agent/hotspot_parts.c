/* The parts that the heap is read in. */
#include "hotspot_parts.h"

#include <string.h>

#include "agent.h"
#include "hotspot.h"
#include "pages.h"

static const struct hotspot *vm;
static bool g1, serial;
static struct part *parts; /* MOST_PARTS */

const char *find_parts(void) {
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
    if (g1 && g1_regions().count > MOST_PARTS)
        return "there are too many regions to be read; run with a larger -XX:G1HeapRegionSize";
    parts = zero_pages(MOST_PARTS * sizeof *parts);
    return parts ? NULL : "there is no memory for what is known of the heap";
}

bool has_regions(void) { return g1; }

uint64_t bytes_of_region(void) { return UINT64_C(1) << AT(uint32_t, region_table() + vm->region_shift); }

struct parts parts_of_heap(void) {
    if (!g1) return (struct parts){.count = SPACES};
    struct regions all = g1_regions();
    return (struct parts){all, all.count < MOST_PARTS ? (uint32_t)all.count : MOST_PARTS};
}

struct part *part_at(uint32_t i) { return &parts[i]; }

uint32_t tag_of_region(uintptr_t region) {
    return region ? AT(uint32_t, region + vm->region_type + vm->region_tag) : (uint32_t)vm->free_tag;
}

uint32_t space_of_part(const struct parts *all, uint32_t i) {
    if (!g1) return i == TO_SPACE ? ABI_HEAP_SURVIVOR : i;
    uint32_t tag = tag_of_region(all->regions.list[i]);
    return tag == vm->free_tag       ? ABI_HEAP_SPACES
           : tag == vm->eden_tag     ? ABI_HEAP_EDEN
           : tag == vm->survivor_tag ? ABI_HEAP_SURVIVOR
           : tag & vm->old_mask      ? ABI_HEAP_OLD
                                     : ABI_HEAP_HUMONGOUS;
}

bool is_continued(const struct parts *all, uint32_t i) {
    return g1 && tag_of_region(all->regions.list[i]) == vm->continued_tag;
}

static struct extent extent_of_space(uint32_t space) {
    uintptr_t young, old, at;
    if (serial) {
        young = AT(uintptr_t, collected_heap() + vm->young);
        old = AT(uintptr_t, collected_heap() + vm->old);
        at = space == ABI_HEAP_EDEN       ? AT(uintptr_t, young + vm->eden)
             : space == ABI_HEAP_SURVIVOR ? AT(uintptr_t, young + vm->survivor)
             : space == TO_SPACE          ? AT(uintptr_t, young + vm->to_space)
                                          : AT(uintptr_t, old + vm->old_space);
        return (struct extent){AT(uintptr_t, at + vm->space_bottom), AT(uintptr_t, at + vm->space_top),
            AT(uintptr_t, at + vm->space_end)};
    }
    young = AT(uintptr_t, vm->young_address);
    old = AT(uintptr_t, vm->old_address);
    at = space == ABI_HEAP_EDEN       ? AT(uintptr_t, young + vm->ps_eden)
         : space == ABI_HEAP_SURVIVOR ? AT(uintptr_t, young + vm->ps_survivor)
         : space == TO_SPACE          ? AT(uintptr_t, young + vm->ps_to_space)
                                      : AT(uintptr_t, old + vm->ps_old_space);
    return (struct extent){AT(uintptr_t, at + vm->mutable_bottom), AT(uintptr_t, at + vm->mutable_top),
        AT(uintptr_t, at + vm->mutable_end)};
}

struct extent extent_of_part(const struct parts *all, uint32_t i) {
    if (!g1) return extent_of_space(i);
    uintptr_t region = all->regions.list[i];
    return (struct extent){AT(uintptr_t, region + vm->region_bottom), AT(uintptr_t, region + vm->region_top), 0};
}

/* G1 has its regions in a table by address, of which the first entry is that of address 0 (G1BiasedMappedArray). */
static uint32_t region_of(uintptr_t address) {
    uintptr_t table = region_table();
    return (uint32_t)((address >> AT(uint32_t, table + vm->region_shift)) - AT(size_t, table + vm->region_bias));
}

struct part *part_of(uintptr_t address) {
    struct parts all = parts_of_heap();
    uint32_t i = g1 ? region_of(address) : 0;
    if (g1) {
        while (i > 0 && is_continued(&all, i)) i--;
        return &parts[i];
    }
    for (; i < SPACES - 1; i++) {
        struct extent e = extent_of_space(i);
        if (address >= e.bottom && address < e.top) break;
    }
    return &parts[i];
}
