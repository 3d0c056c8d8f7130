/* What is born is read while the world runs, by a thread that nobody waits for but the beginning of a pause: it looks
 * whether one begins every so many objects. In between it reads what the last collection has moved (early_moved.h).
 *
 * Of eden it reads what is whole: below where eden ended when each thread was last seen outside of the VM, and outside
 * of buffers in use (hotspot_buffers.h). Of these it reads what is whole (early_buffers.h). The rest is left out, as a
 * hole, until there is more, or all of it: who fills a buffer up makes it whole before. It writes nothing there.
 * What it cannot tell yet, as an object that another thread has locked, or one that has no tag and may get one
 * when its constructor is over, is held until the pause. */
#include "early.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"
#include "early_born.h"
#include "early_buffers.h"
#include "early_copies.h"
#include "early_moved.h"
#include "hotspot.h"
#include "hotspot_stops.h"
#include "hotspot_tops.h"
#include "observers.h"
#include "own_thread.h"
#include "pages.h"

enum {
    MOST_HOLES = 1 << 16, /* as many as threads can have buffers */
    SHORTEST = 1000000, LONGEST = 10000000, /* nanoseconds between looks at how much has come */
    LAST = 200000, FIRST = 100000, /* the same before a collection, and behind it */
    LATEST = 50000000, /* nanoseconds between turns, if anything has */
    IDLE = 200000, /* nanoseconds of processors between looks: so little can have come that this is not worth one */
    MUCH = 4 << 20, LITTLE = 1 << 20, LEAST = 1 << 17, /* bytes of a turn */
    REST = 3,       /* times as long as it took to look at threads nobody does so again */
    MOST_VAIN = 8   /* pauses in a row for which all was read in vain */
};

/* The thread reads; the world is stopped, or about to be. */
enum { READS = 1, STOPPED = 2 };
static _Atomic uint32_t state;
static _Atomic uint64_t pauses; /* that have begun */
static _Atomic uint32_t resumes; /* pauses that are over */
static atomic_bool ended;       /* nothing is read any more */
static bool started;

static unsigned vain;

static struct heap_gap *holes;  /* MOST_HOLES, in the order in which they were come upon */
static struct heap_gap *closed; /* MOST_HOLES: to be left out, by address */
static size_t hole_count, closed_count;

bool pause_begins(void) { return atomic_load_explicit(&state, memory_order_relaxed) & STOPPED; }

/* No pause begins until the thread leaves; false: one has begun. */
static bool enter(void) {
    uint32_t nobody = 0;
    return atomic_compare_exchange_strong(&state, &nobody, READS);
}

