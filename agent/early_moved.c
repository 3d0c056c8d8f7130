/* What a collection has moved is whole when the world runs again, and stays where it is until the next one. So it can
 * be read at any time. What is to be written to headers of old objects is put there by compare and set, as the VM does
 * it, where nothing moves unannounced; survivors are moved once more before they are that. Objects whose header is not
 * their own, since they are locked, and those that may yet get their tag, or need what cannot be written, wait for the
 * pause. */
#include "early_moved.h"

#include "early_copies.h"
#include "hotspot_objects.h"
#include "hotspot_tops.h"
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
static uint32_t next_part;
static uint64_t hashes; /* of keep_tag */
static bool wrong;      /* something was no object */
static bool needs_write; /* survivors that count need to be written to where tags may get lost */
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

/* Whether an object had no tag in the pause before, either: it has outlived more than one collection, and none has made
 * its header anew. That it gets one now is as if it got it behind this pause. */
static bool had_none(uint64_t header, bool old) {
    return !restores && age_in_header(header) > (old ? 0 : 1);
}

/* Whether an object may still get another tag, or one at all, since the collection has interrupted its constructor. */
static bool may_get_another(struct heap_class *c, uint64_t header, bool old) {
    if (restores && !tag_of(c->key)) c = class_before(c);
    if (tag_of(c->key)) return tag_of(c->key) == ABI_TAG_NONE || c->flags & GIVEN;
    if (!c->implied && had_none(header, old)) return false;
    return atomic_load_explicit(&some_have_tags, memory_order_relaxed);
}

/* Has an old object keep its tag. */
static bool keep(uintptr_t object, uint64_t header, const struct heap_class *c) {
    if (views_are_copies()) return tag_of(c->key) && has_identity(header);
    return keep_tag_running(object, c, &hashes);
}

/* As `count` does it in a pause. False: the object would have to be written to, and cannot be now. */
static bool count_moved(uintptr_t object, uint64_t header, bool old, struct heap_class *c, uint64_t bytes) {
    struct heap_class *is = restores && !tag_of(c->key) ? class_before(c) : c;
    if (is != c && (views_are_copies() || !give_tag_running(object, tag_of(is->key)))) return false;
    if (!(is->flags & SETTLED)) is->flags |= SETTLED;
    if (is->flags & NEEDS_TAG && old && !keep(object, header, is)) return false;
    needs_write |= is->flags & NEEDS_TAG && !old;
    add_object(old ? &in_region : &survivors[age_in_header(header)], is->number, bytes);
    read.objects++;
    return true;
}

/* For what comes up to the next look. */
static bool has_room(void) {
    return read.row_count + in_region.count + OBJECTS_UNTIL_LOOK <= MOST_ROWS &&
           read.held_count + OBJECTS_UNTIL_LOOK <= MOST_HELD;
}

/* Reads objects of a range that begin in front of an end, so far from where they are, until a pause begins or there is
 * no room, and gives where it has come to. */
static uintptr_t read_moved(const struct heap_range *r, uintptr_t at, uintptr_t end, uintptr_t shift) {
    struct heap_class *c = heap_classes;
    bool old = r->space == ABI_HEAP_OLD;
    for (unsigned n = 1; at < end && (n % OBJECTS_UNTIL_LOOK != 0 || (has_room() && !pause_begins())); n++) {
        uint64_t header;
        uintptr_t from = at + shift;
        __builtin_prefetch((const void *)(from + AHEAD));
        c = class_when_running(from, c, &search, &header);
        uint64_t bytes = c ? bytes_of_object(c, from) : 0;
        if (bytes == 0 || bytes > r->to - at) {
            wrong = true;
            return at;
        }
        if (!is_plain_header(header) || may_get_another(c, header, old) || !count_moved(at, header, old, c, bytes))
            held[read.held_count++] = (struct moved_object){at, at + bytes, r->space, r->region};
        at += bytes;
    }
    return at;
}

/* The same for what is worth a turn. */
static uintptr_t read_some(const struct heap_range *r) {
    uintptr_t at = r->from, most = r->from + MUCH;
    struct view v;
    while (at < r->to && at < most && has_room() && !pause_begins() && view_early(at, r->to, &v)) {
        uintptr_t end = v.end < most ? v.end : most;
        at = read_moved(r, at, end, v.shift);
        if (at < end) break;
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
    while (!wrong && has_room() && !pause_begins() && next_moved(&next_part, &r)) {
        if (bytes >= MUCH) return true;
        uintptr_t to = read_some(&r);
        keep_region(r.region);
        read_early(next_part, to);
        note_read_early(r.from, to);
        bytes += to - r.from;
        if (to < r.to && to - r.from < MUCH) return false;
    }
    return false;
}

const struct early_moved *early_moved(void) { return wrong ? NULL : &read; }

bool moved_needs_write(void) { return needs_write; }

void clear_early_moved(bool moved_all) {
    restores = moved_all;
    needs_write = false;
    for (unsigned age = 0; age < ABI_HEAP_AGES; age++) clear_tally(&survivors[age]);
    read.row_count = read.held_count = read.objects = 0;
    next_part = 0;
}
