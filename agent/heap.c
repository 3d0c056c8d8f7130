/* The observer of objects. When the world has stopped for a collection it reads what is new in the heap: what the
 * program has allocated since the last time, and what the collector has put elsewhere then. Objects lie one behind the
 * other, so each says where the next one is. How many there are of each class, in each place, goes into the event ring.
 * Nothing that collectors leave behind is needed. Most of it is read while the world runs (early.h).
 *
 * All but start and the beginning of stop runs in the thread that stops the world, and in others that it wakes
 * (pieces.h). It waits for nothing but these, and calls nothing of the JVM's. */
#include "heap.h"

#include <pthread.h>
#include <string.h>

#include "agent.h"
#include "early.h"
#include "early_born.h"
#include "early_moved.h"
#include "hotspot.h"
#include "hotspot_objects.h"
#include "hotspot_pauses.h"
#include "hotspot_spaces.h"
#include "late_tags.h"
#include "leb128.h"
#include "pieces.h"
#include "references.h"
#include "replicas.h"

enum {
    ROWS_BYTES = 4096,  /* of an event */
    FREED_REGIONS = 500, /* of an event */
    HELD_AHEAD = 16,     /* objects that are fetched before they are read */
    WORD = 8
};

/* The thread that stops the world, and where it adds up what is not born in eden: in all of a walk, or in one range. */
static struct reader self;
static struct tally born_in_survivor, moved_in_eden, survivors[ABI_HEAP_AGES], in_range, again;

static bool on, ended, references;
static bool singly; /* each object is told */
static bool replicas; /* contents of what is born are hashed */
static bool moved_all; /* by a full collection, since the last walk */
static bool lost_sites; /* that was not foreseen, or not announced: what has no tag may have had any */
static uint32_t losing;  /* such collections */
static bool freed_old; /* old or humongous regions, in the pause of the last walk: old objects may have moved */
static bool loses; /* tags, as far as is known when a walk begins: what may be moved next makes headers anew */
static bool unkept; /* there are young objects that were read when it was thought not to */
static uint32_t walks;  /* that have begun */
static uint64_t rows;   /* events of them, in this walk */

/* Collections that each of the JVM's collectors has done, by its counters; NULL: it has none. */
static const int64_t *done[2];

/* Whether objects may be moved in the way that loses their tags (keep_tag). */
static bool may_lose_tags(void) { return !ended && may_collect_all(); }

/* The number in the JVM's log of what is to be collected. Where that has none yet it will be that of the next. */
static uint32_t number_of_collection(void) {
    uint32_t id = collection_id();
    return id == UINT32_MAX && done[0] && done[1] ? (uint32_t)(*done[0] + *done[1]) : id;
}

/* Of what is in the event ring: threads that read put classes there. */
static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;

static void put_heap_class(const struct heap_class *c, const struct heap_class_name *name) {
    const uint32_t loader[] = {[ABI_HEAP_LOADER_CLASS / 4] = c->number, [ABI_HEAP_LOADER_NUMBER / 4] = name->loader};
    _Static_assert(sizeof loader == ABI_HEAP_LOADER_BYTES, "that is all of the event");
    const uint32_t header[] = {[ABI_HEAP_CLASS_NUMBER / 4] = c->number,
                               [ABI_HEAP_CLASS_BYTES / 4] = c->size > 0 ? (uint32_t)c->size : 0,
                               [ABI_HEAP_CLASS_TAG / 4] = tag_of(c->key), [ABI_HEAP_CLASS_SAME / 4] = name->same};
    _Static_assert(sizeof header == ABI_HEAP_CLASS_NAME, "the header is all that is in front of the name");
    uint32_t size = ABI_HEAP_CLASS_NAME + (name->same ? 0 : (uint32_t)name->bytes);
    pthread_mutex_lock(&ring_lock);
    if (!name->same && name->loader != UNKNOWN_LOADER)
        event_put(&safepoint_ring, ABI_EVENT_HEAP_LOADER, loader, sizeof loader);
    char *to = event_begin(&safepoint_ring, ABI_EVENT_HEAP_CLASS, size);
    if (to) {
        memcpy(to, header, sizeof header);
        memcpy(to + ABI_HEAP_CLASS_NAME, name->text, size - ABI_HEAP_CLASS_NAME);
        event_end(&safepoint_ring, size);
    }
    pthread_mutex_unlock(&ring_lock);
}

