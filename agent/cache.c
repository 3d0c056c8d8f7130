/* Classes that were instrumented in an earlier run: a file whose header the recorder has checked, laid out as package
 * internal/abi says. A class that is there costs neither the JVM nor the recorder a wait. The file is read, not mapped:
 * whoever shortens or damages it must not end the program (SIGBUS). */
#include "agent.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    int fd; /* -1 without */
    uint64_t bytes, table;
    uint32_t slots; /* a power of two */
} cache = {.fd = -1};

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

static bool read_at(int fd, void *to, size_t n, uint64_t at) {
    ssize_t k = pread(fd, to, n, (off_t)at);
    return k >= 0 && (size_t)k == n; /* of a file; less is its end */
}

static bool open_table(int fd, uint64_t bytes) {
    unsigned char header[ABI_CACHE_HEADER_BYTES];
    if (!read_at(fd, header, sizeof header, 0)) return false;
    cache.slots = u32(header + ABI_CACHE_SLOTS);
    cache.table = u64(header + ABI_CACHE_TABLE);
    cache.bytes = bytes;
    return cache.slots && (cache.slots & (cache.slots - 1)) == 0 && cache.table <= bytes &&
           (uint64_t)ABI_CACHE_SLOT * cache.slots <= bytes - cache.table;
}

