/* Classes that were instrumented in an earlier run: a file whose header the recorder has checked, laid out as package
 * internal/abi says. A class that is there costs neither the JVM nor the recorder a wait. */
#include "agent.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const unsigned char *cache; /* NULL without */

static uint32_t u32(const unsigned char *at) {
    uint32_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

static uint64_t u64(const unsigned char *at) {
    uint64_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* The recorder says which file it has open; whatever has taken its place meanwhile is another one. */
void map_cache(const struct hello_answer *where) {
    struct stat s;
    if (agent.block_bytes != ABI_BLOCK_BYTES) return; /* address space is limited, and the JVM needs it */
    char path[PATH_MAX];
    if (where->cache.size == 0 || where->cache.size >= sizeof path) return;
    memcpy(path, where->cache.data, where->cache.size);
    path[where->cache.size] = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return;
    if (fstat(fd, &s) == 0 && (uint64_t)s.st_dev == where->device && (uint64_t)s.st_ino == where->inode &&
        s.st_size > 0) {
        void *p = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (p != MAP_FAILED) cache = p;
    }
    close(fd);
}

/* classcache.hashOf */
static uint64_t hash_of(const unsigned char *b, size_t n) {
    uint64_t h = n, word;
    for (; n >= sizeof word; b += sizeof word, n -= sizeof word) {
        memcpy(&word, b, sizeof word);
        h = (h ^ word) * ABI_CACHE_HASH_STEP;
        h ^= h >> 32;
    }
    word = 0;
    memcpy(&word, b, n);
    h = (h ^ word) * ABI_CACHE_HASH_STEP;
    return h ^ h >> 32;
}

static size_t padded(size_t n) { return (n + ABI_CACHE_UNIT - 1) / ABI_CACHE_UNIT * ABI_CACHE_UNIT; }

/* An entry, which begins with its fields. */
typedef const unsigned char *entry;

static entry class_of(entry e) { return e + ABI_ENTRY_BYTES; }
static entry patches_of(entry e) { return class_of(e) + padded(u32(e + ABI_ENTRY_CLASS)); }
static size_t patches_size(entry e) { return padded(sizeof(uint32_t) * (size_t)u32(e + ABI_ENTRY_PATCHES)); }
static size_t counting_size(entry e) { return patches_size(e) + padded(u32(e + ABI_ENTRY_NEW)); }

/* The entry at an offset; NULL if it is not within the file. */
static entry entry_at(uint64_t offset) {
    uint64_t size = u64(cache + ABI_CACHE_FILE_BYTES);
    entry e = cache + offset;
    if (offset > size - ABI_ENTRY_BYTES) return NULL;
    size_t rest = counting_size(e) + padded(u32(e + ABI_ENTRY_CLASS)) + padded(u32(e + ABI_ENTRY_METADATA));
    return rest > size - offset - ABI_ENTRY_BYTES ? NULL : e;
}

/* The recorder relies on the meaning as the JVM does on the bytes. */
static bool whole(entry e) {
    entry counting = patches_of(e);
    return hash_of(counting, counting_size(e)) == u64(e + ABI_ENTRY_COUNTING_HASH) &&
           hash_of(counting + counting_size(e), u32(e + ABI_ENTRY_METADATA)) == u64(e + ABI_ENTRY_METADATA_HASH);
}

static entry find(const unsigned char *data, uint32_t size) {
    const unsigned char *slots = cache + u64(cache + ABI_CACHE_TABLE);
    uint32_t count = u32(cache + ABI_CACHE_SLOTS);
    uint64_t hash = hash_of(data, size);
    for (uint32_t n = 0, i = (uint32_t)hash; n < count; n++, i++) {
        uint32_t at = u32(slots + (size_t)ABI_CACHE_SLOT * (i & (count - 1)));
        if (!at) break;
        entry e = entry_at(ABI_CACHE_UNIT * (uint64_t)at);
        if (e && u64(e + ABI_ENTRY_HASH) == hash && u32(e + ABI_ENTRY_CLASS) == size &&
            memcmp(class_of(e), data, size) == 0)
            return whole(e) ? e : NULL;
    }
    return NULL;
}

/* What was read stays in the system's cache of files, and does not count as this process's memory. */
static void forget(void) {
    enum { OFTEN = 16 };
    static atomic_uint uses;
    if (++uses % OFTEN == 0) madvise((void *)(uintptr_t)cache, u64(cache + ABI_CACHE_FILE_BYTES), MADV_DONTNEED);
}

static uint32_t big_endian(uint32_t v) { return __builtin_bswap32(v); }

/* The new bytes of an entry, counter numbers from first on; NULL without memory. */
static unsigned char *instantiate(entry e, uint32_t first) {
    unsigned char *bytes = NULL;
    uint32_t size = u32(e + ABI_ENTRY_NEW);
    if ((*agent.jvmti)->Allocate(agent.jvmti, size, &bytes) != JVMTI_ERROR_NONE) return NULL;
    memcpy(bytes, patches_of(e) + patches_size(e), size);
    for (uint32_t i = 0; i < u32(e + ABI_ENTRY_PATCHES); i++) {
        unsigned char *at = bytes + u32(patches_of(e) + sizeof(uint32_t) * i);
        uint32_t number = big_endian(big_endian(u32(at)) + first);
        memcpy(at, &number, sizeof number);
    }
    return bytes;
}

bool cached_class(uint32_t loader, const unsigned char *data, uint32_t size, unsigned char **new_data, jint *new_size) {
    uint32_t first = 0;
    entry e = cache ? find(data, size) : NULL;
    unsigned char *bytes = NULL;
    if (!e || (u32(e + ABI_ENTRY_COUNTERS) && !take_reserved(u32(e + ABI_ENTRY_COUNTERS), &first))) return false;
    if (u32(e + ABI_ENTRY_NEW) && !(bytes = instantiate(e, first))) return false;
    struct message m = {0};
    put_class_cached(&m, &(struct class_cached_fields){.loader = loader, .entry = (uint64_t)(e - cache),
        .first = first});
    if (!post_message(ABI_CLASS_CACHED, &m)) {
        if (bytes) (*agent.jvmti)->Deallocate(agent.jvmti, bytes);
        return false;
    }
    if (bytes) {
        *new_data = bytes;
        *new_size = (jint)u32(e + ABI_ENTRY_NEW);
    }
    forget();
    return true;
}
