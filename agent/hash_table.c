/* Tables of hashes, in C. The reference is java.lang.$MallardTable: calltree's TestJava runs both on the same cases. */
#include "hash_table.h"

static const uint64_t front = ABI_FRONT_PAIRS * ABI_PAIR_BYTES; /* of a table */

static uint64_t table_of(const struct tree *t) { return t->block[ABI_WORD_TABLE]; }

static uint64_t start(uint64_t table) { return table & ~(uint64_t)ABI_TABLE_LOG_MASK; }

static uint64_t table_bytes(uint64_t table) { return UINT64_C(2) * ABI_PAIR_BYTES << (table & ABI_TABLE_LOG_MASK); }

static uint64_t home(uint64_t table, uint64_t hash) {
    return start(table) + (hash >> (63 - (table & ABI_TABLE_LOG_MASK))) * ABI_PAIR_BYTES;
}

static uint64_t after(uint64_t pair, uint64_t table) {
    return start(table) + ((pair + ABI_PAIR_BYTES - start(table)) & (table_bytes(table) - 1));
}

uint64_t first_pair(const struct tree *t, uint64_t hash) { return home(table_of(t), hash); }

uint64_t next_pair(const struct tree *t, uint64_t pair) { return after(pair, table_of(t)); }

uint64_t hashed_node(const struct tree *t, uint64_t hash) {
    uint64_t found;
    for (uint64_t pair = first_pair(t, hash); (found = word_at(t, pair)) != 0; pair = next_pair(t, pair))
        if (found == hash) return word_at(t, pair + ABI_PAIR_NODE);
    return 0;
}

static void put_pair(const struct tree *t, uint64_t table, uint64_t hash, uint64_t node) {
    uint64_t pair = home(table, hash);
    while (word_at(t, pair) != 0) pair = after(pair, table);
    put_word(t, pair + ABI_PAIR_NODE, node);
    put_word(t, pair, hash);
}

/* A table of twice the size, with what is in the thread's and in front of it; false without memory. */
static bool grow(const struct tree *t) {
    uint64_t last = table_of(t), log = (last & ABI_TABLE_LOG_MASK) + 1;
    uint64_t memory = take_memory(t, front + table_bytes(log));
    if (memory == 0) return false;
    uint64_t table = (memory + front) | log, end = start(last) + table_bytes(last);
    memcpy(t->in->nodes + memory, t->in->nodes + start(last) - front, front);
    for (uint64_t pair = start(last); pair < end; pair += ABI_PAIR_BYTES)
        if (word_at(t, pair)) put_pair(t, table, word_at(t, pair), word_at(t, pair + ABI_PAIR_NODE));
    t->block[ABI_WORD_TABLE] = table;
    return true;
}

static bool has_capacity(const struct tree *t) {
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

bool has_room_for_hash(const struct tree *t) { return has_capacity(t) || grow(t) || !is_full(t); }

void remember_hash(const struct tree *t, uint64_t hash, uint64_t node) {
    if (hash == 0 || node == 0 || hashed_node(t, hash) != 0 || !has_room_for_hash(t)) return;
    t->block[ABI_WORD_HASHES]++;
    put_pair(t, table_of(t), hash, node);
}

bool set_hash(const struct tree *t, uint64_t hash, uint64_t node) {
    uint64_t found;
    for (uint64_t pair = first_pair(t, hash); (found = word_at(t, pair)) != 0; pair = next_pair(t, pair)) {
        if (found != hash) continue;
        put_word(t, pair + ABI_PAIR_NODE, node);
        return true;
    }
    remember_hash(t, hash, node);
    return hashed_node(t, hash) == node;
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

uint64_t known_node(const struct tree *t, uint64_t hash, uint32_t method) {
    uint64_t node = hashed_node(t, hash);
    if (node) return node;
    node = hash * ABI_HASH_ANCHOR_BACK;
    if (node < t->in->early || node >= t->in->eager || node % 8 != 0 || method_of(t, node) != method) return 0;
    remember_hash(t, hash, node);
    return node;
}
