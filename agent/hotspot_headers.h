/* Headers of objects (markWord.hpp): a tag in bits that HotSpot does not use, the identity hash and the age. What is
 * locked may have it elsewhere. They are read while the world is stopped; what can be done while it runs says so. */
#ifndef MALLARD_HOTSPOT_HEADERS_H
#define MALLARD_HOTSPOT_HEADERS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi.h"

/* VMInit. */
void find_headers(void);

/* VMInit: few objects have their header elsewhere, or one without a tag. */
bool headers_are_plain(void);

/* The header of an object that is locked: it may be on the stack of the thread that has locked it, until JDK 21, or in
 * the monitor. */
uint64_t header_of_locked(uintptr_t object);

/* Whether a header is an object's own, and neither locked nor biased. */
static inline bool is_plain_header(uint64_t header) { return (header & ABI_HEADER_LOCK) == ABI_HEADER_NEW; }

/* An object's header (markWord.hpp). */
static inline uint64_t header_of_object(uintptr_t object) {
    uint64_t header = *(const uint64_t *)object;
    return __builtin_expect(is_plain_header(header), 1) ? header : header_of_locked(object);
}

/* How many collections an object has come through, as its header has it: 0 to 15. */
static inline unsigned age_in_header(uint64_t header) { return header >> 3 & 15; }

static inline unsigned age_of_object(uintptr_t object) { return age_in_header(header_of_object(object)); }

/* Whether a plain header has an identity hash. */
bool has_identity(uint64_t header);

/* Gives an object a tag that has none. */
void give_tag(uintptr_t object, uint32_t tag);

/* The same while the world runs. False: that cannot be done, since the object's header is not plain. */
bool give_tag_running(uintptr_t object, uint32_t tag);

/* Gives an object a tag, whatever it has. */
void set_tag(uintptr_t object, uint32_t tag);

/* An object's identity hash, which is this one from here on if it has none; 0: it has none, and cannot be given any. */
uint32_t identify(uintptr_t object, uint32_t hash);

/* The same, with the next hash of a sequence. */
uint32_t identity_of(uintptr_t object, uint64_t *sequence);

/* Gives an object the next hash of a sequence, unless it is seen to have one, and gives whether that was so. A sequence
 * has begun with 0 and is one thread's. No two have a hash in common, until 2^31 have been given. */
bool identify_anew(uintptr_t object, uint64_t *sequence);

/* The same while the world runs; *anew: it had none. False: the object's header is not plain. */
bool identify_running(uintptr_t object, uint64_t *sequence, bool *anew);

#endif