static void put_implied(uint32_t class) {
    _Static_assert(sizeof class == ABI_HEAP_IMPLIED_BYTES && ABI_HEAP_IMPLIED_CLASS == 0, "the class is all there is");
    event_put(&safepoint_ring, ABI_EVENT_HEAP_IMPLIED, &class, sizeof class);
}

static bool put_gone(const uint32_t *numbers, uint32_t count) {
    if (replicas) forget_replicas(numbers, count);
    return event_put(&safepoint_ring, ABI_EVENT_HEAP_GONE, numbers, count * (uint32_t)sizeof *numbers);
}

static bool make_readers(void) {
    bool ok = make_reader(&self, put_heap_class) && make_tally(&born_in_survivor) && make_tally(&moved_in_eden) &&
              make_tally(&in_range) && make_tally(&again);
    for (unsigned age = 0; ok && age < ABI_HEAP_AGES; age++) ok = make_tally(&survivors[age]);
    return ok && start_pieces(put_heap_class);
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
    pthread_mutex_lock(&ring_lock);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t class = t->classes[i];
        struct sum *s = &t->by_class[class];
        if (s->objects == 0) continue;
        if (event && to + 3 * LEB128_BYTES > event + ROWS_BYTES) {
            event_end(&safepoint_ring, (uint32_t)(to - event));
            event = NULL;
        }
        if (!event && (event = begin_rows(&at))) to = event + ABI_HEAP_ROWS_ROWS;
        if (event) to = put_leb128(put_leb128(put_leb128(to, class), s->objects), s->bytes / WORD);
        *s = (struct sum){0};
    }
    if (event) event_end(&safepoint_ring, (uint32_t)(to - event));
    pthread_mutex_unlock(&ring_lock);
    t->count = 0;
}

/* Where the next buffer of a thread is known to have no objects, and what is in front of that in it. */
struct gaps {
    const struct heap_gap *next, *end, *filled;
};

/* Objects without a gap. */
struct span {
    uintptr_t from, to;
};

/* What is in a range at or behind `at`, up to the next gap, behind which that goes on, or up to where the next buffer
 * begins: what is in one is read by itself. False: there is no more. */
static bool next_span(const struct heap_range *r, struct gaps *g, uintptr_t *at, struct span *to) {
    while (*at < r->to) {
        while (g->next < g->end && g->next->from < *at) g->next++, g->filled++;
        bool gap = g->next < g->end && g->next->from < r->to;
        bool buffer = g->next < g->end && g->filled->from > *at && g->filled->from < r->to;
        *to = (struct span){*at, buffer ? g->filled->from : gap ? g->next->from : r->to};
        *at = gap && !buffer ? g->next->to : to->to;
        if (to->from < to->to) return true;
    }
    return false;
}

/* Reads what is between gaps of a range, or lists it to be read with other pieces. */
static void read_range(const struct heap_range *r, struct gaps g, struct goal goal, bool may_wait) {
    struct span s;
    for (uintptr_t at = r->from; next_span(r, &g, &at, &s);) {
        struct goal now = goal;
        if (may_wait && list_piece(s.from, s.to, goal)) continue;
        if (!goal.all && !goal.by_age) now.all = &self.born;
        if (goal.singly) begin_piece(r, s.from);
        read_objects(&self, s.from, s.to, s.to, now);
        if (goal.singly) end_piece();
    }
}

