/* Classes that were instrumented in an earlier run: a file whose header the recorder has checked, laid out as in internal/classcache/layout.go. A class that is there
 * costs neither the JVM nor the recorder a wait. */
#include "agent.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct cache_header {
    char magic[8];
    uint32_t version, slots, entries, sum;
    uint64_t size, table;
};

struct cache_entry {
    uint64_t hash, counting_hash, meaning_hash;
    uint32_t class_size, new_size, counters, patches, meaning_size, zero;
};

static const struct cache_header *cache; /* NULL without */

/* The recorder says which file it has open; whatever has taken its place meanwhile is another one. */
void map_cache(const char *path, uint64_t device, uint64_t inode) {
    struct stat s;
    if (agent.block_bytes != WIRE_BLOCK_BYTES) return; /* address space is limited, and the JVM needs it */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return;
    if (fstat(fd, &s) == 0 && (uint64_t)s.st_dev == device && (uint64_t)s.st_ino == inode && s.st_size > 0) {
        void *p = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (p != MAP_FAILED) cache = p;
    }
    close(fd);
}

/* classcache.hashOf */
static uint64_t hash_of(const unsigned char *b, size_t n) {
    const uint64_t factor = 0x9E3779B97F4A7C15u;
    uint64_t h = n, word;
    for (; n >= sizeof word; b += sizeof word, n -= sizeof word) {
        memcpy(&word, b, sizeof word);
        h = (h ^ word) * factor;
        h ^= h >> 32;
    }
    word = 0;
    memcpy(&word, b, n);
    h = (h ^ word) * factor;
    return h ^ h >> 32;
}

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

static const unsigned char *class_of(const struct cache_entry *e) { return (const unsigned char *)(e + 1); }
static const unsigned char *patches_of(const struct cache_entry *e) { return class_of(e) + padded(e->class_size); }
static size_t counting_size(const struct cache_entry *e) { return padded(4 * (size_t)e->patches) + padded(e->new_size); }

/* The entry at an offset; NULL if it is not within the file. */
static const struct cache_entry *entry_at(uint64_t offset) {
    const struct cache_entry *e = (const void *)((const unsigned char *)cache + offset);
    if (offset > cache->size - sizeof *e) return NULL;
    return counting_size(e) + padded(e->class_size) + padded(e->meaning_size) > cache->size - offset - sizeof *e ? NULL : e;
}

/* The recorder relies on the meaning as the JVM does on the bytes. */
static bool whole(const struct cache_entry *e) {
    const unsigned char *counting = patches_of(e);
    return hash_of(counting, counting_size(e)) == e->counting_hash && hash_of(counting + counting_size(e), e->meaning_size) == e->meaning_hash;
}

static const struct cache_entry *find(const unsigned char *data, uint32_t size) {
    const uint32_t *slots = (const uint32_t *)(const void *)((const unsigned char *)cache + cache->table);
    uint64_t hash = hash_of(data, size);
    for (uint32_t n = 0, i = (uint32_t)hash; n < cache->slots; n++, i++) {
        uint32_t at = slots[i & (cache->slots - 1)];
        if (!at) break;
        const struct cache_entry *e = entry_at(8 * (uint64_t)at);
        if (e && e->hash == hash && e->class_size == size && memcmp(class_of(e), data, size) == 0)
            return whole(e) ? e : NULL;
    }
    return NULL;
}

/* What was read stays in the system's cache of files, and does not count as this process's memory. */
static void forget(void) {
    enum { OFTEN = 16 };
    static atomic_uint uses;
    if (++uses % OFTEN == 0) madvise((void *)(uintptr_t)cache, cache->size, MADV_DONTNEED);
}

/* n numbers in a row from those that the recorder has reserved for the agent; false if they do not suffice. */
static bool take_counters(uint32_t n, uint32_t *first) {
    _Atomic uint64_t *reserved = &agent.message_ring->reserved; /* the next number, and in the upper half the end */
    uint64_t now = *reserved;
    do {
        uint32_t next = (uint32_t)now, end = (uint32_t)(now >> 32);
        if (end - next < n) return false;
        *first = next;
    } while (!atomic_compare_exchange_weak(reserved, &now, now + n));
    return true;
}

static uint32_t big_endian(uint32_t v) { return __builtin_bswap32(v); }

/* The new bytes of an entry, counter numbers from first on; NULL without memory. */
static unsigned char *instantiate(const struct cache_entry *e, uint32_t first) {
    unsigned char *bytes = NULL;
    if ((*agent.jvmti)->Allocate(agent.jvmti, e->new_size, &bytes) != JVMTI_ERROR_NONE) return NULL;
    const uint32_t *patches = (const uint32_t *)(const void *)patches_of(e);
    memcpy(bytes, patches_of(e) + padded(4 * (size_t)e->patches), e->new_size);
    for (uint32_t i = 0; i < e->patches; i++) {
        uint32_t number;
        memcpy(&number, bytes + patches[i], sizeof number);
        number = big_endian(big_endian(number) + first);
        memcpy(bytes + patches[i], &number, sizeof number);
    }
    return bytes;
}

bool cached_class(uint32_t loader, const unsigned char *data, uint32_t size, unsigned char **new_data, jint *new_size) {
    uint32_t first = 0;
    const struct cache_entry *e = cache ? find(data, size) : NULL;
    unsigned char *bytes = NULL;
    if (!e || (e->counters && !take_counters(e->counters, &first))) return false;
    if (e->new_size && !(bytes = instantiate(e, first))) return false;
    struct message m = {0};
    put_u32(&m, loader);
    put_u64(&m, (uint64_t)((const unsigned char *)e - (const unsigned char *)cache));
    put_u32(&m, first);
    if (!post_message(WIRE_CLASS_CACHED, &m)) {
        if (bytes) (*agent.jvmti)->Deallocate(agent.jvmti, bytes);
        return false;
    }
    if (bytes) {
        *new_data = bytes;
        *new_size = (jint)e->new_size;
    }
    forget();
    return true;
}
