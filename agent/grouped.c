/* Groups of objects: a table finds the group of each when it comes, and each group's objects are put together at the
 * end. */
#include "grouped.h"

#include <string.h>

enum { SLOT_BITS = 13, SLOTS = 1 << SLOT_BITS /* twice as many as there can be groups */ };

static struct object_group groups[GROUPED_MOST];
static uint16_t slots[SLOTS]; /* a group, and 1; 0: none */
static struct {
    uintptr_t object;
    uint32_t group;
} taken[GROUPED_MOST];
static uintptr_t together[GROUPED_MOST];
static uint32_t group_count, taken_count;

static uint32_t group_of(uint32_t class, uint32_t words) {
    uint32_t at = (class * UINT32_C(0x9E3779B1) ^ words * UINT32_C(0x85EBCA6B)) >> (32 - SLOT_BITS);
    for (; slots[at]; at = (at + 1) % SLOTS)
        if (groups[slots[at] - 1].class == class && groups[slots[at] - 1].words == words) return slots[at] - 1;
    groups[group_count] = (struct object_group){.class = class, .words = words};
    slots[at] = (uint16_t)++group_count;
    return group_count - 1;
}

bool group_object(uintptr_t object, uint32_t class, uint32_t words) {
    uint32_t group = group_of(class, words);
    groups[group].objects++;
    taken[taken_count].object = object;
    taken[taken_count++].group = group;
    return taken_count < GROUPED_MOST;
}

uint32_t grouped(const struct object_group **all, const uintptr_t **objects) {
    uint32_t count = group_count, first = 0;
    for (uint32_t i = 0; i < count; i++) {
        groups[i].first = first;
        first += groups[i].objects;
        groups[i].objects = 0;
    }
    for (uint32_t i = 0; i < taken_count; i++) {
        struct object_group *g = &groups[taken[i].group];
        together[g->first + g->objects++] = taken[i].object;
    }
    group_count = taken_count = 0;
    memset(slots, 0, sizeof slots);
    *all = groups;
    *objects = together;
    return count;
}
