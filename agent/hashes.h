/* Contexts of one thread by their hashes: what java.lang.$MallardHash leaves to the agent. */
#ifndef MALLARD_HASHES_H
#define MALLARD_HASHES_H

#include "hash_table.h"

/* A frame of the thread's, innermost first. */
struct hashed_frame {
    uint32_t method; /* what the recorder calls it, with flags; 0 is not known */
    uint32_t position;
    uint64_t hash; /* for take_apart */
};

/* The node of an invocation whose caller's hash is in the table, which is remembered; 0: none is. Without memory for it
 * it is the one that all contexts of the method share. */
uint64_t node_of_known_caller(const struct tree *t, uint64_t hash, uint32_t method);

/* False for methods that the VM calls between any two instructions. */
bool has_name(const struct tree *t, uint32_t method);

/* Takes a hash apart along the thread's frames, up to one whose hash is known, and remembers all on the way. */
enum taken {
    TAKEN,         /* the node is found */
    ELSEWHERE,     /* not as a call says: by the VM, or native code; the whole stack has to be looked at */
    NOT_TAKEN,     /* the stack is not what hashes say, or there is no memory: the recorder has to be asked */
    TAKEN_FURTHER  /* with more frames */
};
enum { COUNTS = (int32_t)ABI_NOT_ANNOUNCED };
struct unknown {
    uint64_t hash;   /* of the invocation; if it has just begun, what the thread's last call or return has left */
    uint32_t called; /* what was announced, if it has just begun; else COUNTS */
    uint32_t method;
};
/* If it is TAKEN, says which frame's hash was known. */
enum taken take_apart(const struct tree *t, const struct unknown *u, struct hashed_frame *frames, int count,
    int *known, uint64_t *node);

/* The node of the thread's innermost frame, given all its frames: made as the recorder would, which need not be asked.
 * 0 where it has to be. */
uint64_t place_stack(const struct tree *t, const struct unknown *u, struct hashed_frame *frames, int count);

#endif
