/* Reading what is born while the world runs.
 *
 * Nearly all of it is as code has made it: its header has the site's tag and nothing else. So what is known of such
 * objects, and how many there were, is in one line of a processor's cache for each class, and two comparisons find that
 * an object is one of them. Which line that will be is guessed from the object before: mostly it is one of two that
 * followed the last times, and which of these a processor guesses from how it branched. All else is looked up. */
#include "early_born.h"

#include <stdatomic.h>

#include "agent.h"
#include "early.h"
#include "hotspot_objects.h"
#include "pages.h"
#include "pieces.h"

enum {
    MOST_HELD = 1 << 20, /* objects, between two pauses */
    HELD_AHEAD = 16, /* objects that are fetched before they are read */
    TOGETHER = 512,  /* held objects that a thread reads at a time */
    AS_LONG = 128,   /* bytes of eden that are read in the time that one of those takes */
    CLASSES_AHEAD = 8, /* the same of classes */
    WAYS = 2
};

/* Objects of a class since the last pause, at its index in heap_classes. */
static struct fresh {
    _Alignas(64) uint64_t header; /* of those that nobody has locked or hashed */
    uint32_t klass; /* 0: all of them are looked up */
    int32_t size;   /* as in struct heap_class */
    uint64_t objects, bytes;
    uint32_t number;
    uint32_t next[WAYS]; /* of what came behind one of these the last times */
} *fresh; /* ABI_HEAP_CLASSES */
static uint32_t *counted; /* those that have objects: ABI_HEAP_CLASSES */
static uint32_t counted_count;
static bool had_tags;    /* some_have_tags when it was looked at last */
static bool needs_write; /* some that count need to be written to where tags may get lost */

static struct class_search search;
static struct heap_class other; /* of search */
static struct tally others;     /* of classes for which there is no room */
static bool wrong;

/* What is to be read in the pause, and what it was of when it was come upon. */
static struct held {
    uintptr_t at;
    uint32_t class; /* its index; 0: there is no room for it in the table */
    uint64_t bytes;
} *held; /* MOST_HELD */
static size_t held_count;

bool make_early_born(new_heap_class *is_new) {
    search = (struct class_search){is_new, &other};
    fresh = zero_pages(ABI_HEAP_CLASSES * sizeof *fresh);
    counted = zero_pages(ABI_HEAP_CLASSES * sizeof *counted);
    held = zero_pages(MOST_HELD * sizeof *held);
    return fresh && counted && held && make_tally(&others);
}

bool born_is_wrong(void) { return wrong; }

static bool some_tags(void) { return atomic_load_explicit(&some_have_tags, memory_order_relaxed); }

/* Whether an object may get a tag when its constructor is over. */
static bool waits_for_tag(const struct heap_class *c) { return !tag_of(c->key) && !c->implied && some_tags(); }

/* What has no tag waits as soon as others have one. */
static void mind_tags(void) {
    if (had_tags || !some_tags()) return;
    had_tags = true;
    for (uint32_t i = 0; i < counted_count; i++)
        if (waits_for_tag(&heap_classes[counted[i]])) fresh[counted[i]].klass = 0;
}

static void count_as(struct fresh *f, uint64_t bytes) {
    if (f->objects++ == 0) counted[counted_count++] = (uint32_t)(f - fresh);
    f->bytes += bytes;
}

/* Counts an object behind one of those before it, and notes what others of its class are known by. */
static void count_looked_up(struct heap_class *c, uint64_t bytes, struct fresh **before) {
    struct heap_class *is = implied_class(c);
    needs_write |= is != c || is->flags & NEEDS_TAG;
    if (c == &other) {
        add_object(&others, is->number, bytes);
        return;
    }
    uint32_t index = (uint32_t)(c - heap_classes);
    struct fresh *f = &fresh[index];
    count_as(f, bytes);
    f->number = is->number;
    if (c->size == DIFFERENT_SIZES) return;
    f->header = (uint64_t)tag_of(c->key) << ABI_TAG_SHIFT | ABI_HEADER_NEW;
    f->klass = klass_of(c->key);
    f->size = c->size;
    (*before)->next[1] = (*before)->next[0];
    (*before)->next[0] = index;
    *before = f;
}

/* Looks an object up, and gives its size; 0: it cannot be read now. */
static uint64_t look_up_born(uintptr_t at, uintptr_t to, struct fresh **before) {
    uint64_t header;
    struct heap_class *c = find_heap_class(key_when_running(at, &header), &search);
    uint64_t bytes = c ? bytes_of_object(c, at) : 0;
    if (bytes == 0 || bytes > to - at) {
        wrong = true;
        return 0;
    }
    mind_tags();
    if (is_plain_header(header) && !waits_for_tag(c)) {
        count_looked_up(c, bytes, before);
    } else {
        if (held_count == MOST_HELD) return 0;
        held[held_count++] = (struct held){at, c == &other ? 0 : (uint32_t)(c - heap_classes), bytes};
    }
    return bytes;
}

uintptr_t read_born(uintptr_t at, uintptr_t to) {
    struct fresh *before = fresh;
    for (unsigned n = 1; at < to && (n % OBJECTS_UNTIL_LOOK != 0 || !pause_begins()); n++) {
        __builtin_prefetch((const void *)(at + AHEAD));
        uint64_t header = __atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED), bytes;
        uint32_t klass = klass_of_object(at);
        struct fresh *f = &fresh[before->next[0]];
        if (f->header != header || f->klass != klass) f = &fresh[before->next[1]];
        if (f->header == header && f->klass == klass) {
            bytes = f->size > 0 ? (uint32_t)f->size : bytes_of_array(f->size, at);
            if (__builtin_expect(bytes > to - at, 0)) {
                wrong = true;
                return at;
            }
            count_as(f, bytes);
            before = f;
        } else if ((bytes = look_up_born(at, to, &before)) == 0) {
            return at;
        }
        at += bytes;
    }
    return at;
}

bool born_needs_write(void) { return needs_write; }

uint64_t count_born(struct reader *r) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < others.count; i++) {
        struct sum s = others.by_class[others.classes[i]];
        r->objects += s.objects;
        bytes += s.bytes;
    }
    move_tally(&others, &r->born);
    for (uint32_t i = 0; i < counted_count; i++) {
        const struct fresh *f = &fresh[counted[i]];
        __builtin_prefetch(&fresh[counted[i + CLASSES_AHEAD < counted_count ? i + CLASSES_AHEAD : i]]);
        add_sum(&r->born, f->number, (struct sum){f->objects, f->bytes});
        r->objects += f->objects;
        bytes += f->bytes;
    }
    return bytes;
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
    clear_tally(&others);
    for (uint32_t i = 0; i < counted_count; i++) {
        struct fresh *f = &fresh[counted[i]];
        f->klass = 0;
        f->objects = f->bytes = 0;
    }
    counted_count = 0;
    held_count = 0;
    needs_write = false;
}
