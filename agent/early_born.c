/* Reading what is born while the world runs. What is as code has made it counts at once (fresh.h), and what has to be
 * looked at again is held until the pause. */
#include "early_born.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "agent.h"
#include "early.h"
#include "early_copies.h"
#include "early_moved.h"
#include "fresh.h"
#include "pages.h"
#include "pieces.h"

enum {
    MOST_HELD = 1 << 20, /* objects, between two pauses */
    MOST_RECOUNTED = 1 << 14,
    HELD_AHEAD = 16, /* objects that are fetched before they are read */
    TOGETHER = 512,  /* held objects that a thread reads at a time */
    AS_LONG = 128    /* bytes of eden that are read in the time that one of those takes */
};

static struct fresh_tally fresh; /* since sums were added up */
static struct tally born;        /* until then */
static struct sum all;           /* of it */
static bool had_tags;    /* some_have_tags when it was looked at last */
static bool needs_write; /* some that count need to be written to where tags may get lost */

static struct class_search search;
static struct heap_class other; /* of search */
static bool wrong;

/* What is to be read in the pause, and what it was of when it was come upon. */
static struct held {
    uintptr_t at;
    uint32_t class; /* its index; 0: there is no room for it in the table */
    uint64_t bytes;
} *held; /* MOST_HELD */
static size_t held_count;

/* Objects that may have counted as another site's. */
static struct recounted {
    uintptr_t at;
    uint32_t number; /* of the class with that site's tag */
    bool counted;
} recounted[MOST_RECOUNTED];
static size_t recounted_count;

bool make_early_born(new_heap_class *is_new) {
    search = (struct class_search){is_new, &other};
    held = zero_pages(MOST_HELD * sizeof *held);
    return held && make_fresh_tally(&fresh) && make_tally(&born);
}

bool born_is_wrong(void) { return wrong; }

static bool some_tags(void) { return atomic_load_explicit(&some_have_tags, memory_order_relaxed); }

/* Whether an object may get a tag when its constructor is over. */
static bool waits_for_tag(const struct heap_class *c) { return !tag_of(c->key) && !c->implied && some_tags(); }

/* What has no tag waits as soon as others have one. */
static void mind_tags(void) {
    if (had_tags || !some_tags()) return;
    had_tags = true;
    forget_fresh(&fresh);
}

/* Looks up an object that is to be read elsewhere, and gives its size; 0: it cannot be read now. */
static uint64_t look_up_born(uintptr_t at, uintptr_t read, uintptr_t to, struct fresh **before) {
    uint64_t header;
    struct heap_class *c = find_heap_class(key_when_running(read, &header), &search);
    uint64_t bytes = c ? bytes_of_object(c, read) : 0;
    if (bytes == 0 || bytes > to - at) {
        wrong = true;
        return 0;
    }
    mind_tags();
    if (is_plain_header(header) && !waits_for_tag(c) && c != &other) {
        needs_write |= c->implied || c->flags & NEEDS_TAG;
        count_fresh(&fresh, note_fresh(&fresh, c, before), bytes);
    } else {
        if (held_count == MOST_HELD) return 0;
        held[held_count++] = (struct held){at, c == &other ? 0 : (uint32_t)(c - heap_classes), bytes};
    }
    return bytes;
}

/* Reads objects that begin in front of an end, of which the last may go on up to another, until a pause begins. They
 * are to be read so far from where they are. */
static uintptr_t read_beginning(uintptr_t at, uintptr_t end, uintptr_t to, uintptr_t shift) {
    struct fresh *before = fresh.by_class;
    for (unsigned n = 1; at < end && (n % OBJECTS_UNTIL_LOOK != 0 || !pause_begins()); n++) {
        uintptr_t read = at + shift;
        __builtin_prefetch((const void *)(read + AHEAD));
        uint64_t header = __atomic_load_n((const uint64_t *)read, __ATOMIC_RELAXED);
        struct fresh *f = fresh_behind(&fresh, before, header, klass_of_object(read));
        uint64_t bytes = f ? bytes_of_fresh(f, read) : look_up_born(at, read, to, &before);
        if (f) {
            if (bytes > to - at) wrong = true;
            if (wrong) return at;
            count_fresh(&fresh, f, bytes);
            before = f;
        } else if (bytes == 0) {
            return at;
        }
        at += bytes;
    }
    return at;
}

