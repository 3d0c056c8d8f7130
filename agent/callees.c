/* What a call has called in one context: a list of nodes, the last one made first. A call that comes to classes of ever
 * new loaders has thousands. Then those from one on are in the thread's table, too, and a method that is in neither
 * part has no node there. Whoever makes nodes puts them in front. Only $MallardTree and the recorder know nothing of
 * the table, and $MallardTree may bring a node to the front, which changes what is behind another one: then the list is
 * looked through anew. */
#include "callees.h"

#include "hash_table.h"

enum {
    FEW_CALLEES = 16,       /* that are looked through before the table is */
    MOST_CALLEES = 1 << 16, /* where the table is full */
    /* in place of methods: the first node that is in the table, and the one that was behind it */
    FIRST_IN_TABLE = -1,
    SECOND_IN_TABLE = -2
};

/* Odd, as those of places: hashes of contexts are even. */
static uint64_t hash_of(uint64_t entry, uint32_t method) {
    return (~entry * ABI_HASH_ANCHOR + method) * ABI_HASH_STEP | 1;
}

static uint64_t next(const struct tree *t, uint64_t node) { return word_at(t, offset_of(node, ABI_NODE_SIBLING)); }

static bool is_callee(const struct tree *t, uint64_t node, uint64_t entry, uint32_t method) {
    return method_of(t, node) == method && word_at(t, offset_of(node, ABI_NODE_ENTRY)) == entry &&
        !(word_at(t, offset_of(node, ABI_NODE_METHOD)) & ABI_IN_NO_SLOT);
}

/* Whether all nodes from the first in the table on are in it: 0 if not, or if none is. */
static uint64_t first_in_table(const struct tree *t, uint64_t entry) {
    uint64_t first = hashed_node(t, hash_of(entry, (uint32_t)FIRST_IN_TABLE));
    return first && next(t, first) == hashed_node(t, hash_of(entry, (uint32_t)SECOND_IN_TABLE)) ? first : 0;
}

/* The same of a slot that has more than a few. */
static uint64_t one_of_many(const struct tree *t, uint64_t entry, uint32_t method) {
    uint64_t first = word_at(t, word_of_slot(entry)), end = first_in_table(t, entry), found = 0, node = first;
    bool all = true;
    for (int steps = 0; node != end && node != 0 && steps < MOST_CALLEES; steps++, node = next(t, node)) {
        if (method_of(t, node) == method) found = node;
        all = all && set_hash(t, hash_of(entry, method_of(t, node)), node);
    }
    if (all && set_hash(t, hash_of(entry, (uint32_t)FIRST_IN_TABLE), first))
        set_hash(t, hash_of(entry, (uint32_t)SECOND_IN_TABLE), next(t, first));
    if (found || end == 0) return found;
    found = hashed_node(t, hash_of(entry, method));
    return found && is_callee(t, found, entry, method) ? found : 0;
}

uint64_t callee(const struct tree *t, uint64_t entry, uint32_t method) {
    uint64_t node = word_at(t, word_of_slot(entry));
    for (int steps = 0; node != 0 && steps < FEW_CALLEES; steps++, node = next(t, node))
        if (method_of(t, node) == method) return node;
    return node == 0 || t->block[ABI_WORD_TABLE] == 0 ? 0 : one_of_many(t, entry, method);
}

uint64_t callee_or_child(const struct tree *t, uint64_t entry, uint32_t method) {
    uint64_t node = callee(t, entry, method);
    return node ? node : child(t, entry, method);
}
