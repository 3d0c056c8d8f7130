/* The observer of objects. When the world has stopped for a collection it reads what is new in the heap: what the
 * program has allocated since the last time, and what the collector has put elsewhere then. Objects lie one behind the
 * other, so each says where the next one is. How many there are of each class, in each place, goes into the event ring.
 * Nothing that collectors leave behind is needed, and nothing is read while the world runs.
 *
 * All but start and the beginning of stop runs in the thread that stops the world. It takes no lock, and calls nothing
 * of the JVM's. */
#include "heap.h"

#include <string.h>

#include "agent.h"
#include "hotspot.h"
#include "hotspot_objects.h"
#include "hotspot_spaces.h"
#include "leb128.h"
#include "references.h"
#include "pages.h"
#include "single.h"

enum {
    ROWS_BYTES = 4096,  /* of an event */
    AHEAD = 512,        /* bytes that are fetched before they are read */
    FREED_REGIONS = 500, /* of an event */
    WORD = 8
};

struct sum {
    uint64_t objects, bytes;
};

/* Objects of one place, by class. */
struct tally {
    struct sum *by_class; /* ABI_HEAP_CLASSES of them */
    uint32_t *classes;    /* those that have a sum */
    uint32_t count;
};

/* Those of eden and survivor spaces are added up over all of a walk. */
static struct tally born[ABI_HEAP_SURVIVOR + 1], moved_eden, survivors[ABI_HEAP_AGES], in_range;

static bool on, ended, references;
static bool singly; /* each object is told */
static bool broken; /* something was not as it should be: nothing is read any more */
static uint32_t walks;  /* that have begun */
static uint64_t rows;   /* events of them, in this walk */
static uint64_t objects, unread; /* in this walk */

/* Collections that each of the JVM's collectors has done, by its counters; NULL: it has none. */
static const int64_t *done[2];

/* Why there is a collection, where the JVM has said so when it announces one: G1. */
static const char *cause;

/* Whether objects may be moved in the way that loses their tags (keep_tag). G1 announces a full collection by itself,
 * also behind a young one, so then what is in eden is what the program has allocated. */
static bool may_lose_tags(void) {
    static const char *const young[] = {"G1 Evacuation Pause", "G1 Humongous Allocation", "G1 Preventive Collection",
        "GCLocker Initiated GC"};
    for (size_t i = 0; cause && i < sizeof young / sizeof *young; i++)
        if (strcmp(cause, young[i]) == 0) return false;
    return true;
}

static bool tags_last; /* of what is being read, without keep_tag */

/* The number in the JVM's log of what is to be collected. Where that has none yet it will be that of the next. */
static uint32_t number_of_collection(void) {
    uint32_t id = collection_id();
    return id == UINT32_MAX && done[0] && done[1] ? (uint32_t)(*done[0] + *done[1]) : id;
}

static bool make_tally(struct tally *t) {
    size_t sums = ABI_HEAP_CLASSES * sizeof *t->by_class, all = sums + ABI_HEAP_CLASSES * sizeof *t->classes;
    char *memory = zero_pages(all);
    if (!memory) return false;
    t->by_class = (struct sum *)(void *)memory;
    t->classes = (uint32_t *)(void *)(memory + sums);
    return true;
}

static bool make_tallies(void) {
    bool ok = make_tally(&moved_eden) && make_tally(&in_range);
    for (uint32_t space = 0; ok && space <= ABI_HEAP_SURVIVOR; space++) ok = make_tally(&born[space]);
    for (unsigned age = 0; ok && age < ABI_HEAP_AGES; age++) ok = make_tally(&survivors[age]);
    return ok;
}

static inline void add(struct tally *t, uint32_t class, uint64_t bytes) {
    struct sum *s = &t->by_class[class];
    if (s->objects++ == 0) t->classes[t->count++] = class;
    s->bytes += bytes;
}

static void put_heap_class(const struct heap_class *c, uint32_t same, const char *name, uint16_t name_bytes) {
    const uint32_t header[] = {[ABI_HEAP_CLASS_NUMBER / 4] = c->number,
                               [ABI_HEAP_CLASS_BYTES / 4] = c->size > 0 ? (uint32_t)c->size : 0,
                               [ABI_HEAP_CLASS_TAG / 4] = tag_of(c->key), [ABI_HEAP_CLASS_SAME / 4] = same};
    _Static_assert(sizeof header == ABI_HEAP_CLASS_NAME, "the header is all that is in front of the name");
    uint32_t size = ABI_HEAP_CLASS_NAME + (same ? 0 : (uint32_t)name_bytes);
    char *to = event_begin(&safepoint_ring, ABI_EVENT_HEAP_CLASS, size);
    if (!to) return;
    memcpy(to, header, sizeof header);
    memcpy(to + ABI_HEAP_CLASS_NAME, name, size - ABI_HEAP_CLASS_NAME);
    event_end(&safepoint_ring, size);
}