/* The recorder says which file it has open; whatever has taken its place meanwhile is another one. */
void open_cache(const struct hello_answer *answer) {
    struct stat s;
    if (agent.block_bytes != ABI_BLOCK_BYTES) return; /* memory is limited, and the JVM needs it */
    char path[PATH_MAX];
    if (answer->cache.size == 0 || answer->cache.size >= sizeof path) return;
    memcpy(path, answer->cache.data, answer->cache.size);
    path[answer->cache.size] = 0;
    int fd = beyond_streams(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (fd < 0) return;
    if (fstat(fd, &s) == 0 && (uint64_t)s.st_dev == answer->device && (uint64_t)s.st_ino == answer->inode &&
        open_table(fd, (uint64_t)s.st_size))
        cache.fd = fd;
    else
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

/* An entry, which begins with its fields: read into malloc's memory, whole. */
typedef unsigned char *entry;

static size_t field(entry e, size_t at) { return u32(e + at); }

/* Its parts, one behind the other. */
static size_t patches_size(entry e) {
    return padded(sizeof(uint32_t) * (field(e, ABI_ENTRY_PATCHES) + field(e, ABI_ENTRY_METHOD_PATCHES) +
        field(e, ABI_ENTRY_CALL_PATCHES)));
}
static size_t methods_size(entry e) { return ABI_METHOD_BYTES * field(e, ABI_ENTRY_METHODS); }
static size_t calls_size(entry e) { return padded(ABI_CALL_BYTES * field(e, ABI_ENTRY_CALLS)); }
static size_t leaves_size(entry e) { return sizeof(uint64_t) * field(e, ABI_ENTRY_LEAVES); }
static size_t assumed_size(entry e) { return sizeof(uint64_t) * field(e, ABI_ENTRY_ASSUMED); }

static entry class_of(entry e) { return e + ABI_ENTRY_BYTES; }
static entry patches_of(entry e) { return class_of(e) + padded(u32(e + ABI_ENTRY_CLASS)); }
static entry methods_of(entry e) { return patches_of(e) + patches_size(e); }
static entry calls_of(entry e) { return methods_of(e) + methods_size(e); }
static entry leaves_of(entry e) { return calls_of(e) + calls_size(e); }
static entry assumed_of(entry e) { return leaves_of(e) + leaves_size(e); }
static entry new_of(entry e) { return assumed_of(e) + assumed_size(e); }

static size_t counting_size(entry e) {
    return patches_size(e) + methods_size(e) + calls_size(e) + leaves_size(e) + assumed_size(e) +
        padded(u32(e + ABI_ENTRY_NEW));
}

/* The entry at an offset if it is that of a class; NULL if it is not, or not within the file. */
static entry read_entry(uint64_t at, uint64_t hash, const unsigned char *data, uint32_t size) {
    unsigned char fields[ABI_ENTRY_BYTES];
    if (!read_at(cache.fd, fields, sizeof fields, at) || u64(fields + ABI_ENTRY_HASH) != hash ||
        u32(fields + ABI_ENTRY_CLASS) != size) return NULL;
    size_t rest = padded(size) + counting_size(fields) + padded(u32(fields + ABI_ENTRY_METADATA));
    entry e = rest <= cache.bytes ? malloc(sizeof fields + rest) : NULL;
    if (!e) return NULL;
    memcpy(e, fields, sizeof fields);
    if (read_at(cache.fd, class_of(e), rest, at + sizeof fields) && memcmp(class_of(e), data, size) == 0) return e;
    free(e);
    return NULL;
}

/* The recorder relies on the meaning as the JVM does on the bytes. */
static bool whole(entry e) {
    entry counting = patches_of(e);
    uint64_t sum = hash_of(counting, counting_size(e)) ^
        hash_of(e + ABI_ENTRY_FIELDS, ABI_ENTRY_BYTES - ABI_ENTRY_FIELDS);
    return sum == u64(e + ABI_ENTRY_COUNTING_HASH) &&
           hash_of(counting + counting_size(e), u32(e + ABI_ENTRY_METADATA)) == u64(e + ABI_ENTRY_METADATA_HASH);
}

/* The entry of a class, the caller's to free, and its place; NULL if there is none. */
static entry find(const unsigned char *data, uint32_t size, uint64_t *at) {
    uint64_t hash = hash_of(data, size);
    for (uint32_t n = 0, i = (uint32_t)hash; n < cache.slots; n++, i++) {
        uint32_t units;
        uint64_t slot = cache.table + (uint64_t)ABI_CACHE_SLOT * (i & (cache.slots - 1));
        if (!read_at(cache.fd, &units, sizeof units, slot) || !units) break;
        *at = ABI_CACHE_UNIT * (uint64_t)units;
        entry e = read_entry(*at, hash, data, size);
        if (e && whole(e)) return e;
        free(e);
    }
    return NULL;
}

static uint32_t big_endian(uint32_t v) { return __builtin_bswap32(v); }

/* The numbers of a class's first counter, method with contexts and call. */
struct numbers { uint32_t counter, method, call; };

/* Adds to the next n numbers of which patches say where they are; NULL where there is no such place. */
static entry add(unsigned char *bytes, uint32_t size, entry patches, uint32_t n, uint32_t number) {
    for (; n > 0; n--, patches += sizeof(uint32_t)) {
        unsigned char *at = bytes + u32(patches);
        if (u32(patches) + (uint64_t)sizeof(uint32_t) > size) return NULL;
        uint32_t sum = big_endian(big_endian(u32(at)) + number);
        memcpy(at, &sum, sizeof sum);
    }
    return patches;
}

/* The new bytes of an entry, with numbers; NULL without memory, or where that makes no sense. */
static unsigned char *instantiate(entry e, const struct numbers *first) {
    unsigned char *bytes = NULL;
    uint32_t size = u32(e + ABI_ENTRY_NEW);
    if ((*agent.jvmti)->Allocate(agent.jvmti, size, &bytes) != JVMTI_ERROR_NONE) return NULL;
    memcpy(bytes, new_of(e), size);
    entry patches = add(bytes, size, patches_of(e), u32(e + ABI_ENTRY_PATCHES), first->counter);
    if (patches) patches = add(bytes, size, patches, u32(e + ABI_ENTRY_METHOD_PATCHES), first->method);
    if (patches) patches = add(bytes, size, patches, u32(e + ABI_ENTRY_CALL_PATCHES), first->call);
    if (patches) return bytes;
    (*agent.jvmti)->Deallocate(agent.jvmti, bytes);
    return NULL;
}

static struct cached_contexts contexts_of(entry e) {
    return (struct cached_contexts){.methods = methods_of(e), .calls = calls_of(e), .leaves = leaves_of(e),
        .assumed = assumed_of(e), .method_count = u32(e + ABI_ENTRY_METHODS), .call_count = u32(e + ABI_ENTRY_CALLS),
        .leaf_count = u32(e + ABI_ENTRY_LEAVES), .assumed_count = u32(e + ABI_ENTRY_ASSUMED),
        .overflow = u32(e + ABI_ENTRY_OVERFLOW), .calls_of_methods = u32(e + ABI_ENTRY_CALLS_OF_METHODS) != 0};
}

static void came(const struct cached_class *c, uint32_t loader, const char *name, const struct numbers *first) {
    struct numbered_class is = {.entry = c->at, .loader = loader,
        .counter = first->counter, .counters = u32(c->entry + ABI_ENTRY_COUNTERS),
        .method = first->method, .methods = u32(c->entry + ABI_ENTRY_METHODS)};
    if (is.counters || is.methods) class_came(&is, name);
}

bool answer_cached_class(const struct cached_class *c, uint32_t loader, const char *name, unsigned char **new_data,
    jint *new_size) {
    entry e = c->entry;
    if (!e) return false;
    struct numbers first = {0};
    struct cached_contexts contexts = contexts_of(e);
    unsigned char *bytes = NULL;
    if (!are_leaves(loader, &contexts) || has_free_shape(&contexts)) return false;
    if (u32(e + ABI_ENTRY_COUNTERS) && !take_reserved(u32(e + ABI_ENTRY_COUNTERS), &first.counter)) return false;
    if (contexts.method_count && !number_contexts(&contexts, &first.method, &first.call)) return false;
    if (u32(e + ABI_ENTRY_NEW) && !(bytes = instantiate(e, &first))) return false;
    struct message m = {0};
    put_class_cached(&m, &(struct class_cached_fields){.loader = loader, .entry = c->at, .first = first.counter,
        .method = first.method});
    if (!post_message(ABI_CLASS_CACHED, &m)) {
        if (bytes) (*agent.jvmti)->Deallocate(agent.jvmti, bytes);
        return false;
    }
    know_leaves(loader, &contexts);
    came(c, loader, name, &first);
    if (bytes) {
        *new_data = bytes;
        *new_size = (jint)u32(e + ABI_ENTRY_NEW);
    }
    return true;
}

/* The number that an answer has where the first patch of an entry's is; 0 without one. */
static uint32_t number_in(entry e, entry patches, uint32_t n, const unsigned char *answer) {
    if (n == 0) return 0;
    uint32_t at = u32(patches);
    return big_endian(u32(answer + at)) - big_endian(u32(new_of(e) + at));
}

void recognise_cached_class(const struct cached_class *c, uint32_t loader, const char *name,
    const unsigned char *answer, uint32_t size) {
    entry e = c->entry;
    if (!e || size == 0 || u32(e + ABI_ENTRY_NEW) != size) return;
    uint32_t counters = u32(e + ABI_ENTRY_PATCHES), methods = u32(e + ABI_ENTRY_METHOD_PATCHES);
    struct numbers none = {0};
    unsigned char *bytes = instantiate(e, &none); /* all patches are within the class */
    if (!bytes) return;
    (*agent.jvmti)->Deallocate(agent.jvmti, bytes);
    entry patches = patches_of(e);
    struct numbers first = {
        .counter = number_in(e, patches, counters, answer),
        .method = number_in(e, patches + sizeof(uint32_t) * counters, methods, answer),
        .call = number_in(e, patches + sizeof(uint32_t) * (counters + methods), u32(e + ABI_ENTRY_CALL_PATCHES),
            answer)};
    bytes = instantiate(e, &first);
    if (bytes && memcmp(bytes, answer, size) == 0) came(c, loader, name, &first);
    (*agent.jvmti)->Deallocate(agent.jvmti, bytes);
}

struct cached_class find_cached_class(uint32_t loader, const unsigned char *data, uint32_t size) {
    struct cached_class c = {0};
    if (cache.fd >= 0 && (loader == 0 || !agent.cache_of_boot_loader)) c.entry = find(data, size, &c.at);
    return c;
}