static void leave(void) {
    if (atomic_fetch_and(&state, ~(uint32_t)READS) & STOPPED)
        syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* What is in the way of reading. */
struct obstacle {
    struct heap_gap is;
    uintptr_t whole; /* of it, objects below can be read */
};

/* The first obstacle in a part: what is to be left out, or a buffer in use; false: there is none. */
static bool next_obstacle(uintptr_t at, uintptr_t to, const struct turn_buffers *in_use, struct obstacle *o) {
    size_t c = gap_from(closed, closed_count, at), b = gap_from(in_use->list, in_use->count, at);
    *o = (struct obstacle){.is = {to, to}};
    if (b < in_use->count && in_use->list[b].from < to)
        *o = (struct obstacle){in_use->list[b], in_use->whole[b]};
    if (c < closed_count && closed[c].from <= o->is.from && closed[c].from < to)
        *o = (struct obstacle){closed[c], closed[c].from};
    return o->is.from < to;
}

static uintptr_t read_and_note(uintptr_t from, uintptr_t to) {
    uintptr_t end = read_born(from, to);
    note_read_early(from, end);
    return end;
}

/* Reads a part of eden, and gives where it has come to. */
static uintptr_t read_part(const struct heap_gap *part, const struct turn_buffers *in_use) {
    struct obstacle o;
    uintptr_t at = part->from;
    while (next_obstacle(at, part->to, in_use, &o)) {
        if ((at = read_and_note(at, o.is.from)) != o.is.from) return at;
        if (o.is.to > part->to || hole_count == MOST_HOLES) return at;
        holes[hole_count++] = (struct heap_gap){read_and_note(at, o.whole), o.is.to};
        at = o.is.to;
    }
    return read_and_note(at, part->to);
}

/* False: there is no room to note it. */
static bool close_part(uintptr_t from, uintptr_t to) {
    if (from >= to) return true;
    if (closed_count == MOST_HOLES) return false;
    size_t at = gap_from(closed, closed_count, from);
    memmove(&closed[at + 1], &closed[at], (closed_count++ - at) * sizeof *closed);
    closed[at] = (struct heap_gap){from, to};
    return true;
}

/* Leaves out what has come since tops were kept, but for buffers in use, which threads have got. False: there is no
 * room to note all of it. */
static bool close_changes(const struct buffers *in_use) {
    struct heap_gap change;
    for (uint32_t i = 0; next_change(&i, &change); i++) {
        uintptr_t from = change.from;
        for (size_t b = gap_from(in_use->list, in_use->count, from); b < in_use->count; b++) {
            const struct heap_gap *buffer = &in_use->list[b];
            if (buffer->to > change.to) break;
            if (!close_part(from, buffer->from)) return false;
            from = buffer->to;
        }
        if (!close_part(from, change.to)) return false;
    }
    return true;
}

/* Up to where a hole can be read. What was a buffer and is none any more is whole. What came while the world was
 * stopped is no such one: whom it is for may not have got it yet, however long that was ago. */
static uintptr_t end_of_whole(const struct heap_gap *hole, const struct turn_buffers *in_use) {
    size_t c = gap_from(closed, closed_count, hole->to), b = gap_from(in_use->list, in_use->count, hole->to);
    if (c > 0 && closed[c - 1].to > hole->from) return hole->from;
    if (b == 0 || in_use->list[b - 1].to <= hole->from) return hole->to;
    bool is_end = in_use->list[b - 1].from <= hole->from && in_use->list[b - 1].to == hole->to;
    return is_end && in_use->whole[b - 1] > hole->from ? in_use->whole[b - 1] : hole->from;
}

/* Reads what was left out in earlier turns, and is whole by now. */
static void read_holes(const struct turn_buffers *in_use) {
    for (size_t i = 0; i < hole_count && !pause_begins() && !born_is_wrong();) {
        struct heap_gap *hole = &holes[i];
        hole->from = read_and_note(hole->from, end_of_whole(hole, in_use));
        if (hole->from == hole->to)
            *hole = holes[--hole_count];
        else
            i++;
    }
}

static void read_all(const struct turn_buffers *in_use) {
    struct heap_gap part;
    for (uint32_t i = 0; !pause_begins() && !born_is_wrong() && next_early(&i, &part); i++)
        read_early(i, read_part(&part, in_use));
}

/* Whether all threads together have run for long enough since this was called to have made much. */
static bool was_idle(void) {
    static uint64_t before;
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) return false;
    uint64_t run = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec, last = before;
    before = run;
    return run - last < IDLE;
}

static bool closing; /* a collection is near, and has come nearer since the look before */

/* Whether there may be no room for another buffer: then those that are in use get full, and that is all. */
static bool is_full(void) { return eden_left() < largest_buffer(); }

/* Whether so much is worth a turn, or what there is has come long ago. */
static bool is_worth(uint64_t came, uint64_t turned) {
    return came >= (closing ? LEAST : LITTLE) || (came > 0 && recorded_time() - turned >= LATEST);
}

