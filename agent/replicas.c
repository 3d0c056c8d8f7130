/* Groups of objects whose contents are equal, in one walk.
 *
 * What is born and what has lived are compared apart: of a class these are two sets.
 *
 * Groups are in a table by set and hash. A set that has too many of them has a level: from then on only groups are
 * there whose hash has so many low bits that are 0, each of which is as likely to be one as any other, and complete.
 * That they are few keeps the table in the processor's cache, too. All others compete for places in a second table, one
 * for some hashes each: an object that finds another group there takes a vote from it, and its place when it has none.
 * So what most objects belong to stays there, and is counted but for what came before. */
#include "replicas.h"

#include <string.h>

#include "agent.h"
#include "examples.h"
#include "hotspot_contents.h"
#include "leb128.h"
#include "name_patterns.h"
#include "observers.h"
#include "pages.h"

enum {
    WORD = 8,
    ROWS_BYTES = 4096,       /* of an event */
    ROW_BYTES = 5 * LEB128_BYTES,
    SLOTS = 1 << 17,         /* for groups */
    MOST_GROUPS = SLOTS / 2, /* then they are told */
    MOST_VOTES = 1 << 10,
    LIVED = ABI_HEAP_CLASSES, /* of what has lived the set is this far behind that of what is born, a class's number */
    SETS = 2 * LIVED
};

struct group {
    uint64_t hash;
    uint32_t set, objects;   /* objects 0: there is none */
    uint32_t words;          /* of each */
    uint32_t votes;          /* of those that compete */
};

static struct group *groups; /* open addressing */
static uint32_t *used, used_count; /* slots of groups */

static struct group *frequent; /* by place: its objects in this walk */
static bool competing;         /* for places, in this walk */

/* An object of each group, by slot and by place, where contents are asked for; else NULL. */
static uintptr_t *examples, *frequent_examples;

/* What was hashed of a set. */
static struct hashed {
    uint64_t objects, bytes; /* in this walk */
    uint32_t unknown;        /* objects that were not */
    uint32_t distinct;       /* groups */
    uint32_t level;          /* for life */
    uint32_t listed;         /* in this walk */
    enum { UNDECIDED, CHOSEN, LEFT_ALONE } choice; /* for life */
} *by_set;                 /* by number */
static uint32_t *sets, set_count; /* those that are listed */

static struct class_search search;
static struct heap_class other; /* of it: those without a number are not looked at */
static uint32_t walk, left_out; /* walks to come that are */
static uint64_t start, hashed, events; /* of this walk */

bool want_replicas(new_heap_class *is_new) {
    const char *why, *without;
    bool shows;
    if (!wants_event(ABI_EVENT_REPLICA_END)) return false;
    groups = zero_pages(SLOTS * sizeof *groups);
    used = zero_pages(MOST_GROUPS * sizeof *used);
    frequent = zero_pages(ABI_REPLICA_PLACES * sizeof *frequent);
    by_set = zero_pages(SETS * sizeof *by_set);
    sets = zero_pages(SETS * sizeof *sets);
    search = (struct class_search){is_new, &other};
    why = find_contents();
    if (!why && (!groups || !used || !frequent || !by_set || !sets)) why = "there is no memory for groups";
    if (why) send_loss("replicas", 1, why);
    without = want_examples(&shows);
    if (!without && shows) {
        examples = zero_pages(SLOTS * sizeof *examples);
        frequent_examples = zero_pages(ABI_REPLICA_PLACES * sizeof *frequent_examples);
        if (!examples || !frequent_examples) without = "there is no memory for examples of contents";
    }
    if (without) {
        examples = frequent_examples = NULL;
        send_loss("replicas", 1, without);
    }
    return !why;
}

