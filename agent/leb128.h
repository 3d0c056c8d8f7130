/* Numbers in events, in LEB128. */
#ifndef MALLARD_LEB128_H
#define MALLARD_LEB128_H

#include <stdint.h>

enum { LEB128_BYTES = 10 }; /* of a number, at most */

/* Writes a number, and gives where it ends. */
static inline unsigned char *put_leb128(unsigned char *to, uint64_t n) {
    for (; n >= 0x80; n >>= 7) *to++ = (unsigned char)(n | 0x80);
    *to++ = (unsigned char)n;
    return to;
}

#endif
