/* The memory in which threads count: one sparse file without a name, a table of states, then a page a thread (internal/wire/pages.go). The
 * file outlives the JVM in the recorder's hands, so a killed program loses nothing that was counted. */
#include "agent.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static _Atomic uint32_t *states(void) { return (_Atomic uint32_t *)(void *)agent.pages; }

unsigned char *page_address(uint32_t page) { return agent.pages + WIRE_PAGES_OFFSET + (size_t)page * agent.page_bytes; }

/* Pages take address space, and memory only where they are written to. Where the former is limited (ulimit -v) the JVM needs most of it: pages
 * are smaller then, with room for fewer counters, and fewer threads have pages of their own. */
enum { FEWEST_PAGES = 8, SHARE = 32 };

static uint32_t affordable_pages(void) {
    struct rlimit space;
    agent.page_bytes = WIRE_PAGE_BYTES;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return WIRE_MAX_PAGES;
    agent.page_bytes = WIRE_SMALL_PAGE_BYTES;
    rlim_t n = space.rlim_cur / SHARE / agent.page_bytes;
    return n < FEWEST_PAGES ? FEWEST_PAGES : n > WIRE_MAX_PAGES ? WIRE_MAX_PAGES : (uint32_t)n;
}

/* Page 0 a second time, below 2 GB if there is room. (Elsewhere an increment is ten bytes longer.) */
static unsigned char *map_shared(int fd) {
    int flags = MAP_SHARED | MAP_NORESERVE;
    void *p = MAP_FAILED;
#ifdef MAP_32BIT
    p = mmap(NULL, agent.page_bytes, PROT_READ | PROT_WRITE, flags | MAP_32BIT, fd, WIRE_PAGES_OFFSET);
#endif
    if (p == MAP_FAILED) p = mmap(NULL, agent.page_bytes, PROT_READ | PROT_WRITE, flags, fd, WIRE_PAGES_OFFSET);
    if (p == MAP_FAILED) return page_address(WIRE_OVERFLOW_PAGE);
    madvise(p, agent.page_bytes, MADV_DONTDUMP);
    madvise(p, agent.page_bytes, MADV_DONTFORK);
    return p;
}

int map_pages(void) {
    int fd = memfd_create("mallard", MFD_CLOEXEC);
    if (fd < 0) return -1;
    for (uint32_t n = affordable_pages(); n >= FEWEST_PAGES; n /= 2) {
        size_t pages = (size_t)n * agent.page_bytes, size = WIRE_PAGES_OFFSET + pages + pages / WIRE_ARENA_SHARE;
        if (ftruncate(fd, (off_t)size) != 0) continue;
        void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        if (p == MAP_FAILED) continue;
        madvise(p, size, MADV_DONTDUMP);
        madvise(p, size, MADV_DONTFORK);
        agent.pages = p;
        agent.page_count = n;
        agent.arena_bytes = pages / WIRE_ARENA_SHARE;
        agent.mail = (struct mail *)(void *)(agent.pages + WIRE_MAIL_OFFSET);
        agent.shared = map_shared(fd);
        states()[WIRE_OVERFLOW_PAGE] = WIRE_PAGE_LIVE;
        return fd;
    }
    close(fd);
    return -1;
}

/* $Mallard.takePage does the same, from the first page on. */
uint32_t take_page(void) {
    for (uint32_t tried = 1; tried < agent.page_count; tried++) {
        uint32_t page = 1 + agent.next_page++ % (agent.page_count - 1), expected = WIRE_PAGE_FREE;
        if (atomic_compare_exchange_strong(&states()[page], &expected, WIRE_PAGE_LIVE)) return page;
    }
    return WIRE_OVERFLOW_PAGE;
}

void end_page(uint32_t page) { states()[page] = WIRE_PAGE_ENDED; }

void free_page(uint32_t page) {
    madvise(page_address(page), agent.page_bytes, MADV_REMOVE);
    states()[page] = WIRE_PAGE_FREE;
}
