/* What a collection has moved is whole when the world runs again, and stays where it is until the next one. So it can
 * be read at any time. What is to be written to headers is put there by compare and set, as the VM does it. Objects
 * whose header is not their own, since they are locked, and those that may yet get their tag wait for the pause. */
#include "early_moved.h"

#include "hotspot_objects.h"
#include "pages.h"
#include "reader.h"

enum {
    MOST_ROWS = 1 << 18,
    MOST_HELD = 1 << 18,
    MUCH = 8 << 20 /* bytes of a turn */
};

static struct class_search search;
static struct heap_class other; /* of search */
static struct tally survivors[ABI_HEAP_AGES], in_region;
static struct moved_row *rows;     /* MOST_ROWS */
static struct moved_object *held;  /* MOST_HELD */
static struct early_moved read;
static uint32_t next_region;
static uint64_t hashes; /* of keep_tag */
static bool wrong;      /* something was no object */
static bool restores;   /* as in struct goal */

bool make_early_moved(new_heap_class *is_new) {
    search = (struct class_search){is_new, &other};
    rows = zero_pages(MOST_ROWS * sizeof *rows);
    held = zero_pages(MOST_HELD * sizeof *held);
    bool ok = rows && held && make_tally(&in_region);
    for (unsigned age = 0; ok && age < ABI_HEAP_AGES; age++) ok = make_tally(&survivors[age]);
    read = (struct early_moved){.survivors = survivors, .rows = rows, .held = held};
    return ok;
}

/* Whether an object may still get another tag, or one at all, since the collection has interrupted its constructor. */
static bool may_get_another(struct heap_class *c) {
    if (restores && !tag_of(c->key)) c = class_before(c);
    if (tag_of(c->key)) return tag_of(c->key) == ABI_TAG_NONE || c->flags & GIVEN;
    return atomic_load_explicit(&some_have_tags, memory_order_relaxed);
}

/* As `count` does it in a pause. False: the object's header is elsewhere. */
static bool count_moved(uintptr_t object, struct heap_class *c, uint64_t bytes, struct tally *to) {
    struct heap_class *is = restores && !tag_of(c->key) ? class_before(c) : c;
    if (is != c && !give_tag_running(object, tag_of(is->key))) return false;
    if (!(is->flags & SETTLED)) is->flags |= SETTLED;
    if (is->flags & NEEDS_TAG && !keep_tag_running(object, is, &hashes)) return false;
    add_object(to, is->number, bytes);
    read.objects++;
    return true;
}

/* For what comes up to the next look. */
static bool has_room(void) {
    return read.row_count + in_region.count + OBJECTS_UNTIL_LOOK <= MOST_ROWS &&
           read.held_count + OBJECTS_UNTIL_LOOK <= MOST_HELD;
}

/* Reads up to the end of a range, until a pause begins or there is no room, and gives where it has come to. */
static uintptr_t read_moved(const struct heap_range *r) {
    struct heap_class *c = heap_classes;
    uintptr_t at = r->from;
    for (unsigned n = 1; at < r->to && (n % OBJECTS_UNTIL_LOOK != 0 || (has_room() && !pause_begins())); n++) {
        uint64_t header;
        __builtin_prefetch((const void *)(at + AHEAD));
        c = class_when_running(at, c, &search, &header);
        uint64_t bytes = c ? bytes_of_object(c, at) : 0;
        if (bytes == 0 || bytes > r->to - at) {
            wrong = true;
            return at;
        }
        struct tally *to = r->space == ABI_HEAP_OLD ? &in_region : &survivors[age_in_header(header)];
        if (!is_plain_header(header) || may_get_another(c) || !count_moved(at, c, bytes, to))
            held[read.held_count++] = (struct moved_object){at, at + bytes, r->space, r->region};
        at += bytes;
    }
    return at;
}

/* The sums of an old region, for which there is room. */
static void keep_region(uint32_t region) {
    for (uint32_t i = 0; i < in_region.count; i++) {
        uint32_t class = in_region.classes[i];
        struct sum *s = &in_region.by_class[class];
        if (s->objects > 0) rows[read.row_count++] = (struct moved_row){region, class, *s};
        *s = (struct sum){0};
    }
    in_region.count = 0;
}

bool read_early_moved(void) {
    struct heap_range r;
    uint64_t bytes = 0;
    while (!wrong && has_room() && !pause_begins() && next_moved(&next_region, &r)) {
        if (bytes >= MUCH) return true;
        uintptr_t to = read_moved(&r);
        keep_region(r.region);
        read_early(r.region, to);
        note_read_early(r.from, to);
        bytes += to - r.from;
    }
    return false;
}

const struct early_moved *early_moved(void) { return wrong ? NULL : &read; }

void clear_early_moved(bool moved_all) {
    restores = moved_all;
    for (unsigned age = 0; age < ABI_HEAP_AGES; age++) clear_tally(&survivors[age]);
    read.row_count = read.held_count = read.objects = 0;
    next_region = 0;
}
