/* Hashes of contexts taken apart, in C, because a program that starts has new ones all the time: bytecode that does
 * this is interpreted then, and compiled at a price. The reference for the node of a stack is the recorder's
 * calltree.ResolveHash, for what is written to memory java.lang.$MallardTree and $MallardTable: calltree's TestJava
 * runs all three on the same cases. */
#include "hashes.h"

#include <string.h>

#define NODE ((UINT64_C(1) << ABI_SLOT_SHIFT) - 1) /* in an entry, the caller's node */

enum {
    MOST_CALLEES = 1 << 16, /* of a slot that are looked through */
    NO_CALL = -1
};
static const uint64_t front = ABI_FRONT_PAIRS * ABI_PAIR_BYTES; /* of a table */

static uint64_t get(const struct tree *t, uint64_t offset) {
    uint64_t v;
    memcpy(&v, t->in->nodes + offset, sizeof v);
    return v;
}

static void put(const struct tree *t, uint64_t offset, uint64_t v) { memcpy(t->in->nodes + offset, &v, sizeof v); }

static uint32_t u32(const unsigned char *row, size_t field) {
    uint32_t v;
    memcpy(&v, row + field, sizeof v);
    return v;
}

static uint64_t at(uint64_t node, uint64_t word) { return node + sizeof(uint64_t) * word; }

/* Methods and calls. */

static const unsigned char *described(const struct tree *t, uint32_t method) {
    return t->in->methods + (size_t)method * ABI_METHOD_BYTES;
}

static const unsigned char *call_row(const struct tree *t, uint32_t call) {
    return t->in->calls + (size_t)call * ABI_CALL_BYTES;
}

static uint32_t name_of(const struct tree *t, uint32_t method) { return u32(described(t, method), ABI_METHOD_NAME); }

bool has_name(const struct tree *t, uint32_t method) { return name_of(t, method) != 0; }

static uint32_t said(const struct tree *t, uint32_t call) { return u32(call_row(t, call), ABI_CALL_NAME); }

static uint32_t announced(const struct tree *t, uint32_t call) {
    return u32(call_row(t, call), ABI_CALL_ANNOUNCE);
}

static uint32_t first_call(const struct tree *t, uint32_t method) {
    return u32(described(t, method), ABI_METHOD_FIRST_CALL);
}

static uint32_t calls_of(const struct tree *t, uint32_t method) {
    return u32(described(t, method), ABI_METHOD_CALLS) & ~(uint32_t)ABI_METHOD_RAISED;
}

static uint64_t step(uint64_t hash, uint32_t called, uint32_t method) {
    return ((hash ^ called) + ((uint64_t)method << 1)) * ABI_HASH_STEP;
}

static uint64_t step_back(uint64_t hash, uint32_t method) {
    return hash * ABI_HASH_STEP_BACK - ((uint64_t)method << 1);
}

/* Memory for nodes and tables. */

/* That no thread has; 0 where there is no more. */
static uint64_t take(const struct tree *t, uint64_t bytes) {
    uint64_t taken = atomic_load(&t->in->first[ABI_ARENA_TOP]);
    do {
        if (taken + bytes > atomic_load(&t->in->first[ABI_ARENA_LIMIT])) return 0;
    } while (!atomic_compare_exchange_weak(&t->in->first[ABI_ARENA_TOP], &taken, taken + bytes));
    return taken;
}

static uint64_t chunk(const struct tree *t, uint64_t size) {
    uint64_t last = t->block[ABI_WORD_CHUNK],
        bytes = last == 0 ? ABI_FIRST_CHUNK_BYTES : 2 * (t->block[ABI_WORD_END] - last);
    if (bytes > ABI_LAST_CHUNK_BYTES) bytes = ABI_LAST_CHUNK_BYTES;
    if (bytes < size + ABI_CHUNK_HEADER_BYTES)
        bytes = (size + ABI_CHUNK_HEADER_BYTES + ABI_CHUNK_UNIT - 1) & ~(uint64_t)(ABI_CHUNK_UNIT - 1);
    uint64_t chunk = take(t, bytes);
    if (chunk == 0) return 0;
    put(t, at(chunk, ABI_CHUNK_BEFORE), last);
    put(t, at(chunk, ABI_CHUNK_END), chunk + bytes);
    t->block[ABI_WORD_CHUNK] = chunk;
    t->block[ABI_WORD_END] = chunk + bytes;
    return chunk + ABI_CHUNK_HEADER_BYTES;
}

