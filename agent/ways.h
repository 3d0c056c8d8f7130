/* Hashes taken apart without a look at the thread's stack. */
#ifndef MALLARD_WAYS_H
#define MALLARD_WAYS_H

#include "hashes.h"

/* The node of an invocation that counts, along the frames that were kept of its method last; 0: it is not that. */
uint64_t along_last_way(const struct tree *t, const struct unknown *u);

/* Keeps the frames along which a hash was TAKEN apart, from that of the invocation, which counts, to the one whose hash
 * was known. */
void keep_way(const struct hashed_frame *frames, int count);

#endif