static void put_end(bool is_skipped) {
    const uint64_t end[ABI_REPLICA_END_WORDS] = {
        [ABI_REPLICA_END_SET] = walk, [ABI_REPLICA_END_EVENTS] = events,
        [ABI_REPLICA_END_NANOSECONDS] = is_skipped ? 0 : recorded_time() - start, [ABI_REPLICA_END_OBJECTS] = hashed,
        [ABI_REPLICA_END_WALKS] = !is_skipped, [ABI_REPLICA_END_SKIPPED] = is_skipped,
        [ABI_REPLICA_END_DEPTH] = replica_options.depth, [ABI_REPLICA_END_BUDGET] = replica_options.pause};
    event_put(&safepoint_ring, ABI_EVENT_REPLICA_END, end, sizeof end);
}

void forget_replicas(const uint32_t *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        by_set[numbers[i]] = by_set[numbers[i] + LIVED] = (struct hashed){0};
        if (examples) forget_examples(numbers[i]);
    }
}

bool begin_replicas(uint32_t number, bool same_classes, bool last) {
    walk = number;
    start = recorded_time();
    hashed = events = 0;
    if (!same_classes) forget_contents();
    begin_examples();
    if (left_out == 0 || last) return true;
    left_out--;
    put_end(true);
    return false;
}

static inline bool is_complete(uint64_t hash, uint32_t level) { return (hash & ((UINT64_C(1) << level) - 1)) == 0; }

/* An event that is being written. */
struct rows {
    uint32_t kind;
    unsigned char *event, *to;
};

static void end_rows(struct rows *r) {
    if (r->event) event_end(&safepoint_ring, (uint32_t)(r->to - r->event));
    r->event = NULL;
}

/* Room for a row; false: there is none. */
static bool has_room(struct rows *r) {
    _Static_assert(sizeof walk == ABI_REPLICA_SUMS_ROWS && ABI_REPLICA_GROUPS_ROWS == ABI_REPLICA_SUMS_ROWS,
        "the number is all that is in front of the rows");
    if (r->event && r->to + ROW_BYTES <= r->event + ROWS_BYTES) return true;
    end_rows(r);
    events++;
    if (!(r->event = event_begin(&safepoint_ring, r->kind, ROWS_BYTES))) return false;
    memcpy(r->event, &walk, sizeof walk);
    r->to = r->event + sizeof walk;
    return true;
}

static void put_number(struct rows *r, uint64_t n) { r->to = put_leb128(r->to, n); }

static bool has_lived(uint32_t set) { return set >= LIVED; }

static void put_class_of(struct rows *r, uint32_t set) { put_number(r, has_lived(set) ? set - LIVED : set); }

/* `example` is one of its objects, where contents are asked for. */
static void put_group(struct rows *r, const struct group *g, const uintptr_t *example) {
    bool is_there = is_complete(g->hash, by_set[g->set].level) || g->objects >= ABI_REPLICA_FREQUENT;
    if (!is_there || !has_room(r)) return;
    put_class_of(r, g->set);
    put_number(r, g->objects);
    put_number(r, g->words);
    memcpy(r->to, &g->hash, sizeof g->hash);
    r->to += sizeof g->hash;
    if (example && !has_lived(g->set)) rank_example(g->set, g->hash, g->objects, *example);
}

static struct rows group_rows(bool lived) {
    return (struct rows){.kind = lived ? ABI_EVENT_REPLICA_LIVED_GROUPS : ABI_EVENT_REPLICA_GROUPS};
}

static void put_groups_of(bool lived) {
    struct rows r = group_rows(lived);
    for (uint32_t i = 0; i < used_count; i++)
        if (has_lived(groups[used[i]].set) == lived)
            put_group(&r, &groups[used[i]], examples ? &examples[used[i]] : NULL);
    end_rows(&r);
}

/* Tells the groups of the table, and makes it empty. */
static void put_table(void) {
    put_groups_of(false);
    put_groups_of(true);
    for (uint32_t i = 0; i < used_count; i++) groups[used[i]].objects = 0;
    used_count = 0;
}

/* Where a group is looked for. The low bits of hashes are 0 in sets that have a level. */
static inline uint64_t mixed(uint32_t set, uint64_t hash) { return (hash >> 32) ^ set * UINT64_C(0x9E3779B1); }