/* Zeroed; 0 where there is no more. */
static uint64_t make(const struct tree *t, uint64_t words) {
    uint64_t size = at(0, words), node = t->block[ABI_WORD_FREE];
    if (node + size > t->block[ABI_WORD_END]) node = chunk(t, size);
    if (node != 0) t->block[ABI_WORD_FREE] = node + size;
    return node;
}

/* Nodes. */

static uint32_t method_of(const struct tree *t, uint64_t node) { return (uint32_t)get(t, at(node, ABI_NODE_METHOD)); }

static uint64_t slot_of(uint64_t entry) { return at(entry & NODE, entry >> ABI_SLOT_SHIFT); }

static void name_node(const struct tree *t, uint64_t node, uint32_t method) {
    _Atomic uint64_t *word = (_Atomic uint64_t *)(void *)(t->in->nodes + at(node, ABI_NODE_METHOD));
    atomic_store_explicit(word, method, memory_order_release); /* last: the recorder may be reading */
}

/* The thread's node for all contexts of a method that there was no memory for. */
static uint64_t shared_node(const struct tree *t, uint64_t entry, uint32_t method) {
    uint64_t offset;
    memcpy(&offset, described(t, method) + ABI_METHOD_OVERFLOW, sizeof offset);
    uint64_t node = (uint64_t)((unsigned char *)t->block - t->in->nodes) + offset;
    put(t, at(node, ABI_NODE_METHOD), method);
    put(t, at(node, ABI_NODE_ENTRY), entry);
    return node;
}

static uint64_t child(const struct tree *t, uint64_t entry, uint32_t method) {
    uint32_t words = method == ABI_ROOT_METHOD ? ABI_ROOT_WORDS : u32(described(t, method), ABI_METHOD_WORDS);
    uint64_t node = (entry & NODE) < t->in->early ? 0 : make(t, words);
    if (node == 0) return shared_node(t, entry, method);
    put(t, at(node, ABI_NODE_ENTRY), entry);
    put(t, at(node, ABI_NODE_SIBLING), get(t, slot_of(entry)));
    name_node(t, node, method);
    put(t, slot_of(entry), node);
    return node;
}

/* A callee's node among those of a slot, which becomes the first of them; 0 without. */
static uint64_t callee(const struct tree *t, uint64_t entry, uint32_t method) {
    uint64_t first = get(t, slot_of(entry)), before = 0, node = first;
    for (int steps = 0; node != 0 && steps < MOST_CALLEES; steps++) {
        if (method_of(t, node) == method) {
            if (before == 0) return node;
            put(t, at(before, ABI_NODE_SIBLING), get(t, at(node, ABI_NODE_SIBLING)));
            put(t, at(node, ABI_NODE_SIBLING), first);
            put(t, slot_of(entry), node);
            return node;
        }
        before = node;
        node = get(t, at(node, ABI_NODE_SIBLING));
    }
    return 0;
}

static uint64_t callee_or_child(const struct tree *t, uint64_t entry, uint32_t method) {
    uint64_t node = callee(t, entry, method);
    return node ? node : child(t, entry, method);
}

/* The table. */

static uint64_t table_of(const struct tree *t) { return t->block[ABI_WORD_TABLE]; }

static uint64_t start(uint64_t table) { return table & ~(uint64_t)ABI_TABLE_LOG_MASK; }

static uint64_t table_bytes(uint64_t table) { return UINT64_C(2) * ABI_PAIR_BYTES << (table & ABI_TABLE_LOG_MASK); }

static uint64_t home(uint64_t table, uint64_t hash) {
    return start(table) + (hash >> (63 - (table & ABI_TABLE_LOG_MASK))) * ABI_PAIR_BYTES;
}

static uint64_t after(uint64_t pair, uint64_t table) {
    return start(table) + ((pair + ABI_PAIR_BYTES - start(table)) & (table_bytes(table) - 1));
}

/* The node of a hash that is in the table; 0: it is not. */
static uint64_t hashed_node(const struct tree *t, uint64_t hash) {
    uint64_t table = table_of(t), found;
    for (uint64_t pair = home(table, hash); (found = get(t, pair)) != 0; pair = after(pair, table))
        if (found == hash) return get(t, pair + ABI_PAIR_NODE);
    return 0;
}

static void place(const struct tree *t, uint64_t table, uint64_t hash, uint64_t node) {
    uint64_t pair = home(table, hash);
    while (get(t, pair) != 0) pair = after(pair, table);
    put(t, pair + ABI_PAIR_NODE, node);
    put(t, pair, hash);
}

