/* The nodes of a slot: what a call has called in one context. */
#ifndef MALLARD_CALLEES_H
#define MALLARD_CALLEES_H

#include "tree.h"

/* A callee's node among those of a slot; 0 without. */
uint64_t callee(const struct tree *t, uint64_t entry, uint32_t method);

/* The same, which is made if it is missing: see child. */
uint64_t callee_or_child(const struct tree *t, uint64_t entry, uint32_t method);

#endif
