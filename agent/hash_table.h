/* A thread's table from hashes of contexts to nodes, as java.lang.$MallardTable has it. */
#ifndef MALLARD_HASH_TABLE_H
#define MALLARD_HASH_TABLE_H

#include "tree.h"

/* The node of a hash that is in the table; 0: it is not. */
uint64_t hashed_node(const struct tree *t, uint64_t hash);

/* The node of a hash that is in the table, or that was a node's number before there was one; else 0. */
uint64_t known_node(const struct tree *t, uint64_t hash, uint32_t method);

/* Where the pair of a hash is looked for first, and then. A pair of which the hash is 0 is the last. */
uint64_t first_pair(const struct tree *t, uint64_t hash);
uint64_t next_pair(const struct tree *t, uint64_t pair);

/* Takes note of the node of a hash, unless the table is full and there is no memory for a larger one. */
void remember_hash(const struct tree *t, uint64_t hash, uint64_t node);

/* The same, also where the hash has another node; false without room. */
bool set_hash(const struct tree *t, uint64_t hash, uint64_t node);

/* Whether there is room for one more, made if need be. */
bool has_room_for_hash(const struct tree *t);

/* The pairs that the recorder has put in front of the table go into it. */
void learn_pairs(const struct tree *t);

/* Whether the table is full for good. */
bool is_full_of_hashes(const struct tree *t);

#endif
