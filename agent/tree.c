/* Nodes of contexts, in C. The reference for what is written to memory is java.lang.$MallardTree: calltree's TestJava
 * runs both on the same cases. */
#include "tree.h"

/* Memory for nodes and tables. */

uint64_t take_memory(const struct tree *t, uint64_t bytes) {
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
    uint64_t chunk = take_memory(t, bytes);
    if (chunk == 0) return 0;
    put_word(t, offset_of(chunk, ABI_CHUNK_BEFORE), last);
    put_word(t, offset_of(chunk, ABI_CHUNK_END), chunk + bytes);
    t->block[ABI_WORD_END] = chunk + bytes;
    t->block[ABI_WORD_CHUNK] = chunk;
    return chunk + ABI_CHUNK_HEADER_BYTES;
}

/* Memory that nodes have had before; 0 where there is none. Spans that are too small are left to the recorder. */
static uint64_t span(const struct tree *t, uint64_t size) {
    for (uint64_t span; (span = t->block[ABI_WORD_SPANS]) != 0;) {
        uint64_t end = word_at(t, offset_of(span, ABI_SPAN_END));
        bool fits = span + size <= end;
        if (fits) t->block[ABI_WORD_END] = end;
        t->block[ABI_WORD_SPANS] = word_at(t, offset_of(span, ABI_SPAN_NEXT));
        put_word(t, offset_of(span, ABI_SPAN_NEXT), 0);
        put_word(t, offset_of(span, ABI_SPAN_END), 0);
        if (fits) return span;
    }
    return 0;
}

/* Zeroed; 0 where there is no more. */
static uint64_t make(const struct tree *t, uint64_t words) {
    uint64_t size = offset_of(0, words), node = t->block[ABI_WORD_FREE];
    if (node + size > t->block[ABI_WORD_END] && (node = span(t, size)) == 0) node = chunk(t, size);
    if (node != 0) t->block[ABI_WORD_FREE] = node + size;
    return node;
}

/* Nodes. */

uint64_t word_of_slot(uint64_t entry) { return offset_of(entry & NODE, entry >> ABI_SLOT_SHIFT); }

static void name_node(const struct tree *t, uint64_t node, uint64_t method) {
    _Atomic uint64_t *word = (_Atomic uint64_t *)(void *)(t->in->nodes + offset_of(node, ABI_NODE_METHOD));
    atomic_store_explicit(word, method, memory_order_release); /* last: the recorder may be reading */
}

/* The thread's node for all contexts of a method that there was no memory for. */
static uint64_t overflow_node(const struct tree *t, uint64_t entry, uint32_t method) {
    uint64_t offset;
    memcpy(&offset, described(t, method) + ABI_METHOD_OVERFLOW, sizeof offset);
    uint64_t node = (uint64_t)((unsigned char *)t->block - t->in->nodes) + offset;
    put_word(t, offset_of(node, ABI_NODE_METHOD), method);
    put_word(t, offset_of(node, ABI_NODE_ENTRY), entry);
    return node;
}

/* Of a method's nodes. */
static uint32_t words_of(const struct tree *t, uint32_t method) {
    uint32_t words = method == ABI_ROOT_METHOD ? ABI_ROOT_WORDS : field_of(described(t, method), ABI_METHOD_WORDS);
    return words ? words : ABI_NODE_SLOTS; /* a method without code of ours */
}

uint64_t child(const struct tree *t, uint64_t entry, uint32_t method) {
    uint64_t node = (entry & NODE) < t->in->early ? 0 : make(t, words_of(t, method));
    if (node == 0) return overflow_node(t, entry, method);
    put_word(t, offset_of(node, ABI_NODE_ENTRY), entry);
    put_word(t, offset_of(node, ABI_NODE_SIBLING), word_at(t, word_of_slot(entry)));
    name_node(t, node, method);
    put_word(t, word_of_slot(entry), node);
    return node;
}

uint64_t child_elsewhere(const struct tree *t, uint64_t place, uint32_t method) {
    uint64_t node = make(t, words_of(t, method));
    if (node == 0) return 0;
    put_word(t, offset_of(node, ABI_NODE_ENTRY), place);
    name_node(t, node, ABI_IN_NO_SLOT | method);
    return node;
}