/* Where the objects of a tally are. */
struct place {
    uint32_t space, origin, age, region;
};

static unsigned char *begin_rows(const struct place *at) {
    unsigned char *event = event_begin(&safepoint_ring, ABI_EVENT_HEAP_ROWS, ROWS_BYTES);
    const uint32_t header[] = {[ABI_HEAP_ROWS_WALK / 4] = walks,       [ABI_HEAP_ROWS_SPACE / 4] = at->space,
                               [ABI_HEAP_ROWS_ORIGIN / 4] = at->origin, [ABI_HEAP_ROWS_AGE / 4] = at->age,
                               [ABI_HEAP_ROWS_REGION / 4] = at->region};
    _Static_assert(sizeof header == ABI_HEAP_ROWS_ROWS, "the header is all that is in front of the rows");
    rows++;
    if (event) memcpy(event, header, sizeof header);
    return event;
}

/* Puts a tally's sums into as many events as they need, and makes it empty. */
static void put_tally(struct tally *t, struct place at) {
    unsigned char *event = NULL, *to = NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t class = t->classes[i];
        struct sum *s = &t->by_class[class];
        if (event && to + 3 * LEB128_BYTES > event + ROWS_BYTES) {
            event_end(&safepoint_ring, (uint32_t)(to - event));
            event = NULL;
        }
        if (!event && (event = begin_rows(&at))) to = event + ABI_HEAP_ROWS_ROWS;
        if (event) to = put_leb128(put_leb128(put_leb128(to, class), s->objects), s->bytes / WORD);
        *s = (struct sum){0};
    }
    if (event) event_end(&safepoint_ring, (uint32_t)(to - event));
    t->count = 0;
}

/* Where the next buffer of a thread begins that is known to have no objects from there on. */
struct gaps {
    const struct heap_gap *next, *end;
};

/* Reads the objects up to an address, of which the last may go on up to an end, and gives where it has come: there too
 * where something is no object. */
static inline uintptr_t read_objects(uintptr_t at, uintptr_t to, uintptr_t end, struct tally *all, bool by_age) {
    struct heap_class *c = heap_classes;
    uint64_t n = 0;
    for (; at < to; n++) {
        __builtin_prefetch((const void *)(at + AHEAD));
        c = class_of_object(at, c, put_heap_class);
        uint64_t bytes = c ? bytes_of_object(c, at) : 0;
        if (bytes == 0 || bytes > end - at) {
            unread += to - at;
            broken |= has_class(at); /* else it was not made yet */
            at = to;
            break;
        }
        if (singly)
            put_single(at, c, bytes);
        else if (tag_of(c->key) && !tags_last)
            keep_tag(at);
        add(by_age ? &survivors[age_of_object(at)] : all, c->number, bytes);
        at += bytes;
    }
    objects += n;
    return at;
}

static void read_range(const struct heap_range *r, struct gaps g, struct tally *all, bool by_age) {
    uintptr_t at = r->from;
    while (at < r->to) {
        while (g.next < g.end && g.next->from < at) g.next++;
        uintptr_t to = g.next < g.end && g.next->from < r->to ? g.next->from : r->to;
        if (singly) begin_piece(r, at);
        at = by_age ? read_objects(at, to, to, NULL, true) : read_objects(at, to, to, all, false);
        if (singly) end_piece();
        if (g.next < g.end && at == g.next->from) at = g.next->to;
    }
}

/* Objects that are read together with others. */
struct piece {
    uintptr_t at, to;
    struct tally *all; /* NULL: by age */
    bool tags_last;
};

enum { TOGETHER = 4, MOST_PIECES = 1 << 17 };
static struct piece *pieces; /* MOST_PIECES */
static size_t piece_count;

/* Lists what a range has between gaps; false if there is no room. */
static bool list_pieces(const struct heap_range *r, struct gaps g, struct tally *all) {
    size_t before = piece_count;
    for (uintptr_t at = r->from; at < r->to;) {
        while (g.next < g.end && g.next->from < at) g.next++;
        bool gap = g.next < g.end && g.next->from < r->to;
        uintptr_t to = gap ? g.next->from : r->to;
        if (piece_count == MOST_PIECES) {
            piece_count = before;
            return false;
        }
        if (at < to) pieces[piece_count++] = (struct piece){at, to, all, tags_last};
        at = gap ? g.next->to : to;
    }
    return true;
}

