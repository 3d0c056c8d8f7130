/* The parts that the heap is read in: G1's regions, or the spaces of other collectors. In each there is an address up
 * to which its objects are known: from there to the top is what has come since. Only hotspot_spaces.c, hotspot_tops.c
 * and hotspot_compared.c include this. */
#ifndef MALLARD_HOTSPOT_PARTS_H
#define MALLARD_HOTSPOT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi.h"
#include "coverage.h"
#include "hotspot_table.h"

enum { MOST_PARTS = 1 << 16 };

/* Without G1: eden, survivor, old, and the space that the next young collection copies to. That is empty, but when
 * there was no room for all that lives: what was copied there stays, and full collections leave objects there. The VM
 * does not count it as used. */
enum { TO_SPACE = ABI_HEAP_OLD + 1, SPACES };

struct part {
    uintptr_t known; /* objects below were read; 0: nothing was */
    uintptr_t moved; /* of the others, those below were put there by the collector */
    uintptr_t early; /* those below were read while the world ran, but for holes in eden; 0: none were */
    struct coverage read, read_early; /* since nothing was known; what may yet count */
};

/* Where a part's objects are: from its first one to behind its last, and up to where there is room for more; 0: not
 * known. */
struct extent {
    uintptr_t bottom, top, end;
};

/* All parts, as they are now. */
struct parts {
    struct regions regions; /* of G1 */
    uint32_t count;         /* MOST_PARTS at most */
};

/* VMInit. NULL, or why the heap cannot be read, with what to change. */
const char *find_parts(void);

bool has_regions(void); /* G1 */
uint64_t bytes_of_region(void);

struct parts parts_of_heap(void);
struct part *part_at(uint32_t i);

/* In which space a part is; ABI_HEAP_SPACES: it is free. */
uint32_t space_of_part(const struct parts *all, uint32_t i);

/* Whether a region is a later one of a humongous object, with which the first one has all of it. */
bool is_continued(const struct parts *all, uint32_t i);

struct extent extent_of_part(const struct parts *all, uint32_t i);
/* The part that an address is in, of a humongous object's the first one. */
struct part *part_of(uintptr_t address);

/* A region's tag (HeapRegionType), and that of those that are free. */
uint32_t tag_of_region(uintptr_t region);

/* Where what was not read of a part begins. */
static inline uintptr_t first_unread(const struct part *of, struct extent e) {
    uintptr_t from = of->known < e.bottom ? e.bottom : of->known;
    return from < of->early ? of->early : from;
}

#endif
