/* Contexts of methods out of the class cache: they get numbers, and rows in the tables of the arena, as the recorder
 * gives them to others (calltree.Arena.Add). Package internal/abi has the layout. */
#include "agent.h"
#include "hashes.h"

#include <stdlib.h>
#include <string.h>

static unsigned char *arena(void) {
    return agent.memory + ABI_BLOCKS_OFFSET + (size_t)agent.block_count * agent.block_bytes;
}

static _Atomic uint64_t *word(size_t n) { return (_Atomic uint64_t *)(void *)(arena() + n * sizeof(uint64_t)); }

static uint32_t u32(const unsigned char *at) {
    uint32_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

static void add_u32(unsigned char *at, uint32_t n) {
    uint32_t v = u32(at) + n;
    memcpy(at, &v, sizeof v);
}

static void add_u64(unsigned char *at, uint64_t n) {
    uint64_t v;
    memcpy(&v, at, sizeof v);
    v += n;
    memcpy(at, &v, sizeof v);
}

/* The table of calls is behind that of methods, which has as many rows as there are numbers. */
static unsigned char *methods_table(void) { return arena() + ABI_ARENA_HEADER_BYTES; }

static unsigned char *calls_table(void) {
    return methods_table() + (*word(ABI_ARENA_METHODS) >> ABI_RESERVED_END_SHIFT) * ABI_METHOD_BYTES;
}

/* Behind the table of calls are the nodes, the first of them at a multiple of 64. */
void find_forest(struct forest *f) {
    unsigned char *nodes = agent.memory + ABI_NODES_OFFSET;
    size_t calls = *word(ABI_ARENA_CALLS) >> ABI_RESERVED_END_SHIFT;
    size_t early = (size_t)(calls_table() - nodes) + calls * ABI_CALL_BYTES;
    *f = (struct forest){.nodes = nodes, .methods = methods_table(), .calls = calls_table(), .first = word(0),
        .early = (early + 63) & ~(size_t)63};
}

bool number_contexts(const struct cached_contexts *c, uint32_t *first_method, uint32_t *first_call) {
    uint32_t overflow;
    if (!take_numbers(word(ABI_ARENA_METHODS), c->method_count, first_method) ||
        !take_numbers(word(ABI_ARENA_CALLS), c->call_count, first_call) ||
        !take_numbers(word(ABI_ARENA_OVERFLOW), c->overflow, &overflow)) return false;
    unsigned char *row = methods_table() + (size_t)*first_method * ABI_METHOD_BYTES;
    memcpy(row, c->methods, (size_t)c->method_count * ABI_METHOD_BYTES);
    for (uint32_t i = 0; i < c->method_count; i++, row += ABI_METHOD_BYTES) {
        if (u32(row + ABI_METHOD_WORDS) == 0) continue; /* it has none */
        add_u32(row + ABI_METHOD_FIRST_CALL, *first_call);
        add_u64(row + ABI_METHOD_OVERFLOW, sizeof(uint64_t) * (uint64_t)overflow);
    }
    row = calls_table() + (size_t)*first_call * ABI_CALL_BYTES;
    memcpy(row, c->calls, (size_t)c->call_count * ABI_CALL_BYTES);
    for (uint32_t i = 0; c->calls_of_methods && i < c->call_count; i++, row += ABI_CALL_BYTES)
        add_u32(row + ABI_CALL_ANNOUNCE, *first_method);
    return true;
}

/* calltree.Arena.ShapeOf */
bool has_free_shape(const struct cached_contexts *c) {
    uint64_t shapes = *word(ABI_ARENA_SHAPES), sum = 0;
    if (shapes == 0 || c->method_count == 0) return false;
    const unsigned char *row = c->methods;
    for (uint32_t i = 0; i < c->method_count; i++, row += ABI_METHOD_BYTES) {
        sum = (sum + u32(row + ABI_METHOD_WORDS)) * ABI_HASH_ANCHOR;
        sum = (sum + u32(row + ABI_METHOD_CALLS)) * ABI_HASH_ANCHOR;
    }
    return shapes >> (sum >> (64 - ABI_SHAPE_BITS)) & 1;
}

/* Leaves of classes out of the cache, of which classes.leafMethods knows all: where one is missing, or may be one no
 * more, the recorder is asked. */
static struct {
    pthread_mutex_t lock;
    uint64_t *known; /* by key_of, 0 for none; at most half full */
    size_t count, capacity;
} leaves = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Keys of one loader differ for all methods. */
static uint64_t key_of(uint32_t loader, const unsigned char *method) {
    uint64_t hash;
    memcpy(&hash, method, sizeof hash);
    uint64_t key = (hash ^ (uint64_t)loader * 0x9E3779B97F4A7C15U) * ABI_CACHE_HASH_STEP;
    return key ? key : 1;
}

static size_t slot_of(const uint64_t *known, size_t capacity, uint64_t key) {
    size_t i = key >> 32 & (capacity - 1);
    while (known[i] && known[i] != key) i = (i + 1) & (capacity - 1);
    return i;
}

static bool grow(void) {
    size_t capacity = leaves.capacity ? leaves.capacity * 2 : 4096;
    uint64_t *known = calloc(capacity, sizeof *known);
    if (!known) return false;
    for (size_t i = 0; i < leaves.capacity; i++)
        if (leaves.known[i]) known[slot_of(known, capacity, leaves.known[i])] = leaves.known[i];
    free(leaves.known);
    leaves.known = known;
    leaves.capacity = capacity;
    return true;
}

static bool is_known(uint64_t key) {
    return leaves.capacity && leaves.known[slot_of(leaves.known, leaves.capacity, key)];
}

/* What stands for a method is odd where its class is the JVM's for all loaders. */
static bool is_leaf(uint32_t loader, const unsigned char *method) {
    return is_known(key_of(loader, method)) || ((method[0] & 1) && is_known(key_of(0, method)));
}

bool are_leaves(uint32_t loader, const struct cached_contexts *c) {
    if (c->assumed_count == 0) return true;
    if (agent.redefined) return false; /* the new version of a class may have other leaves */
    bool all = true;
    pthread_mutex_lock(&leaves.lock);
    for (uint32_t i = 0; all && i < c->assumed_count; i++) all = is_leaf(loader, c->assumed + sizeof(uint64_t) * i);
    pthread_mutex_unlock(&leaves.lock);
    return all;
}

void know_leaves(uint32_t loader, const struct cached_contexts *c) {
    pthread_mutex_lock(&leaves.lock);
    for (uint32_t i = 0; i < c->leaf_count; i++) {
        if (leaves.count * 2 >= leaves.capacity && !grow()) break;
        uint64_t key = key_of(loader, c->leaves + sizeof(uint64_t) * i);
        size_t slot = slot_of(leaves.known, leaves.capacity, key);
        if (!leaves.known[slot]) leaves.count++;
        leaves.known[slot] = key;
    }
    pthread_mutex_unlock(&leaves.lock);
}