/* A table of twice the size, with what is in the thread's and in front of it; false without memory. */
static bool grow(const struct tree *t) {
    uint64_t last = table_of(t), log = (last & ABI_TABLE_LOG_MASK) + 1, memory = take(t, front + table_bytes(log));
    if (memory == 0) return false;
    uint64_t table = (memory + front) | log, end = start(last) + table_bytes(last);
    memcpy(t->in->nodes + memory, t->in->nodes + start(last) - front, front);
    for (uint64_t pair = start(last); pair < end; pair += ABI_PAIR_BYTES)
        if (get(t, pair)) place(t, table, get(t, pair), get(t, pair + ABI_PAIR_NODE));
    t->block[ABI_WORD_TABLE] = table;
    return true;
}

static bool has_room(const struct tree *t) {
    return 3 * ABI_PAIR_BYTES * (t->block[ABI_WORD_HASHES] + 1) < table_bytes(table_of(t));
}

/* As full as it may be where it cannot grow. */
static bool is_full(const struct tree *t) {
    return 2 * ABI_PAIR_BYTES * t->block[ABI_WORD_HASHES] >= table_bytes(table_of(t));
}

bool is_full_of_hashes(const struct tree *t) {
    return is_full(t) && atomic_load(&t->in->first[ABI_ARENA_TOP]) + 2 * table_bytes(table_of(t)) + front >
        atomic_load(&t->in->first[ABI_ARENA_LIMIT]);
}

void remember_hash(const struct tree *t, uint64_t hash, uint64_t node) {
    if (hash == 0 || node == 0 || hashed_node(t, hash) != 0 || (!has_room(t) && !grow(t) && is_full(t))) return;
    t->block[ABI_WORD_HASHES]++;
    place(t, table_of(t), hash, node);
}

void learn_pairs(const struct tree *t) {
    uint64_t count = t->block[ABI_WORD_LEARNED], pairs = start(table_of(t)) - front;
    struct {
        uint64_t hash, node;
    } learned[ABI_FRONT_PAIRS]; /* the table may become another one */
    if (count > ABI_FRONT_PAIRS) count = ABI_FRONT_PAIRS;
    memcpy(learned, t->in->nodes + pairs, count * sizeof *learned);
    for (uint64_t i = 0; i < count; i++) remember_hash(t, learned[i].hash, learned[i].node);
    t->block[ABI_WORD_LEARNED] = 0;
}

/* The node of a hash that is in the table, or that was a node's number before there was one; else 0. */
static uint64_t known_node(const struct tree *t, uint64_t hash, uint32_t method) {
    uint64_t node = hashed_node(t, hash);
    if (node) return node;
    node = hash * ABI_HASH_ANCHOR_BACK;
    if (node < t->in->early || node >= t->in->eager || node % 8 != 0 || method_of(t, node) != method) return 0;
    remember_hash(t, hash, node);
    return node;
}

/* Callers whose hashes are known. */

/* Whether a call may be one of a method, for all that their names say. */
static bool may_call(const struct tree *t, uint32_t call, uint32_t method) {
    uint32_t says = said(t, call), name = name_of(t, method);
    return name == ABI_LAMBDA_NAME || says == 0 || says == name;
}

/* The same where the name alone decides. */
static bool names(const struct tree *t, uint32_t call, uint32_t method) {
    uint32_t name = name_of(t, method);
    return name == ABI_LAMBDA_NAME || (name != 0 && said(t, call) == name);
}

uint64_t node_of_known_caller(const struct tree *t, uint64_t hash, uint32_t method) {
    uint64_t entered = step_back(hash, method), table = table_of(t), caller;
    if (entered >> 32 == 0) return 0; /* the VM */
    for (uint64_t pair = home(table, entered); (caller = get(t, pair)) != 0; pair = after(pair, table)) {
        uint64_t called = caller ^ entered;
        if (called >> 32 != 0) continue;
        uint64_t node = get(t, pair + ABI_PAIR_NODE), word = called >> ABI_ANNOUNCE_WORD_SHIFT;
        uint32_t in = method_of(t, node), call = (uint32_t)word - ABI_NODE_SLOTS;
        if (in == ABI_ROOT_METHOD || word < ABI_NODE_SLOTS || call >= calls_of(t, in)) continue;
        call += first_call(t, in);
        if (announced(t, call) != called || !names(t, call, method)) continue;
        uint64_t found = callee_or_child(t, node | word << ABI_SLOT_SHIFT, method);
        remember_hash(t, hash, found);
        return found;
    }
    return 0;
}

/* Frames. */

