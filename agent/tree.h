/* A thread's tree of contexts, as java.lang.$MallardTree has it: its nodes, and the methods that they are of. The
 * memory is the arena's (package internal/abi); no JVMTI, no lock: only the thread whose tree it is calls, from native
 * methods. */
#ifndef MALLARD_TREE_H
#define MALLARD_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "abi.h"

#define NODE ((UINT64_C(1) << ABI_SLOT_SHIFT) - 1) /* in an entry, the caller's node */

/* The arena, as threads see it. */
struct forest {
    unsigned char *nodes;          /* what offsets are relative to */
    unsigned char *methods, *calls; /* the tables */
    _Atomic uint64_t *first;       /* its first words */
    uint64_t early;                /* offset of the first node that there can be */
    uint64_t eager;                /* of the first that was made when there were hashes */
};

/* A thread's tree. */
struct tree {
    const struct forest *in;
    uint64_t *block; /* its words */
};

static inline uint64_t word_at(const struct tree *t, uint64_t offset) {
    uint64_t v;
    memcpy(&v, t->in->nodes + offset, sizeof v);
    return v;
}

static inline void put_word(const struct tree *t, uint64_t offset, uint64_t v) {
    memcpy(t->in->nodes + offset, &v, sizeof v);
}

/* The offset of a word of a node. */
static inline uint64_t offset_of(uint64_t node, uint64_t word) { return node + sizeof(uint64_t) * word; }

/* The row of a method, and a field of a row. */
static inline const unsigned char *described(const struct tree *t, uint32_t method) {
    return t->in->methods + (size_t)method * ABI_METHOD_BYTES;
}

static inline uint32_t field_of(const unsigned char *row, size_t field) {
    uint32_t v;
    memcpy(&v, row + field, sizeof v);
    return v;
}

static inline uint32_t method_of(const struct tree *t, uint64_t node) {
    return (uint32_t)word_at(t, offset_of(node, ABI_NODE_METHOD));
}

/* Memory that no thread has, zeroed; 0 where there is no more. */
uint64_t take_memory(const struct tree *t, uint64_t bytes);

/* The word of a slot, given the entry that it is. */
uint64_t word_of_slot(uint64_t entry);

/* Makes the node of a callee that is in no slot, given its place; 0 without memory. */
uint64_t child_elsewhere(const struct tree *t, uint64_t place, uint32_t method);

/* Makes the node of a method, the first in the slot of an entry. Without memory for it it is the one that all contexts
 * of the method share. */
uint64_t child(const struct tree *t, uint64_t entry, uint32_t method);

#endif
