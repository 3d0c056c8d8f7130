/* Single objects: an order for life, and what walks have of each.
 *
 * The order is kept where no collector loses it: in the identity hash, which is made of it. What events have of an
 * object is mostly foreseen: its class by what followed the last time, its order by the one before. So most take some
 * bits.
 *
 * Where the ring fills, births go without addresses first: what is born in eden is told by class then, not in the order
 * of addresses, which takes a sixth of the room, or less. Behind that objects are left out. */
#include "single.h"

#include <string.h>

#include "grouped.h"
#include "leb128.h"
#include "observers.h"
#include "pages.h"

enum {
    WORD = 8,
    VALUES_BYTES = 48 << 10,           /* of an event, behind the flags */
    OBJECT_BYTES = 4 * LEB128_BYTES,   /* of an object, at most */
    FLAG_BITS = 2, OBJECTS_OF_BYTE = 8 / FLAG_BITS
};

/* The class that followed another, in an event. */
static struct follower {
    uint32_t event, class;
} *followers; /* ABI_HEAP_CLASSES, by number */

/* The event that is being made. */
static struct {
    unsigned char header[ABI_HEAP_SINGLES_FLAGS], flags[ABI_HEAP_SINGLES_MOST / OBJECTS_OF_BYTE];
    unsigned char values[VALUES_BYTES], *to; /* up to here they are written */
    struct heap_range range;
    uint32_t number; /* events begun since the start: never that of a follower of another event */
    uint32_t order, before, count; /* order and class of the last object */
    bool placed;                   /* it has addresses */
} now;

static bool telling; /* else there is no room, until the next walk */
static bool placing; /* else births are told without addresses, until the next walk */
static uint32_t walk, last_order;
static uint64_t given;
static uint64_t events, listed, unplaced, left_out, unordered; /* in this walk */

/* Levels of the ring: what is told from each on. */
enum { UNPLACED = 1, SUMS_ALONE = 2 };

bool want_singles(void) {
    if (wants_event(ABI_EVENT_HEAP_SINGLES)) followers = zero_pages(ABI_HEAP_CLASSES * sizeof *followers);
    return followers;
}

void begin_singles(uint32_t number) {
    walk = number;
    events = listed = unplaced = left_out = unordered = 0;
    telling = safepoint_ring.level < SUMS_ALONE;
    placing = safepoint_ring.level < UNPLACED;
}

static uint32_t hash_of_order(uint32_t order) {
    uint32_t x = order * ABI_ORDER_FACTOR & ABI_ORDER_MASK;
    return x ^ x >> ABI_ORDER_SHIFT;
}

static uint32_t order_of_hash(uint32_t hash) {
    return (hash ^ hash >> ABI_ORDER_SHIFT) * ABI_ORDER_INVERSE & ABI_ORDER_MASK;
}

/* An object's order, which it is given if it has no hash; 0: it has none yet. */
static inline uint32_t order_of(uintptr_t object) {
    uint32_t next = last_order % ABI_ORDER_MASK + 1, hash = hash_of_order(next), its = identify(object, hash);
    if (its == hash) {
        given++;
        last_order = next;
        return next;
    }
    return order_of_hash(its);
}

/* Whether an event has room in so many eighths of the ring. Half of it is left for what else there is to tell: sums
 * come behind. */
static bool has_room(uint32_t bytes, uint64_t eighths) {
    struct event_ring *r = &safepoint_ring;
    uint64_t most = r->size / 8 * eighths;
    if (r->written + bytes - r->read > most) r->read = atomic_load_explicit(&r->control->read, memory_order_acquire);
    return r->written + bytes - r->read <= most;
}

enum { FOR_ALL = 4, FOR_PLACED = 3 };

/* From here on objects are in another event. */
static void begin_event(uintptr_t at) {
    const uint32_t header[] = {[ABI_HEAP_SINGLES_WALK / 4] = walk,
                               [ABI_HEAP_SINGLES_SPACE / 4] = now.range.space,
                               [ABI_HEAP_SINGLES_ORIGIN / 4] = now.range.origin,
                               [ABI_HEAP_SINGLES_REGION / 4] = now.range.region,
                               [ABI_HEAP_SINGLES_ORDER / 4] = last_order};
    bool may_group = now.range.space == ABI_HEAP_EDEN && now.range.origin == ABI_HEAP_BORN;
    placing = placing && has_room(VALUES_BYTES, FOR_PLACED);
    now.placed = placing || !may_group;
    uint64_t address = now.placed ? at : 0;
    memcpy(now.header, header, sizeof header);
    memcpy(now.header + ABI_HEAP_SINGLES_ADDRESS, &address, sizeof address);
    now.to = now.values;
    now.order = last_order;
    now.before = now.count = 0;
    now.number++;
}

void begin_piece(const struct heap_range *r, uintptr_t at) {
    now.range = *r;
    begin_event(at);
}

