/* Headers of objects: their tags, and identity hashes. */
#include "hotspot_headers.h"

#include <stdatomic.h>

#include "agent.h"
#include "hotspot.h"
#include "hotspot_table.h"

enum {
    INFLATED = 2, MARKED = 3, BIASED = 5, LOCK_BITS = 3, /* of a header (markWord.hpp) */
    HASH_BITS = 0x7fffffff
};

static const struct hotspot *vm;
static bool on_stacks;      /* of objects that are locked */
static bool in_monitors;    /* of objects that have one */
static unsigned hash_shift; /* where a header has the identity hash */

/* Whether a thread that locks an object without a monitor keeps its header. */
static bool stack_locking(void) {
    enum { LM_LEGACY = 1 };
    uintptr_t mode = flag("LockingMode");
    return mode ? AT(int, mode) == LM_LEGACY : agent.feature < 21;
}

void find_headers(void) {
    vm = hotspot_entries();
    on_stacks = stack_locking();
    in_monitors = !flag_set("UseObjectMonitorTable");
    hash_shift = (unsigned)vm->hash_shift;
}

bool headers_are_plain(void) { return !flag_set("UseBiasedLocking"); }

/* Where an object's header is. */
static uint64_t *header_place(uintptr_t object) {
    uint64_t header = AT(uint64_t, object);
    if ((header & LOCK_BITS) == INFLATED && in_monitors)
        return (uint64_t *)((header & ~(uint64_t)LOCK_BITS) + vm->monitor_header);
    if ((header & LOCK_BITS) == 0 && header != 0 && on_stacks) return (uint64_t *)header;
    return (uint64_t *)object;
}

/* Whether the monitor that an object's header leads to is still its own. When an object is dead, and a collector knows,
 * the VM frees its monitor, and leaves the header: others have that memory then, or nobody. */
static bool has_monitor(uintptr_t object) {
    uintptr_t monitor = (uintptr_t)(AT(uint64_t, object) & ~(uint64_t)LOCK_BITS), handle = 0, of = 0;
    return read_if_mapped(monitor + vm->monitor_object, &handle, sizeof handle) &&
        read_if_mapped(handle, &of, sizeof of) && of == object;
}

/* The header is in a monitor that is another's, or nobody's, by now: it is lost. */
static bool lost_header(uintptr_t object) {
    return (AT(uint64_t, object) & LOCK_BITS) == INFLATED && in_monitors && !has_monitor(object);
}

uint64_t header_of_locked(uintptr_t object) {
    return lost_header(object) ? ABI_HEADER_NEW : *header_place(object);
}

/* Where bits can be put into an object's header, while the world stands still: nobody locks it then. NULL: it is
 * biased, or elsewhere, and may be another's; or there is none, but where a collection that found no room for all has
 * put the object, of which this is what is left. Where who locks an object keeps its header, 0 is that of one that is
 * put elsewhere now. Where headers stay in objects, 0 is that of a new one, without tag, hash and age, that is
 * locked. */
static uint64_t *writable_header(uintptr_t object) {
    uint64_t *header = header_place(object);
    if (lost_header(object) || (*header == 0 && on_stacks) || (*header & LOCK_BITS) == MARKED) return NULL;
    return (*header & ABI_HEADER_LOCK) != BIASED ? header : NULL;
}

/* The hash of an order, which is another one's of none: package abi, "Flags and orders of single objects". Who gives
 * hashes takes some orders at a time. After all have been given they are given again. */
static uint32_t next_hash(uint64_t *sequence) {
    enum { TOGETHER = 1 << 12 };
    static _Atomic uint32_t taken;
    uint32_t order;
    do {
        if (*sequence % TOGETHER == 0)
            *sequence = (uint64_t)atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed) * TOGETHER;
        order = (uint32_t)(*sequence)++ & ABI_ORDER_MASK;
    } while (order == 0);
    uint32_t x = order * ABI_ORDER_FACTOR & ABI_ORDER_MASK;
    return x ^ x >> ABI_ORDER_SHIFT;
}

bool has_identity(uint64_t header) { return (header >> hash_shift & HASH_BITS) != 0; }

void give_tag(uintptr_t object, uint32_t tag) {
    uint64_t *header = writable_header(object);
    if (header && *header >> ABI_TAG_SHIFT == 0) *header |= (uint64_t)tag << ABI_TAG_SHIFT;
}

void set_tag(uintptr_t object, uint32_t tag) {
    uint64_t *header = writable_header(object);
    if (header) *header = (*header & ((UINT64_C(1) << ABI_TAG_SHIFT) - 1)) | (uint64_t)tag << ABI_TAG_SHIFT;
}

uint32_t identify(uintptr_t object, uint32_t hash) {
    uint64_t *header = writable_header(object);
    if (header && (*header >> hash_shift & HASH_BITS) == 0) *header |= (uint64_t)hash << hash_shift;
    return header ? *header >> hash_shift & HASH_BITS : 0;
}

uint32_t identity_of(uintptr_t object, uint64_t *sequence) {
    const uint64_t *header = writable_header(object);
    uint32_t hash = header ? *header >> hash_shift & HASH_BITS : 0;
    return hash ? hash : identify(object, next_hash(sequence));
}

bool identify_anew(uintptr_t object, uint64_t *sequence) {
    uint64_t header = AT(uint64_t, object);
    if (is_plain_header(header) && has_identity(header)) return false;
    identify(object, next_hash(sequence));
    return true;
}

/* Puts bits into a plain header that has none of a mask. The VM, and what it compiles, compare and set as well. */
static bool put_running(uintptr_t object, uint64_t mask, uint64_t bits) {
    uint64_t *header = (uint64_t *)object, now = __atomic_load_n(header, __ATOMIC_RELAXED);
    do {
        if (!is_plain_header(now)) return false;
        if (now & mask) return true;
    } while (!__atomic_compare_exchange_n(header, &now, now | bits, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return true;
}

bool give_tag_running(uintptr_t object, uint32_t tag) {
    return put_running(object, ~UINT64_C(0) << ABI_TAG_SHIFT, (uint64_t)tag << ABI_TAG_SHIFT);
}

bool identify_running(uintptr_t object, uint64_t *sequence, bool *anew) {
    const uint64_t hash = (uint64_t)HASH_BITS << hash_shift;
    *anew = (__atomic_load_n((const uint64_t *)object, __ATOMIC_RELAXED) & hash) == 0;
    return put_running(object, hash, *anew ? (uint64_t)next_hash(sequence) << hash_shift : 0);
}