/* One object, and the rest of the last region that it is in. */
static void read_humongous(const struct heap_range *r, struct goal goal) {
    if (goal.singly) begin_piece(r, r->from);
    uintptr_t end = read_objects(&self, r->from, r->from + 1, r->to, goal);
    if (goal.singly) end_piece();
    if (end < r->to) add_object(goal.all, ABI_HEAP_UNUSED, r->to - end);
    note_read(end, r->to);
}

/* Those at or behind an address. */
static struct gaps gaps_from(const struct heap_news *news, uintptr_t address) {
    const struct heap_buffers *b = &news->buffers;
    size_t i = gap_from(b->free, b->count, address);
    return (struct gaps){b->free + i, b->free + b->count, b->filled + i};
}

static bool is_young(const struct heap_range *r) {
    return r->space == ABI_HEAP_EDEN || r->space == ABI_HEAP_SURVIVOR;
}

/* What has no tag, and was not there before the last walk, is of the site that gives none: what is born, and what came
 * out of eden since. What a full collection has moved had a tag by then: so has all that will survive, but for what a
 * young collection finds in eden, where it would have to be written for each that dies. */
static struct goal goal_of(const struct heap_range *r) {
    bool moved = r->origin == ABI_HEAP_MOVED, anew = moved && moved_all;
    return (struct goal){.singly = singly, .settled = moved || r->space != ABI_HEAP_EDEN,
                         .restores = anew && !lost_sites, .implies = !anew, .gives_tags = true, .tags_last = singly};
}

/* Where objects of the young generation are added up; without tallies: in a reader's. They are moved once more before
 * they are old, so what keep_tag does is for those alone that a full collection may find. */
static struct goal young_goal(const struct heap_range *r, bool may_guess) {
    bool eden = r->space == ABI_HEAP_EDEN, moved = r->origin == ABI_HEAP_MOVED;
    struct goal g = goal_of(r);
    g.may_guess = may_guess;
    if (!loses && eden && !moved) {
        g.gives_tags = false;
        g.tags_last = true;
    }
    g.tagged_last = !loses;
    if (r->again) {
        g.all = &again;
        g.again = true;
        g.singly = false;
    } else if (eden && moved) {
        g.all = &moved_in_eden;
    } else if (!eden && moved) {
        g.by_age = survivors;
    } else if (!eden) {
        g.all = &born_in_survivor;
    }
    return g;
}

static void read_old(const struct heap_news *news, const struct heap_range *r) {
    struct goal g = goal_of(r);
    g.all = &in_range;
    if (r->space == ABI_HEAP_HUMONGOUS)
        read_humongous(r, g);
    else
        read_range(r, gaps_from(news, r->from), g, false);
    put_tally(&in_range, (struct place){r->space, r->origin, 0, r->region});
}

/* What was read of what the last collection has moved. Sums of a region may be in several events. */
static void add_moved_early(const struct early_moved *read) {
    for (unsigned age = 0; age < ABI_HEAP_AGES; age++) move_tally(&read->survivors[age], &survivors[age]);
    for (size_t i = 0; i < read->row_count; i++) {
        const struct moved_row *row = &read->rows[i];
        add_sum(&in_range, row->class, row->sum);
        if (i + 1 == read->row_count || read->rows[i + 1].region != row->region)
            put_tally(&in_range, (struct place){ABI_HEAP_OLD, ABI_HEAP_MOVED, 0, row->region});
    }
    self.objects += read->objects;
    for (size_t i = 0; i < read->held_count; i++) {
        const struct moved_object *o = &read->held[i];
        __builtin_prefetch((const void *)read->held[i + HELD_AHEAD < read->held_count ? i + HELD_AHEAD : i].at);
        const struct heap_range r = {o->at, o->to, o->space, ABI_HEAP_MOVED, o->region, false};
        struct goal g = o->space == ABI_HEAP_OLD ? goal_of(&r) : young_goal(&r, false);
        if (o->space == ABI_HEAP_OLD) g.all = &in_range;
        struct heap_class *c = look_up_class(o->at, &self.search);
        if (c)
            count(&self, &g, o->at, c, o->to - o->at);
        else
            self.broken = true;
        if (i + 1 == read->held_count || o[1].region != o->region)
            put_tally(&in_range, (struct place){ABI_HEAP_OLD, ABI_HEAP_MOVED, 0, o->region});
    }
}