static void end_event(void) {
    uint32_t flags = now.placed ? (now.count + OBJECTS_OF_BYTE - 1) / OBJECTS_OF_BYTE : 0;
    uint32_t values = (uint32_t)(now.to - now.values);
    uint32_t size = ABI_HEAP_SINGLES_FLAGS + flags + values;
    unsigned char *to;
    if (now.count == 0) return;
    telling = telling && has_room(size, FOR_ALL);
    if (!telling || !(to = event_begin(&safepoint_ring, ABI_EVENT_HEAP_SINGLES, size))) {
        left_out += now.count;
        now.count = 0;
        return;
    }
    memcpy(now.header + ABI_HEAP_SINGLES_OBJECTS, &now.count, sizeof now.count);
    memcpy(to, now.header, ABI_HEAP_SINGLES_FLAGS);
    memcpy(to + ABI_HEAP_SINGLES_FLAGS, now.flags, flags);
    memcpy(to + ABI_HEAP_SINGLES_FLAGS + flags, now.values, values);
    event_end(&safepoint_ring, size);
    events++;
    listed += now.count;
    if (!now.placed) unplaced += now.count;
    now.count = 0;
}

static void put_members(const struct object_group *g, uint32_t objects) {
    now.to = put_leb128(now.to, g->class);
    if (g->words) now.to = put_leb128(now.to, g->words);
    now.to = put_leb128(now.to, objects);
}

/* Puts a group into an event: those that are given orders together, and others, that had a hash or get none yet, by
 * themselves. */
static void put_group(const struct object_group *g, const uintptr_t *objects) {
    for (uint32_t i = 0, n; i < g->objects; now.count += n) {
        uint64_t before = given;
        uint32_t order = 0;
        if (now.to > now.values + VALUES_BYTES - 2 * OBJECT_BYTES) {
            end_event();
            begin_event(0);
        }
        for (n = 0; i < g->objects; i++, n++) {
            order = order_of(objects[i]);
            if (given == before + n) break;
        }
        if (n > 0) put_members(g, n);
        if (i == g->objects) continue;
        put_members(g, 0);
        now.to = put_leb128(now.to, order);
        unordered += order == 0;
        i++;
        n++;
    }
}

static void put_groups(void) {
    const struct object_group *groups;
    const uintptr_t *objects;
    uint32_t count = grouped(&groups, &objects);
    for (uint32_t i = 0; i < count; i++) put_group(&groups[i], objects + groups[i].first);
    if (now.count > ABI_HEAP_SINGLES_MOST - GROUPED_MOST) {
        end_event();
        begin_event(0);
    }
}

void end_piece(void) {
    if (!now.placed) put_groups();
    end_event();
}

void put_single(uintptr_t object, const struct heap_class *c, uint64_t bytes) {
    bool says_words = c->size <= 0 || c->number == ABI_HEAP_OTHERS;
    uint32_t flags = 0, before, order;
    if (now.placed && (now.count == ABI_HEAP_SINGLES_MOST || now.to > now.values + VALUES_BYTES - OBJECT_BYTES)) {
        end_event();
        begin_event(object);
    }
    if (!now.placed) {
        if (!group_object(object, c->number, says_words ? (uint32_t)(bytes / WORD) : 0)) put_groups();
        return;
    }
    before = now.order;
    order = order_of(object);
    unordered += order == 0;
    if (!telling) {
        left_out++;
        return;
    }
    struct follower *f = &followers[now.before];
    if (f->event == now.number && f->class == c->number) {
        flags = ABI_HEAP_SINGLES_FOLLOWS;
    } else {
        *f = (struct follower){now.number, c->number};
        now.to = put_leb128(now.to, c->number);
    }
    now.before = c->number;
    if (says_words) now.to = put_leb128(now.to, bytes / WORD);
    if (order == before + 1) {
        flags |= ABI_HEAP_SINGLES_NEXT;
    } else {
        int64_t difference = (int64_t)order - before;
        now.to = put_leb128(now.to, order ? 1 + ((uint64_t)difference << 1 ^ (uint64_t)(difference >> 63)) : 0);
    }
    if (order) now.order = order;
    if (now.range.space == ABI_HEAP_SURVIVOR) now.to = put_leb128(now.to, age_of_object(object));
    unsigned char *byte = &now.flags[now.count / OBJECTS_OF_BYTE];
    unsigned shift = now.count % OBJECTS_OF_BYTE * FLAG_BITS;
    *byte = (unsigned char)((shift ? *byte : 0) | flags << shift);
    now.count++;
}

void end_singles(void) {
    const uint64_t end[ABI_HEAP_SINGLES_END_WORDS] = {
        [ABI_HEAP_SINGLES_END_WALK] = walk,         [ABI_HEAP_SINGLES_END_EVENTS] = events,
        [ABI_HEAP_SINGLES_END_OBJECTS] = listed,    [ABI_HEAP_SINGLES_END_LEFT_OUT] = left_out,
        [ABI_HEAP_SINGLES_END_UNORDERED] = unordered, [ABI_HEAP_SINGLES_END_GIVEN] = given,
        [ABI_HEAP_SINGLES_END_UNPLACED] = unplaced};
    event_put(&safepoint_ring, ABI_EVENT_HEAP_SINGLES_END, end, sizeof end);
}