/* Reads one object of a piece. What it is is looked up: of several pieces that is done at once, where one alone would
 * wait for each. */
static inline void read_one(struct piece *p) {
    struct heap_class *c = look_up_class(p->at, put_heap_class);
    uint64_t bytes = c ? bytes_without_branches(c, p->at) : 0;
    __builtin_prefetch((const void *)(p->at + AHEAD));
    if (__builtin_expect(bytes - 1 >= p->to - p->at, 0)) {
        unread += p->to - p->at;
        broken |= has_class(p->at); /* else it was not made yet */
        p->at = p->to;
        return;
    }
    if (tag_of(c->key) && !p->tags_last) keep_tag(p->at);
    add(p->all ? p->all : &survivors[age_of_object(p->at)], c->number, bytes);
    objects++;
    p->at += bytes;
}

static void read_pieces(void) {
    struct piece now[TOGETHER];
    size_t next = 0, n = 0;
    while (n < TOGETHER && next < piece_count) now[n++] = pieces[next++];
    while (n == TOGETHER) {
        for (size_t i = 0; i < TOGETHER; i++) read_one(&now[i]);
        for (size_t i = 0; i < n; i++) {
            if (now[i].at < now[i].to) continue;
            if (next < piece_count)
                now[i] = pieces[next++];
            else
                now[i--] = now[--n];
        }
    }
    for (size_t i = 0; i < n; i++) {
        uintptr_t at = now[i].at, to = now[i].to;
        tags_last = now[i].tags_last;
        if (now[i].all)
            read_objects(at, to, to, now[i].all, false);
        else
            read_objects(at, to, to, NULL, true);
    }
    piece_count = 0;
}

/* One object, and the rest of the last region that it is in. */
static void read_humongous(const struct heap_range *r, struct tally *all) {
    if (singly) begin_piece(r, r->from);
    uintptr_t end = read_objects(r->from, r->from + 1, r->to, all, false);
    if (singly) end_piece();
    if (end < r->to) add(all, ABI_HEAP_UNUSED, r->to - end);
}

/* The first gap at or behind an address. */
static struct gaps gaps_from(const struct heap_news *news, uintptr_t address) {
    size_t low = 0, high = news->gap_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (news->gaps[middle].from < address)
            low = middle + 1;
        else
            high = middle;
    }
    return (struct gaps){news->gaps + low, news->gaps + news->gap_count};
}

/* Where objects of the young generation are added up; NULL: by age. */
static struct tally *young_tally(const struct heap_range *r) {
    if (r->origin == ABI_HEAP_BORN) return &born[r->space];
    return r->space == ABI_HEAP_SURVIVOR ? NULL : &moved_eden;
}

static void read_news(const struct heap_news *news) {
    bool young = !may_lose_tags();
    for (size_t i = 0; i < news->range_count; i++) {
        const struct heap_range *r = &news->ranges[i];
        struct gaps gaps = gaps_from(news, r->from);
        tags_last = young && r->space == ABI_HEAP_EDEN && r->origin == ABI_HEAP_BORN;
        if (r->space == ABI_HEAP_EDEN || r->space == ABI_HEAP_SURVIVOR) {
            struct tally *all = young_tally(r);
            if (singly || !list_pieces(r, gaps, all)) read_range(r, gaps, all, !all);
        } else {
            if (r->space == ABI_HEAP_HUMONGOUS)
                read_humongous(r, &in_range);
            else
                read_range(r, gaps, &in_range, false);
            put_tally(&in_range, (struct place){r->space, r->origin, 0, r->region});
        }
    }
    read_pieces();
    for (uint32_t space = 0; space <= ABI_HEAP_SURVIVOR; space++)
        put_tally(&born[space], (struct place){space, ABI_HEAP_BORN, 0, 0});
    put_tally(&moved_eden, (struct place){ABI_HEAP_EDEN, ABI_HEAP_MOVED, 0, 0});
    for (uint32_t age = 0; age < ABI_HEAP_AGES; age++)
        put_tally(&survivors[age], (struct place){ABI_HEAP_SURVIVOR, ABI_HEAP_MOVED, age, 0});
}

static uint64_t bytes_in_gaps(const struct heap_news *news) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < news->gap_count; i++) bytes += news->gaps[i].to - news->gaps[i].from;
    return bytes;
}