/* What is old is read while other threads begin with eden. Gives how many bytes were read early. */
static uint64_t read_news(const struct heap_news *news, bool may_guess) {
    const struct heap_range born = {.space = ABI_HEAP_EDEN, .origin = ABI_HEAP_BORN};
    uint64_t early = news->born_early ? count_born(&self, news) : 0;
    if (news->born_early) list_held(young_goal(&born, false));
    for (size_t i = 0; i < news->range_count; i++) {
        const struct heap_range *r = &news->ranges[i];
        if (is_young(r)) read_range(r, gaps_from(news, r->from), young_goal(r, may_guess), !singly);
    }
    begin_pieces();
    for (size_t i = 0; i < news->range_count; i++)
        if (!is_young(&news->ranges[i])) read_old(news, &news->ranges[i]);
    end_pieces(&self);
    if (news->moved_early) add_moved_early(early_moved());
    clear_tally(&again);
    put_tally(&self.born, (struct place){ABI_HEAP_EDEN, ABI_HEAP_BORN, 0, 0});
    put_tally(&born_in_survivor, (struct place){ABI_HEAP_SURVIVOR, ABI_HEAP_BORN, 0, 0});
    put_tally(&moved_in_eden, (struct place){ABI_HEAP_EDEN, ABI_HEAP_MOVED, 0, 0});
    for (uint32_t age = 0; age < ABI_HEAP_AGES; age++)
        put_tally(&survivors[age], (struct place){ABI_HEAP_SURVIVOR, ABI_HEAP_MOVED, age, 0});
    return early;
}

/* What of a range is read once more for its contents; false: nothing. What has come through a first young collection is
 * of age 1 in survivor spaces, and of age 0 where it is old: there collections that move old objects may put others of
 * that age, so it is left out behind these, as is all behind full ones, which have headers made anew. */
static bool has_contents(const struct heap_range *r, struct copies_of *of) {
    *of = (struct copies_of){.lived = r->origin == ABI_HEAP_MOVED, .age = r->space == ABI_HEAP_SURVIVOR};
    if (!of->lived) return true;
    return !moved_all && (r->space == ABI_HEAP_SURVIVOR || (r->space == ABI_HEAP_OLD && !freed_old));
}

/* Reads objects once more, for their contents: then all identities and tags have been given. */
static void read_contents(const struct heap_news *news) {
    struct copies_of of;
    for (size_t i = 0; i < news->range_count; i++) {
        const struct heap_range *r = &news->ranges[i];
        struct gaps g = gaps_from(news, r->from);
        struct span s;
        if (r->again || !has_contents(r, &of)) continue;
        if (r->space == ABI_HEAP_HUMONGOUS)
            read_replicas(r->from, r->from + 1, r->to, of);
        else
            for (uintptr_t at = r->from; next_span(r, &g, &at, &s);) read_replicas(s.from, s.to, s.to, of);
    }
}

static uint64_t free_bytes(const struct heap_buffers *b) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < b->count; i++) bytes += b->free[i].to - b->free[i].from;
    return bytes;
}

/* A full collection has come without what keep_tag does. */
static void lose_sites(void) {
    lost_sites = !singly && atomic_load_explicit(&some_have_tags, memory_order_relaxed);
    losing += lost_sites;
}

