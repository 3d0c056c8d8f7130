/* Threads' allocation buffers: their ends while the world is stopped, and where they are while it runs.
 *
 * What runs may change and be freed. So it is read in a way that does not mind memory that is gone, and counts if the
 * list of threads is the same one afterwards: then those that were in it all the time were there to be read. One that
 * came meanwhile has no memory that was handed out before. */
#include "hotspot_buffers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "hotspot.h"
#include "hotspot_table.h"
#include "hotspot_threads.h"
#include "pages.h"

enum {
    WORD = 8,
    BUFFER_BYTES = 128, /* of a ThreadLocalAllocBuffer, at most, as far as it is read */
    AT_A_TIME = 512,    /* threads of a system call, two parts each */
    TRIES = 8,
    SMALLEST_RESERVE = 2 /* words that a buffer keeps for a filler (CollectedHeap::lab_alignment_reserve) */
};

/* What is read of a thread. */
struct view {
    uint32_t state;
    _Alignas(8) unsigned char buffer[BUFFER_BYTES];
};

static const struct hotspot *vm;
static size_t buffer_bytes;
static uintptr_t *threads, *threads_again; /* MOST_THREADS each, of the list that is looked at */
static uintptr_t threads_from; /* the list */
static size_t thread_count;
static struct view *views, *views_again; /* MOST_THREADS each */
static bool *seen;                       /* MOST_THREADS: not getting memory */
static struct heap_gap *in_use, *in_use_filled; /* MOST_THREADS each */

/* What a buffer keeps behind its end, and its real end, which is behind the next sampled allocation: the word that
 * follows where the table has _end (threadLocalAllocBuffer.hpp). */
static uintptr_t end_of_buffer(uintptr_t buffer) {
    uint64_t reserve = AT(uint32_t, vm->tlab_prefetch) > SMALLEST_RESERVE ? AT(uint32_t, vm->tlab_prefetch)
                                                                          : SMALLEST_RESERVE;
    bool two_ends = vm->tlab_desired == vm->tlab_end + 2 * sizeof(uintptr_t);
    return AT(uintptr_t, buffer + vm->tlab_end + (two_ends ? sizeof(uintptr_t) : 0)) + reserve * WORD;
}