uintptr_t read_born(uintptr_t at, uintptr_t to) {
    struct view v;
    while (at < to && !pause_begins() && view_early(at, to, &v)) {
        at = read_beginning(at, v.end, to, v.shift);
        if (at < v.end) break;
    }
    return at;
}

bool born_needs_write(void) { return needs_write; }

static void add_up(struct tally *to) {
    struct sum more = move_fresh(&fresh, to);
    all.objects += more.objects;
    all.bytes += more.bytes;
}

void add_up_born(void) {
    if (!pause_begins()) add_up(&born);
}

/* Another thread has locked an object when it was to be tagged, and nobody any more when it was read. If it was of a
 * class of which one site gives no tags, it counted as that one's. Who gives tags late gives it one now. */
void recount_born(uintptr_t object) {
    struct heap_class *c = known_heap_class(klass_of_object(object));
    if (held && c && c->implied && tag_of(key_of_object(object)) == 0 && recounted_count < MOST_RECOUNTED)
        recounted[recounted_count++] = (struct recounted){object, implied_class(c)->number, true};
}

static int by_address(const void *a, const void *b) {
    uintptr_t x = ((const struct recounted *)a)->at, y = ((const struct recounted *)b)->at;
    return (x > y) - (x < y);
}

/* What has not counted. */
static void leave_out(uintptr_t from, uintptr_t to) {
    size_t low = 0, high = recounted_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (recounted[middle].at < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < recounted_count && recounted[low].at < to; low++) recounted[low].counted = false;
}

/* What is read in the pause, be it born or moved. */
static void leave_out_others(const struct heap_news *news) {
    const struct early_moved *moved = news->moved_early ? early_moved() : NULL;
    for (size_t i = 0; i < news->range_count; i++) leave_out(news->ranges[i].from, news->ranges[i].to);
    for (size_t i = 0; i < held_count; i++) leave_out(held[i].at, held[i].at + 1);
    for (size_t i = 0; moved && i < moved->held_count; i++) leave_out(moved->held[i].at, moved->held[i].to);
}

static void recount(struct reader *r, const struct heap_news *news) {
    if (recounted_count == 0) return;
    qsort(recounted, recounted_count, sizeof *recounted, by_address);
    leave_out_others(news);
    for (size_t i = 0; i < recounted_count; i++) {
        struct heap_class *c = look_up_class(recounted[i].at, &r->search);
        struct sum *before = &r->born.by_class[recounted[i].number];
        if (!recounted[i].counted || !c || before->objects == 0) continue;
        uint64_t bytes = bytes_of_object(c, recounted[i].at);
        before->objects--;
        before->bytes -= bytes;
        add_object(&r->born, c->number, bytes);
    }
}

uint64_t count_born(struct reader *r, const struct heap_news *news) {
    move_tally(&born, &r->born);
    add_up(&r->born);
    recount(r, news);
    r->objects += all.objects;
    return all.bytes;
}

static struct goal held_goal;
static _Atomic size_t held_next;

static void read_held(struct reader *r) {
    struct goal g = held_goal;
    size_t from;
    g.all = &r->born;
    while ((from = atomic_fetch_add(&held_next, TOGETHER)) < held_count) {
        size_t to = from + TOGETHER < held_count ? from + TOGETHER : held_count;
        for (size_t i = from; i < to; i++) {
            const struct held *h = &held[i];
            __builtin_prefetch((const void *)held[i + HELD_AHEAD < held_count ? i + HELD_AHEAD : i].at);
            struct heap_class *c = &heap_classes[h->class];
            if (!has_key(c, key_of_object(h->at))) c = look_up_class(h->at, &r->search);
            if (c)
                count(r, &g, h->at, c, h->bytes);
            else
                r->broken = true;
        }
    }
}

void list_held(struct goal g) {
    held_goal = g;
    atomic_store(&held_next, 0);
    list_others(read_held, held_count * AS_LONG);
}

void clear_early_born(void) {
    clear_fresh(&fresh);
    clear_tally(&born);
    all = (struct sum){0};
    held_count = recounted_count = 0;
    needs_write = false;
}
