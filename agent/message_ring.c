/* Messages that nobody has to wait for, in a ring in shared memory (package internal/abi): the recorder reads them
 * before any frame of the socket, and every now and then. No system call, and nobody is woken. */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t *word(size_t at) { return (_Atomic uint64_t *)(void *)(agent.message_ring + at); }

static void copy_in(uint64_t at, const void *p, size_t n) {
    size_t offset = at % ABI_RING_DATA_BYTES, first = ABI_RING_DATA_BYTES - offset;
    if (first > n) first = n;
    memcpy(agent.message_ring + ABI_RING_DATA + offset, p, first);
    memcpy(agent.message_ring + ABI_RING_DATA, (const char *)p + first, n - first);
}

static bool fits(size_t n) { return *word(ABI_RING_WRITTEN) + n - *word(ABI_RING_READ) <= ABI_RING_DATA_BYTES; }

/* False where the ring is full. */
static bool put_in_ring(uint32_t type, const struct message *m) {
    uint32_t header[2] = {type, (uint32_t)m->size};
    size_t n = sizeof header + m->size;
    if (!fits(n)) return false;
    uint64_t at = *word(ABI_RING_WRITTEN);
    copy_in(at, header, sizeof header);
    if (m->size) copy_in(at + sizeof header, m->data, m->size);
    atomic_store_explicit(word(ABI_RING_WRITTEN), at + n, memory_order_release);
    return true;
}

/* Where the ring is full, messages go the other way: the recorder has read the ring before it reads them. */
bool post_message(uint32_t type, struct message *m) {
    bool ok = false;
    pthread_mutex_lock(&agent.wire_lock);
    if (agent.engaged && !m->failed) ok = put_in_ring(type, m) || send_frame(type, m);
    pthread_mutex_unlock(&agent.wire_lock);
    free_message(m);
    return ok;
}

bool post_at_once(uint32_t type, struct message *m) {
    bool ok = false;
    if (pthread_mutex_trylock(&agent.wire_lock) == 0) {
        ok = agent.engaged && !m->failed && put_in_ring(type, m);
        pthread_mutex_unlock(&agent.wire_lock);
    }
    free_message(m);
    return ok;
}

bool take_numbers(_Atomic uint64_t *from, uint32_t n, uint32_t *first) {
    uint64_t now = *from;
    do {
        uint32_t next = (uint32_t)now, end = (uint32_t)(now >> ABI_RESERVED_END_SHIFT);
        if (next > end || end - next < n) return false;
        *first = next;
    } while (!atomic_compare_exchange_weak(from, &now, now + n));
    return true;
}

bool take_reserved(uint32_t n, uint32_t *first) { return take_numbers(word(ABI_RING_RESERVED), n, first); }