static int by_address(const void *a, const void *b) {
    const struct heap_gap *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

void sort_gaps(struct heap_gap *gaps, size_t n) { qsort(gaps, n, sizeof *gaps, by_address); }

size_t gap_from(const struct heap_gap *gaps, size_t n, uintptr_t address) {
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (gaps[middle].from < address)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

size_t parts_of_buffers(struct heap_gap *filled, struct heap_gap *free, size_t n) {
    vm = hotspot_entries();
    uintptr_t list = AT(uintptr_t, vm->thread_list), of = AT(uintptr_t, list + vm->list_threads);
    uint32_t length = AT(uint32_t, list + vm->list_length);
    size_t found = 0;
    for (uint32_t i = 0; i < length && found < n; i++) {
        uintptr_t buffer = AT(uintptr_t, of + i * sizeof(uintptr_t)) + vm->tlab;
        uintptr_t start = AT(uintptr_t, buffer + vm->tlab_start), top = AT(uintptr_t, buffer + vm->tlab_top);
        if (!start) continue;
        filled[found] = (struct heap_gap){start, top};
        free[found++] = (struct heap_gap){top, end_of_buffer(buffer)};
    }
    sort_gaps(filled, found); /* no two have an address in common: so both lists have the same order */
    sort_gaps(free, found);
    return found;
}

bool find_buffers(void) {
    vm = hotspot_entries();
    buffer_bytes = vm->tlab_desired + sizeof(uint64_t);
    if (!vm->on[USE_THREAD_STATES] || vm->tlab_end >= vm->tlab_desired || vm->tlab_start >= vm->tlab_desired ||
        buffer_bytes > BUFFER_BYTES) return false;
    threads = zero_pages(MOST_THREADS * sizeof *threads);
    threads_again = zero_pages(MOST_THREADS * sizeof *threads_again);
    views = zero_pages(MOST_THREADS * sizeof *views);
    views_again = zero_pages(MOST_THREADS * sizeof *views_again);
    seen = zero_pages(MOST_THREADS * sizeof *seen);
    in_use = zero_pages(MOST_THREADS * sizeof *in_use);
    in_use_filled = zero_pages(MOST_THREADS * sizeof *in_use_filled);
    return threads && threads_again && views && views_again && seen && in_use && in_use_filled;
}

/* Parts of memory to be read together, two of a thread. */
struct parts {
    struct iovec here[2 * AT_A_TIME], there[2 * AT_A_TIME];
    size_t threads;
};
_Static_assert(2 * AT_A_TIME <= IOV_MAX, "parts of a system call");

static void add_part(struct parts *p, uintptr_t thread, struct view *to) {
    size_t i = 2 * p->threads++;
    p->here[i] = (struct iovec){&to->state, sizeof to->state};
    p->there[i] = (struct iovec){(void *)(thread + vm->thread_state), sizeof to->state};
    p->here[i + 1] = (struct iovec){to->buffer, buffer_bytes};
    p->there[i + 1] = (struct iovec){(void *)(thread + vm->tlab), buffer_bytes};
}

static bool read_parts(struct parts *p) {
    size_t n = p->threads;
    p->threads = 0;
    return n == 0 || process_vm_readv(getpid(), p->here, 2 * n, p->there, 2 * n, 0) ==
                         (ssize_t)(n * (sizeof(uint32_t) + buffer_bytes));
}

/* The states and buffers of threads that were not seen yet, as they are one after the other. Each takes about a
 * microsecond. */
static bool read_views(struct view *to) {
    static struct parts parts;
    parts.threads = 0;
    for (size_t i = 0; i < thread_count; i++) {
        if (seen[i]) continue;
        if (parts.threads == AT_A_TIME && !read_parts(&parts)) return false;
        add_part(&parts, threads[i], &to[i]);
    }
    return read_parts(&parts);
}

static void see_none(void) { memset(seen, 0, thread_count * sizeof *seen); }

/* Whether the list of threads may still be the one that is looked at. */
static bool is_list(void) { return __atomic_load_n((uintptr_t *)vm->thread_list, __ATOMIC_RELAXED) == threads_from; }

static struct heap_gap buffer_of(const struct view *v) {
    uintptr_t start = AT(uintptr_t, v->buffer + vm->tlab_start);
    return (struct heap_gap){start, start ? end_of_buffer((uintptr_t)v->buffer) : 0};
}

/* Notes the threads that are seen with the buffer that they had before, and out of the VM, where memory is handed out,
 * in between: they have left their buffers before as whole objects. False: not all have been seen yet. */
static bool see_threads(void) {
    bool all = true;
    if (!read_views(views_again)) return false;
    for (size_t i = 0; i < thread_count; i++) {
        const struct view *now = &views_again[i];
        if (seen[i]) continue;
        struct heap_gap before = buffer_of(&views[i]), buffer = buffer_of(now);
        seen[i] = now->state != vm->state_in_vm && before.from == buffer.from && before.to == buffer.to;
        views[i] = *now;
        all &= seen[i];
    }
    return all;
}

/* Whether a thread has allocated in its buffer, or got another one: nobody else does that for it. */
static bool got_on(const struct view *from, const struct view *to) {
    uintptr_t before = AT(uintptr_t, from->buffer + vm->tlab_start), now = AT(uintptr_t, to->buffer + vm->tlab_start);
    return now && (now != before || AT(uintptr_t, to->buffer + vm->tlab_top) >
                                        AT(uintptr_t, from->buffer + vm->tlab_top));
}

bool look_at_threads(struct look *is) {
    struct view *last = views;
    uintptr_t *of = threads;
    size_t count = thread_count;
    *is = (struct look){0};
    views = views_again;
    views_again = last;
    threads = threads_again;
    threads_again = of;
    threads_from = read_threads(threads, MOST_THREADS, &thread_count);
    see_none();
    if (!threads_from || !read_views(views)) return false;
    bool same = count == thread_count && memcmp(of, threads, count * sizeof *threads) == 0;
    for (size_t i = 0; i < thread_count; i++) {
        is->runs |= views[i].state == vm->state_in_java || views[i].state == vm->state_in_vm;
        is->ran |= same && got_on(&last[i], &views[i]);
    }
    return true;
}

bool buffers_in_use(struct buffers *to) {
    const struct timespec a_while = {.tv_nsec = 50000};
    size_t again, found = 0;
    see_none();
    for (unsigned i = 0; !see_threads(); i++) {
        if (i == TRIES || !is_list()) return false;
        nanosleep(&a_while, NULL);
    }
    if (read_threads(threads_again, MOST_THREADS, &again) != threads_from || again != thread_count ||
        memcmp(threads, threads_again, again * sizeof *threads) != 0) return false;
    for (size_t i = 0; i < thread_count; i++) {
        struct heap_gap buffer = buffer_of(&views[i]);
        if (!buffer.from) continue;
        in_use[found] = buffer;
        in_use_filled[found++] = (struct heap_gap){buffer.from, AT(uintptr_t, views[i].buffer + vm->tlab_top)};
    }
    sort_gaps(in_use, found); /* both have the same order, as in parts_of_buffers */
    sort_gaps(in_use_filled, found);
    *to = (struct buffers){in_use, in_use_filled, found};
    return true;
}