static inline struct group *first_slot(uint32_t set, uint64_t hash) { return &groups[mixed(set, hash) % SLOTS]; }

static inline struct group *place_of(uint32_t set, uint64_t hash) {
    return &frequent[mixed(set, hash) % ABI_REPLICA_PLACES];
}

/* The slot of a group, or where it is to be. */
static inline struct group *slot_of(uint32_t set, uint64_t hash) {
    struct group *g = first_slot(set, hash);
    while (g->objects && (g->hash != hash || g->set != set)) g = g + 1 < groups + SLOTS ? g + 1 : groups;
    return g;
}

static inline void compete(uint32_t set, uint64_t hash, uint32_t words, uintptr_t object) {
    struct group *f = place_of(set, hash);
    competing = true;
    if (f->hash == hash && f->set == set) {
        f->objects++;
        f->votes += f->votes < MOST_VOTES;
    } else if (f->votes == 0) {
        *f = (struct group){hash, set, 1, words, 1};
    } else {
        f->votes--;
        return;
    }
    if (frequent_examples) frequent_examples[f - frequent] = object;
}

static inline void add(uint32_t set, uint64_t hash, uint32_t words, struct hashed *h, uintptr_t object) {
    if (!is_complete(hash, h->level)) {
        compete(set, hash, words, object);
        return;
    }
    struct group *g = slot_of(set, hash);
    if (__builtin_expect(g->objects == 0, 0)) {
        if (h->distinct >= ABI_REPLICA_DISTINCT) {
            h->level += h->level < ABI_REPLICA_LEVELS - 1;
            h->distinct /= 2;
            compete(set, hash, words, object);
            return;
        }
        if (used_count == MOST_GROUPS) {
            put_table();
            g = slot_of(set, hash);
        }
        *g = (struct group){.hash = hash, .set = set, .words = words};
        used[used_count++] = (uint32_t)(g - groups);
        if (examples) examples[g - groups] = object;
        h->distinct++;
    }
    g->objects++;
}

/* Whether a class is one that the VM fills unused memory with (from JDK 19 on): what it has in it is what was there. */
static bool is_filler(uintptr_t klass) {
    return klass_is(klass, "[Ljdk/internal/vm/FillerElement;") || klass_is(klass, "jdk/internal/vm/FillerArray") ||
        klass_is(klass, "jdk/internal/vm/FillerObject");
}

/* Whether the recorder knows that methods make what has a tag which were not chosen. */
static inline bool is_left_alone(uint32_t tag) {
    const unsigned char *bits = agent.memory + ABI_LEFT_ALONE_OFFSET;
    return __atomic_load_n(&bits[tag / 8], __ATOMIC_RELAXED) >> tag % 8 & 1;
}

/* Whether objects of a class are to be hashed. */
static bool is_chosen(const struct heap_class *c, struct hashed *h) {
    if (h->choice == UNDECIDED) {
        struct name patterns = {replica_options.classes, replica_options.classes_length}, name;
        uintptr_t klass = klass_address(c);
        uint16_t length;
        name.text = name_of_klass(klass, &length);
        name.length = length;
        bool is_named = patterns.length == 0 || selects_class(patterns, name);
        h->choice = is_named && !is_filler(klass) ? CHOSEN : LEFT_ALONE;
    }
    return h->choice == CHOSEN;
}

/* What is to be hashed, or was: some objects at a time, so that memory that one needs is fetched while others are
 * looked at. */
enum { TOGETHER = 16 };
static struct waiting {
    uintptr_t object;
    struct heap_class *class;
    uint64_t bytes, hash;
    uint32_t set;
    enum contents what;
} waiting[TOGETHER];
static unsigned waiting_count;

static void hash_waiting(void) {
    for (struct waiting *w = waiting; w < waiting + waiting_count; w++) {
        w->what = hash_contents(w->object, w->class, replica_options.depth, &search, &w->hash);
        bool complete = is_complete(w->hash, by_set[w->set].level);
        __builtin_prefetch(complete ? first_slot(w->set, w->hash) : place_of(w->set, w->hash), 1);
    }
}