static void walk(bool last) {
    struct heap_news news;
    struct heap_compared compared;
    uint64_t start = recorded_time();
    if (ended || self.broken) return;
    ended = last;
    rows = self.objects = self.unread = 0;
    loses = may_lose_tags();
    const struct heap_early *read = stop_early(loses);
    give_late_tags(recount_born);
    bool same_classes = begin_walk(put_implied, put_gone) && walks > 0;
    look_at_spaces(&news, read, loses && unkept);
    moved_all |= news.unseen;
    if (news.unseen) lose_sites();
    if (news.buffers.too_many) {
        self.broken = true;
        return;
    }
    if (singly) begin_singles(walks);
    uint64_t early = read_news(&news, same_classes);
    compare_parts(&compared);
    if (singly) end_singles();
    if (replicas && !self.broken && begin_replicas(walks, same_classes, last)) {
        read_contents(&news);
        end_replicas();
    }
    uint64_t end[ABI_HEAP_WALK_WORDS] = {
        [ABI_HEAP_WALK_NUMBER] = walks, [ABI_HEAP_WALK_START] = start,
        [ABI_HEAP_WALK_NANOSECONDS] = recorded_time() - start, [ABI_HEAP_WALK_OBJECTS] = self.objects,
        [ABI_HEAP_WALK_ROWS] = rows, [ABI_HEAP_WALK_COLLECTION] = last ? UINT32_MAX : number_of_collection(),
        [ABI_HEAP_WALK_UNUSED] = free_bytes(&news.buffers), [ABI_HEAP_WALK_UNREAD] = self.unread,
        [ABI_HEAP_WALK_LAST] = last, [ABI_HEAP_WALK_UNSEEN] = news.unseen, [ABI_HEAP_WALK_EARLY] = early,
        [ABI_HEAP_WALK_REGIONS] = compared.regions, [ABI_HEAP_WALK_OTHER_REGIONS] = compared.other_regions,
        [ABI_HEAP_WALK_OTHER_BYTES] = compared.other_bytes, [ABI_HEAP_WALK_BUFFERS] = compared.buffers,
        [ABI_HEAP_WALK_OTHER_BUFFERS] = compared.other_buffers};
    memcpy(&end[ABI_HEAP_WALK_USED], news.used, sizeof news.used);
    event_put(&safepoint_ring, ABI_EVENT_HEAP_WALK, end, sizeof end);
    event_commit(&safepoint_ring);
    walks++;
    if (last) end_early();
}

/* Pauses may be announced twice, one inside the other: by who asks for a collection, and by who does it. Inside one
 * that was asked for there may be several, each of which finds what the one before has left. */
static unsigned depth;
static bool walked; /* since the last collection */

static void stopped(void) {
    if (!on) return;
    depth++;
    if (!walked) walk(false);
    walked = true;
}

static void finish_walk(void) {
    uint64_t finish[ABI_HEAP_FINISH_FREED + FREED_REGIONS];
    uint32_t region = 0;
    size_t freed;
    finish[ABI_HEAP_FINISH_WALK] = walks - 1;
    finish[ABI_HEAP_FINISH_TIME] = recorded_time();
    finish[ABI_HEAP_FINISH_COLLECTED] = look_at_collection();
    moved_all = finish[ABI_HEAP_FINISH_COLLECTED] == ABI_HEAP_EVERYTHING;
    lost_sites = false;
    if (moved_all && !loses) lose_sites();
    unkept = finish[ABI_HEAP_FINISH_COLLECTED] == ABI_HEAP_NOTHING && !loses;
    if (finish[ABI_HEAP_FINISH_COLLECTED] != ABI_HEAP_NOTHING) note_move();
    clear_early(moved_all && !lost_sites);
    freed_old = false;
    do { /* one at least */
        freed = freed_regions(&region, finish + ABI_HEAP_FINISH_FREED, FREED_REGIONS);
        freed_old |= freed > 0;
        event_put(&safepoint_ring, ABI_EVENT_HEAP_FINISH, finish,
            (uint32_t)((ABI_HEAP_FINISH_FREED + freed) * sizeof *finish));
    } while (freed == FREED_REGIONS);
    event_commit(&safepoint_ring);
}

