/* Stretches of memory, added up so that it can be told whether they make up a whole: each byte of it once. Each adds
 * what stands for its end, and takes away what stands for its beginning. Where one begins as another ends that cancels
 * out, and what stands for the ends of the whole is left; with a hole or an overlap more is. */
#ifndef MALLARD_COVERAGE_H
#define MALLARD_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

struct coverage {
    uint64_t bytes, ends;
};

/* What stands for an address: no sum of few others, but by chance. */
static inline uint64_t stand_for(uintptr_t address) {
    uint64_t x = address * UINT64_C(0xFF51AFD7ED558CCD);
    x = (x ^ x >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ x >> 33;
}

static inline struct coverage coverage_of(uintptr_t from, uintptr_t to) {
    return (struct coverage){to - from, stand_for(to) - stand_for(from)};
}

static inline void add_coverage(struct coverage *to, struct coverage more) {
    to->bytes += more.bytes;
    to->ends += more.ends;
}

static inline void subtract_coverage(struct coverage *from, struct coverage part) {
    from->bytes -= part.bytes;
    from->ends -= part.ends;
}

/* Where other threads add, too. */
static inline void add_coverage_of_many(struct coverage *to, struct coverage more) {
    __atomic_fetch_add(&to->bytes, more.bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->ends, more.ends, __ATOMIC_RELAXED);
}

static inline bool is_same_coverage(struct coverage a, struct coverage b) {
    return a.bytes == b.bytes && a.ends == b.ends;
}

#endif