static inline void take_hashed(const struct waiting *w) {
    struct hashed *h = &by_set[w->set];
    if (w->what == NO_CONTENTS) return;
    if (!h->listed) {
        h->listed = 1;
        sets[set_count++] = w->set;
    }
    if (w->what == UNKNOWN_CONTENTS) {
        h->unknown++;
        return;
    }
    h->objects++;
    h->bytes += w->bytes;
    hashed++;
    add(w->set, w->hash, (uint32_t)(w->bytes / WORD), h, w->object);
}

static void read_waiting(void) {
    hash_waiting();
    for (unsigned i = 0; i < waiting_count; i++) take_hashed(&waiting[i]);
    waiting_count = 0;
}

/* What is born without a tag is of the site that gives none, as in walks. */
static inline void read_one(uintptr_t object, struct heap_class *c, uint64_t bytes, bool lived) {
    c = implied_class(c);
    if (c->number < ABI_HEAP_FIRST_CLASS || is_left_alone(tag_of(c->key)) || !is_chosen(c, &by_set[c->number])) return;
    uint32_t set = c->number + (lived ? LIVED : 0);
    fetch_contents(object, c);
    waiting[waiting_count++] = (struct waiting){.object = object, .class = c, .bytes = bytes, .set = set};
    if (waiting_count == TOGETHER) read_waiting();
}

void read_replicas(uintptr_t at, uintptr_t to, uintptr_t end, struct copies_of of) {
    enum { FETCHED = 512 };
    struct heap_class *c = heap_classes;
    while (at < to) {
        __builtin_prefetch((const void *)(at + FETCHED));
        c = class_of_object(at, c, &search);
        uint64_t bytes = c ? bytes_of_object(c, at) : 0;
        if (bytes == 0 || bytes > end - at) break; /* the walk has said so */
        if (!of.lived || age_of_object(at) == of.age) read_one(at, c, bytes, of.lived);
        at += bytes;
    }
    read_waiting();
}

static void put_values(void) {
    for (uint32_t i = 0; examples && i < set_count; i++)
        if (!has_lived(sets[i])) events += put_examples(walk, sets[i], replica_options.depth, &search);
}

static void put_sums_of(bool lived) {
    struct rows r = {.kind = lived ? ABI_EVENT_REPLICA_LIVED_SUMS : ABI_EVENT_REPLICA_SUMS};
    for (uint32_t i = 0; i < set_count; i++) {
        struct hashed *h = &by_set[sets[i]];
        if (has_lived(sets[i]) != lived || !has_room(&r)) continue;
        put_class_of(&r, sets[i]);
        put_number(&r, h->objects);
        put_number(&r, h->bytes / WORD);
        put_number(&r, h->unknown);
        put_number(&r, h->level);
    }
    end_rows(&r);
}

static void put_sums(void) {
    put_sums_of(false);
    put_sums_of(true);
    for (uint32_t i = 0; i < set_count; i++) {
        struct hashed *h = &by_set[sets[i]];
        h->objects = h->bytes = 0;
        h->unknown = h->distinct = h->listed = 0;
    }
    set_count = 0;
}

static void put_frequent_of(bool lived) {
    struct rows r = group_rows(lived);
    for (uint32_t i = 0; i < ABI_REPLICA_PLACES; i++)
        if (frequent[i].objects && has_lived(frequent[i].set) == lived)
            put_group(&r, &frequent[i], frequent_examples ? &frequent_examples[i] : NULL);
    end_rows(&r);
}

/* Tells those that have won a place. They keep it. */
static void put_frequent(void) {
    if (!competing) return;
    put_frequent_of(false);
    put_frequent_of(true);
    for (uint32_t i = 0; i < ABI_REPLICA_PLACES; i++) frequent[i].objects = 0;
    competing = false;
}

void end_replicas(void) {
    put_table();
    put_frequent();
    put_values();
    put_sums();
    uint64_t took = recorded_time() - start;
    left_out = replica_options.pause ? (uint32_t)(took / replica_options.pause) : 0;
    put_end(false);
}