/* Of this thread. 0: not known. */
static uint64_t processor_time(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Gives how many bytes have come since the turn before. Of thousands of threads a look takes milliseconds. */
static uint64_t take_turn(void) {
    struct buffers in_use;
    static int64_t stops_before = -1; /* the look before */
    static uint64_t turned; /* when the turn before began */
    static uint64_t rests;  /* until then */
    uint64_t pause = atomic_load(&pauses);
    struct look look;
    if (pause_begins() || !atomic_load(&agent.engaged) || vain >= MOST_VAIN) return 0;
    int64_t stops = world_stops();
    bool runs = world_runs(), idle = was_idle();
    if (idle && !closing && (nothing_handed_out() || !runs)) return 0;
    uint64_t came = note_tops(runs ? stops : -1);
    if (nothing_handed_out() && !is_worth(came, turned) && !is_full()) return came;
    if (recorded_time() < rests) return came;
    uint64_t start = processor_time();
    turned = recorded_time();
    if (!look_at_threads(&look)) return came;
    if (!runs && (look.runs || (look.ran && stops == stops_before))) came = note_tops(stops);
    stops_before = stops;
    bool calm = nothing_handed_out();
    bool known = buffers_in_use(&in_use);
    rests = recorded_time() + REST * (processor_time() - start);
    if (!known || !enter()) return came;
    if (atomic_load(&pauses) == pause && nothing_collected() && classes_are_known() && !born_is_wrong() &&
        (calm || close_changes(&in_use))) {
        struct turn_buffers buffers = note_buffers(&in_use);
        keep_tops();
        read_holes(&buffers);
        read_all(&buffers);
        add_up_born();
    }
    leave();
    return came;
}

/* Gives whether there is more of what was moved. */
static bool take_turn_of_moved(void) {
    uint64_t pause = atomic_load(&pauses);
    if (pause == 0 || !atomic_load(&agent.engaged) || !enter()) return false;
    bool more = atomic_load(&pauses) == pause && nothing_collected() && classes_are_known() && read_early_moved();
    leave();
    return more;
}

/* Half of the time until a collection: what has come at a rate is what is less than before. Where there is no room for
 * another buffer, it is when one gets full. UINT64_MAX: nobody knows. */
static uint64_t half_until_collection(uint64_t waited) {
    static uint64_t before;
    uint64_t left = eden_left(), last = before, half = UINT64_MAX;
    before = left;
    if (left < last) half = waited * left / (last - left) / 2;
    return is_full() && until_full() / 2 < half ? until_full() / 2 : half;
}

/* How long to wait until so much has come as is worth a turn, after so long. What comes behind the last turn is read in
 * the pause: so these come ever sooner before a collection. */
static uint64_t next_wait(uint64_t waited, uint64_t came) {
    uint64_t wait = came ? waited * MUCH / came : LONGEST, half = half_until_collection(waited);
    if (wait > 2 * waited) wait = 2 * waited;
    if (wait < SHORTEST && tops_are_known()) wait = SHORTEST;
    wait = wait < FIRST ? FIRST : wait > LONGEST ? LONGEST : wait;
    closing = half < wait;
    return !closing ? wait : half < LAST ? LAST : half;
}

/* Until a pause is over that was not when so many were, or so many nanoseconds. */
static void wait_for_resume(uint32_t resumed, uint64_t most) {
    const struct timespec time = {.tv_nsec = (long)most};
    syscall(SYS_futex, &resumes, FUTEX_WAIT_PRIVATE, resumed, &time, NULL, 0);
}

/* What comes between a pause and the first turn behind it is left out, so that one is soon. */
static void *run(void *unused) {
    uint32_t resumed = 0, before = 0;
    for (uint64_t wait = SHORTEST; !atomic_load(&ended); before = resumed) {
        wait_for_resume(resumed, wait);
        resumed = atomic_load(&resumes);
        wait = next_wait(resumed == before ? wait : FIRST, take_turn());
        if (tops_are_known() && take_turn_of_moved() && wait > SHORTEST) wait = SHORTEST;
    }
    return unused;
}

void start_early(new_heap_class *is_new) {
    jint processors = 1;
    (*agent.jvmti)->GetAvailableProcessors(agent.jvmti, &processors);
    if (processors < 2 || !headers_are_plain() || !can_read_early()) return;
    holes = zero_pages(MOST_HOLES * sizeof *holes);
    closed = zero_pages(MOST_HOLES * sizeof *closed);
    started = holes && closed && make_early_copies() && make_early_buffers() && make_early_born(is_new) &&
              make_early_moved(is_new) && start_own_thread("mallard early", run, NULL);
}

void hold_early(void) {
    if (!started) return;
    for (uint32_t now = atomic_fetch_or(&state, STOPPED) | STOPPED; now & READS; now = atomic_load(&state))
        syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
}

void go_on_early(void) {
    world_is_stopped();
    atomic_fetch_and(&state, ~(uint32_t)STOPPED);
    if (!started) return;
    atomic_fetch_add(&resumes, 1);
    syscall(SYS_futex, &resumes, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

const struct heap_early *stop_early(bool may_lose_tags) {
    static struct heap_early early;
    if (!started) return &early;
    atomic_fetch_add(&pauses, 1);
    hold_early();
    bool in_vain = may_lose_tags && born_needs_write();
    if (!may_lose_tags)
        vain = 0;
    else if (in_vain)
        vain++;
    sort_gaps(holes, hole_count);
    early = (struct heap_early){.born = !born_is_wrong() && !in_vain, .moved = early_moved() != NULL,
        .unkept = may_lose_tags && moved_needs_write(), .holes = holes, .count = hole_count};
    return &early;
}

void clear_early(bool moved_all) {
    if (!started) return;
    clear_early_born();
    clear_early_moved(moved_all);
    clear_early_buffers();
    hole_count = closed_count = 0;
}

void end_early(void) { atomic_store(&ended, true); }
