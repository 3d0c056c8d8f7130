/* Thread counter blocks: one sparse file without a name, a table of states, then a block a thread (package
 * internal/abi). The file outlives the JVM in the recorder's hands, so a killed program loses nothing that was
 * counted. */
#include "agent.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static _Atomic uint32_t *states(void) { return (_Atomic uint32_t *)(void *)agent.memory; }

unsigned char *block_address(uint32_t block) {
    return agent.memory + ABI_BLOCKS_OFFSET + (size_t)block * agent.block_bytes;
}

/* Blocks take address space, and memory only where they are written to. Where the former is limited (ulimit -v) the JVM
 * needs most of it: blocks are smaller then, with room for fewer counters, and fewer threads have blocks of their
 * own. */
enum { FEWEST_BLOCKS = 8, SHARE = 32 };

#define LITTLE_SPACE (UINT64_C(2) << 30) /* bytes; arenas of malloc's matter there */

/* What blocks take is given back, and more: glibc sets 64 MB of address space aside for the memory of each of the first
 * threads (an arena), as long as there are as many. What is left then may be too little for all else, in a JVM that
 * runs alone as well, but not for the same limits. The arenas that there are now, two as a rule, stay the only ones. */
static void fewest_arenas(void) {
    int (*option)(int, int) = (int (*)(int, int))dlsym(RTLD_DEFAULT, "mallopt"); /* musl has none */
    if (option) option(M_ARENA_MAX, 1);
}

static uint32_t affordable_blocks(void) {
    struct rlimit space;
    agent.block_bytes = ABI_BLOCK_BYTES;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return ABI_MAX_BLOCKS;
    agent.block_bytes = ABI_SMALL_BLOCK_BYTES;
    if (space.rlim_cur < LITTLE_SPACE) fewest_arenas();
    rlim_t n = space.rlim_cur / SHARE / agent.block_bytes;
    return n < FEWEST_BLOCKS ? FEWEST_BLOCKS : n > ABI_MAX_BLOCKS ? ABI_MAX_BLOCKS : (uint32_t)n;
}

/* Block 0 a second time, below 2 GB if there is room. (Elsewhere an increment is ten bytes longer.) */
static unsigned char *map_shared(int fd) {
    int flags = MAP_SHARED | MAP_NORESERVE;
    void *p = MAP_FAILED;
#ifdef MAP_32BIT
    p = mmap(NULL, agent.block_bytes, PROT_READ | PROT_WRITE, flags | MAP_32BIT, fd, ABI_BLOCKS_OFFSET);
#endif
    if (p == MAP_FAILED) p = mmap(NULL, agent.block_bytes, PROT_READ | PROT_WRITE, flags, fd, ABI_BLOCKS_OFFSET);
    if (p == MAP_FAILED) return block_address(ABI_OVERFLOW_BLOCK);
    madvise(p, agent.block_bytes, MADV_DONTDUMP);
    madvise(p, agent.block_bytes, MADV_DONTFORK);
    return p;
}

int map_memory(void) {
    int fd = beyond_streams(memfd_create("mallard", MFD_CLOEXEC));
    if (fd < 0) return -1;
    for (uint32_t n = affordable_blocks(); n >= FEWEST_BLOCKS; n /= 2) {
        size_t blocks = (size_t)n * agent.block_bytes, size = ABI_BLOCKS_OFFSET + blocks + blocks / ABI_ARENA_SHARE;
        if (ftruncate(fd, (off_t)size) != 0) continue;
        void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        if (p == MAP_FAILED) continue;
        madvise(p, size, MADV_DONTDUMP);
        madvise(p, size, MADV_DONTFORK);
        agent.memory = p;
        agent.block_count = n;
        agent.arena_bytes = blocks / ABI_ARENA_SHARE;
        agent.message_ring = agent.memory + ABI_MESSAGE_RING_OFFSET;
        agent.shared = map_shared(fd);
        states()[ABI_OVERFLOW_BLOCK] = ABI_BLOCK_LIVE;
        return fd;
    }
    close(fd);
    return -1;
}

/* The first that is free: a block keeps the tree of contexts that its threads have had, so there are as many as threads
 * have been alive at a time. $MallardThreads.takeBlock does the same. */
uint32_t take_block(void) {
    for (uint32_t block = 1; block < agent.block_count; block++) {
        uint32_t expected = ABI_BLOCK_FREE;
        if (states()[block] == ABI_BLOCK_FREE &&
            atomic_compare_exchange_strong(&states()[block], &expected, ABI_BLOCK_LIVE)) return block;
    }
    return ABI_OVERFLOW_BLOCK;
}

void end_block(uint32_t block) { states()[block] = ABI_BLOCK_ENDED; }

void free_block(uint32_t block) {
    madvise(block_address(block), agent.block_bytes, MADV_REMOVE);
    states()[block] = ABI_BLOCK_FREE;
}