static void walk(bool last) {
    struct heap_news news;
    uint64_t start = recorded_time();
    if (ended || broken) return;
    ended = last;
    rows = objects = unread = 0;
    begin_walk();
    look_at_spaces(&news);
    if (singly) begin_singles(walks);
    read_news(&news);
    if (singly) end_singles();
    uint64_t end[ABI_HEAP_WALK_WORDS] = {
        [ABI_HEAP_WALK_NUMBER] = walks, [ABI_HEAP_WALK_START] = start,
        [ABI_HEAP_WALK_NANOSECONDS] = recorded_time() - start, [ABI_HEAP_WALK_OBJECTS] = objects,
        [ABI_HEAP_WALK_ROWS] = rows, [ABI_HEAP_WALK_COLLECTION] = last ? UINT32_MAX : number_of_collection(),
        [ABI_HEAP_WALK_UNUSED] = bytes_in_gaps(&news), [ABI_HEAP_WALK_UNREAD] = unread, [ABI_HEAP_WALK_LAST] = last,
        [ABI_HEAP_WALK_UNSEEN] = news.unseen};
    memcpy(&end[ABI_HEAP_WALK_USED], news.used, sizeof news.used);
    event_put(&safepoint_ring, ABI_EVENT_HEAP_WALK, end, sizeof end);
    event_commit(&safepoint_ring);
    walks++;
}

/* Pauses may be announced twice, one inside the other: by who asks for a collection, and by who does it. */
static unsigned depth;

static void stopped(void) {
    if (on && depth++ == 0) walk(false);
}

static void resuming(void) {
    uint64_t finish[ABI_HEAP_FINISH_FREED + FREED_REGIONS];
    uint32_t region = 0;
    size_t freed;
    if (!on || depth == 0 || --depth > 0 || ended || broken) return;
    finish[ABI_HEAP_FINISH_WALK] = walks - 1;
    finish[ABI_HEAP_FINISH_TIME] = recorded_time();
    finish[ABI_HEAP_FINISH_COLLECTED] = look_at_collection();
    do { /* one at least */
        freed = freed_regions(&region, finish + ABI_HEAP_FINISH_FREED, FREED_REGIONS);
        event_put(&safepoint_ring, ABI_EVENT_HEAP_FINISH, finish,
            (uint32_t)((ABI_HEAP_FINISH_FREED + freed) * sizeof *finish));
    } while (freed == FREED_REGIONS);
    event_commit(&safepoint_ring);
}

static void start(JNIEnv *env) {
    const char *why = find_spaces();
    if (!why) why = find_objects(env);
    pieces = why ? NULL : zero_pages(MOST_PIECES * sizeof *pieces);
    if (!why && (!pieces || !make_tallies())) why = "there is no memory for counts of objects";
    if (why) send_loss("objects", 1, why);
    cause = strcmp(collector(), "G1") == 0 ? (const char *)performance_counter("sun.gc.cause") : NULL;
    done[0] = performance_counter("sun.gc.collector.0.invocations");
    done[1] = performance_counter("sun.gc.collector.1.invocations");
    singly = want_singles();
    on = !why;
    references = on && find_graph();
}

static void walk_last(void) { walk(true); }

static jint JNICALL at_last(jlong class, jlong size, jlong *tag, jint length, void *unused) {
    (void)class, (void)size, (void)tag, (void)length, (void)unused;
    walk_last();
    return JVMTI_VISIT_ABORT;
}

/* Stops the world by asking for all objects, of which the first is enough. */
static void stop(void) {
    jvmtiHeapCallbacks callbacks;
    if (!on) return;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_iteration_callback = at_last;
    if (references) write_graph(walk_last, put_heap_class);
    if (!ended && (*agent.jvmti)->IterateThroughHeap(agent.jvmti, 0, NULL, &callbacks, NULL) != JVMTI_ERROR_NONE)
        send_loss("objects", 1, "this JVM does not say what is in its heap at the end");
    if (broken) send_loss("objects", 1, "the heap was not as Mallard knows it; it was not read from there on");
}

const struct observer heap_observer = {
    .events = UINT64_C(1) << ABI_EVENT_HEAP_CLASS | UINT64_C(1) << ABI_EVENT_HEAP_ROWS |
              UINT64_C(1) << ABI_EVENT_HEAP_WALK | UINT64_C(1) << ABI_EVENT_HEAP_FINISH |
              UINT64_C(1) << ABI_EVENT_HEAP_SINGLES | UINT64_C(1) << ABI_EVENT_HEAP_SINGLES_END,
    .start = start,
    .stopped = stopped,
    .resuming = resuming,
    .stop = stop,
};
