/* Reading pieces of the young generation.
 *
 * Threads sleep until there is much to read; then they take pieces off one list until it is empty. One that wakes up
 * late finds it closed, and nobody waits for it. */
#include "pieces.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent.h"
#include "own_thread.h"
#include "pages.h"
#include "stripes.h"

enum {
    MOST_PIECES = 1 << 17,
    MOST_THREADS = 7,
    ENOUGH = 2 << 20 /* bytes for which it is worth to wake another thread */
};

struct piece {
    uintptr_t at, to;
    struct goal goal;
};

static struct piece *own, *shared; /* MOST_PIECES each: those of the thread that walks, and those of all threads */
static size_t own_count, own_next, shared_count;
static uint64_t shared_bytes;
static void (*read_others)(struct reader *r); /* NULL: there are none */
static _Atomic size_t shared_next;

static struct reader readers[MOST_THREADS];
static uint32_t reader_count;

/* The lowest bit: the list is open; above it: threads that read. */
enum { OPEN = 1, ONE_READS = 2 };
static _Atomic uint32_t state;
static _Atomic uint32_t turn; /* counts when the list was opened */

static void sleep_while(_Atomic uint32_t *word, uint32_t value) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(_Atomic uint32_t *word, int threads) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
}

bool list_piece(uintptr_t from, uintptr_t to, struct goal g) {
    bool share = !g.all && !g.by_age;
    if (share && g.may_guess && list_stripes(from, to, g.tags_last)) {
        shared_bytes += to - from;
        return true;
    }
    size_t *n = share ? &shared_count : &own_count;
    if (*n == MOST_PIECES) return false;
    (share ? shared : own)[(*n)++] = (struct piece){from, to, g};
    if (share) shared_bytes += to - from;
    return true;
}

void list_others(void (*read)(struct reader *r), uint64_t bytes) {
    read_others = read;
    shared_bytes += bytes;
}

/* Takes a piece for a reader; false where there are no more. */
static bool take(struct reader *r, bool takes_own, struct piece *to) {
    if (takes_own && own_next < own_count) {
        *to = own[own_next++];
        return true;
    }
    size_t i = atomic_fetch_add_explicit(&shared_next, 1, memory_order_relaxed);
    if (i >= shared_count) return false;
    *to = shared[i];
    to->goal.all = &r->born;
    return true;
}

static void read_pieces(struct reader *r, bool takes_own) {
    struct stripe *s;
    struct piece p;
    while (take(r, takes_own, &p)) {
        if (p.goal.all == &r->born && counts_fresh(&p.goal))
            read_fresh(r, p.at, p.to, p.goal);
        else
            read_objects(r, p.at, p.to, p.to, p.goal);
    }
    while ((s = take_stripe(r))) {
        read_stripe(r, s);
        end_stripe(r, s);
    }
    if (read_others) read_others(r);
}

/* False: the list is closed. */
static bool enter(void) {
    uint32_t now = atomic_load(&state);
    while (now & OPEN)
        if (atomic_compare_exchange_weak(&state, &now, now + ONE_READS)) return true;
    return false;
}

static void *run(void *reader) {
    for (uint32_t seen = 0;;) {
        uint32_t now = atomic_load_explicit(&turn, memory_order_acquire);
        if (now == seen) {
            sleep_while(&turn, seen);
            continue;
        }
        seen = now;
        if (!enter()) continue;
        read_pieces(reader, false);
        if (atomic_fetch_sub(&state, ONE_READS) == ONE_READS) wake(&state, 1);
    }
    return NULL;
}

static void start_threads(uint32_t most, new_heap_class *is_new) {
    while (reader_count < most && make_reader(&readers[reader_count], is_new) &&
           start_own_thread("mallard walk", run, &readers[reader_count])) reader_count++;
}

bool start_pieces(new_heap_class *is_new) {
    jint processors = 1;
    own = zero_pages(MOST_PIECES * sizeof *own);
    shared = zero_pages(MOST_PIECES * sizeof *shared);
    if (!own || !shared || !make_stripes()) return false;
    (*agent.jvmti)->GetAvailableProcessors(agent.jvmti, &processors);
    if (processors > 1) start_threads(processors - 1 < MOST_THREADS ? (uint32_t)processors - 1 : MOST_THREADS, is_new);
    return true;
}

void begin_pieces(void) {
    uint64_t threads = shared_bytes / ENOUGH;
    atomic_store_explicit(&shared_next, 0, memory_order_relaxed);
    if (threads == 0 || reader_count == 0) return;
    atomic_fetch_or(&state, OPEN);
    atomic_fetch_add(&turn, 1);
    wake(&turn, threads < reader_count ? (int)threads : (int)reader_count);
}

void end_pieces(struct reader *r) {
    read_pieces(r, true);
    uint32_t now = atomic_fetch_and(&state, ~(uint32_t)OPEN) & ~(uint32_t)OPEN;
    for (; now != 0; now = atomic_load(&state)) sleep_while(&state, now);
    add_fresh(r);
    for (uint32_t i = 0; i < reader_count; i++) {
        struct reader *other = &readers[i];
        add_fresh(other);
        move_tally(&other->born, &r->born);
        r->objects += other->objects;
        r->unread += other->unread;
        r->broken |= other->broken;
        other->objects = other->unread = 0;
    }
    end_stripes(r);
    own_count = own_next = shared_count = 0;
    shared_bytes = 0;
    read_others = NULL;
}