static void resuming(void) {
    if (!on || depth == 0) return;
    depth--;
    if (ended || self.broken) return;
    if (walked) finish_walk();
    walked = false;
    if (depth == 0) go_on_early();
}

static void start(JNIEnv *env) {
    const char *why = find_spaces();
    if (!why) why = find_objects(env);
    if (!why && !make_readers()) why = "there is no memory for counts of objects";
    if (why) send_loss("objects", 1, why);
    if (!knows_loaders()) send_loss("jvm", 1, "this JVM does not say which class loaders objects' classes are of");
    find_pauses();
    done[0] = performance_counter("sun.gc.collector.0.invocations");
    done[1] = performance_counter("sun.gc.collector.1.invocations");
    singly = want_singles();
    on = !why;
    replicas = on && want_replicas(put_heap_class);
    if (on && !singly && !replicas) start_early(put_heap_class);
    references = on && find_graph(env, put_heap_class);
}

bool reads_heap(void) { return on && !ended; }

static void walk_last(void) { walk(true); }

static jint JNICALL at_root(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class,
    jlong referrer_class, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *unused) {
    (void)kind, (void)info, (void)class, (void)referrer_class, (void)size, (void)tag, (void)referrer_tag, (void)length,
        (void)unused;
    if (!ended) walk_last();
    return JVMTI_VISIT_ABORT;
}

/* Stops the world by asking for roots, of which the first is enough: then the JVM looks at nothing else
 * (VM_HeapWalkOperation::doit). Who asks for objects has it go through all of the heap, even if one is enough. */
static void stop(void) {
    jvmtiHeapCallbacks callbacks;
    if (!on) return;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_reference_callback = at_root;
    if (references) write_last_graph(walk_last);
    if (!ended && ((*agent.jvmti)->FollowReferences(agent.jvmti, 0, NULL, NULL, &callbacks, NULL) != JVMTI_ERROR_NONE ||
        !ended))
        send_loss("objects", 1, "this JVM does not say what is in its heap at the end");
    if (losing > 0)
        send_loss("objects", losing, "full collections that were not announced, or not to be expected; sites are not "
            "known of objects that were young then, and of some others of their classes");
    if (self.broken) send_loss("objects", 1, "the heap was not as Mallard knows it; it was not read from there on");
    forget_late_tags();
}

const struct observer heap_observer = {
    .events = UINT64_C(1) << ABI_EVENT_HEAP_LOADER | UINT64_C(1) << ABI_EVENT_HEAP_CLASS |
              UINT64_C(1) << ABI_EVENT_HEAP_GONE | UINT64_C(1) << ABI_EVENT_HEAP_ROWS |
              UINT64_C(1) << ABI_EVENT_HEAP_WALK | UINT64_C(1) << ABI_EVENT_HEAP_FINISH |
              UINT64_C(1) << ABI_EVENT_HEAP_IMPLIED | UINT64_C(1) << ABI_EVENT_HEAP_SINGLES |
              UINT64_C(1) << ABI_EVENT_HEAP_SINGLES_END | UINT64_C(1) << ABI_EVENT_REPLICA_SUMS |
              UINT64_C(1) << ABI_EVENT_REPLICA_GROUPS | UINT64_C(1) << ABI_EVENT_REPLICA_END |
              UINT64_C(1) << ABI_EVENT_REPLICA_VALUE | UINT64_C(1) << ABI_EVENT_REPLICA_LIVED_SUMS |
              UINT64_C(1) << ABI_EVENT_REPLICA_LIVED_GROUPS,
    .start = start,
    .stopped = stopped,
    .resuming = resuming,
    .stop = stop,
};