static uint32_t method_in(const struct hashed_frame *f) { return f->method & (ABI_FRAME_GAP - 1); }

static bool is_native(const struct hashed_frame *f) { return f->method & ABI_FRAME_NATIVE; }

/* The call at which a frame stands, NO_CALL if it does not. Native methods have one for all that they call. */
static int64_t call_at(const struct tree *t, const struct hashed_frame *f) {
    uint32_t low = first_call(t, method_in(f)), high = low + calls_of(t, method_in(f));
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, position = u32(call_row(t, middle), ABI_CALL_POSITION);
        if (position == f->position) return middle;
        if (position < f->position)
            low = middle + 1;
        else
            high = middle;
    }
    return NO_CALL;
}

/* Whether the node of what a frame has called is in the slot of its call, and not elsewhere, where the recorder puts it
 * (calltree.Arena.mayCall). */
static bool leads_to(const struct tree *t, const struct hashed_frame *caller, const struct hashed_frame *callee) {
    int64_t call = call_at(t, caller);
    if (call == NO_CALL) return false;
    uint32_t says = said(t, (uint32_t)call), name = name_of(t, method_in(callee));
    bool raised = u32(described(t, method_in(callee)), ABI_METHOD_CALLS) & ABI_METHOD_RAISED;
    return name != 0 && (says == name || (!raised && (says == 0 || callee->method & ABI_FRAME_GAP)));
}

/* The innermost frame that is not native, of those that have called the first one; count if there is none. */
static int java_caller(const struct hashed_frame *frames, int count) {
    int i = 1;
    while (i < count && is_native(&frames[i])) i++;
    return i;
}

/* Gives each frame that is not native its hash, up to one whose hash is known: known says which. */
static enum taken find_known(const struct tree *t, const struct unknown *u, struct hashed_frame *frames, int count,
    int *known) {
    if (count == 0) return NOT_TAKEN;
    bool counts = u->called == (uint32_t)COUNTS, behind = frames->method & ABI_FRAME_GAP;
    frames->method = u->method | (behind ? ABI_FRAME_GAP : 0); /* this version of it */
    frames->hash = counts ? u->hash : step(u->hash, u->called, u->method);
    int i = 0;
    if (!counts) {
        i = java_caller(frames, count);
        if (i == count) return TAKEN_FURTHER;
        int64_t call = call_at(t, &frames[i]);
        uint32_t says = call == NO_CALL ? 0 : said(t, (uint32_t)call);
        if (call == NO_CALL || (i == 1 && says != 0 && says != name_of(t, u->method) && !behind)) return NOT_TAKEN;
        for (int k = i; i > 1 && k > 0; k--)
            if (!leads_to(t, &frames[k], &frames[k - 1])) return NOT_TAKEN;
        frames[i].hash = u->hash ^ (u->called ^ announced(t, (uint32_t)call));
    }
    for (;; i++) {
        uint64_t hash = frames[i].hash;
        uint32_t callee = method_in(&frames[i]);
        *known = i;
        if (known_node(t, hash, callee) != 0) return TAKEN;
        uint64_t entered = step_back(hash, callee);
        if (entered == 0) { /* by the VM */
            remember_hash(t, hash, callee_or_child(t, t->block[ABI_WORD_OUTERMOST], callee));
            return hashed_node(t, hash) != 0 ? TAKEN : NOT_TAKEN;
        }
        if (i + 1 == count) return TAKEN_FURTHER;
        int64_t call = is_native(&frames[i + 1]) ? NO_CALL : call_at(t, &frames[i + 1]);
        if (call == NO_CALL || !may_call(t, (uint32_t)call, callee)) return NOT_TAKEN;
        frames[i + 1].hash = entered ^ announced(t, (uint32_t)call);
    }
}

enum taken take_apart(const struct tree *t, const struct unknown *u, struct hashed_frame *frames, int count,
    uint64_t *node) {
    int known;
    enum taken r = find_known(t, u, frames, count, &known);
    if (r != TAKEN) return r;
    *node = hashed_node(t, frames[known].hash);
    for (int i = known; i > 0 && *node >= t->in->early; i--) {
        uint64_t slot = (uint64_t)call_at(t, &frames[i]) - first_call(t, method_in(&frames[i])) + ABI_NODE_SLOTS;
        *node = callee_or_child(t, *node | slot << ABI_SLOT_SHIFT, method_in(&frames[i - 1]));
        if (!is_native(&frames[i - 1])) remember_hash(t, frames[i - 1].hash, *node);
    }
    return *node >= t->in->early ? TAKEN : NOT_TAKEN;
}
