/* Messages that nobody has to wait for, in a ring in shared memory (internal/wire/messagering.go): the recorder reads them before any frame of the socket, and
 * every now and then. No system call, and nobody is woken. */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

static void copy_in(uint64_t at, const void *p, size_t n) {
    size_t place = at % WIRE_MESSAGE_RING_BYTES, first = WIRE_MESSAGE_RING_BYTES - place;
    if (first > n) first = n;
    memcpy(agent.message_ring->ring + place, p, first);
    memcpy(agent.message_ring->ring, (const char *)p + first, n - first);
}

static bool fits(size_t n) { return agent.message_ring->written + n - agent.message_ring->read <= WIRE_MESSAGE_RING_BYTES; }

/* The caller holds the wire's lock. */
static bool post(uint32_t type, const struct message *m) {
    uint32_t header[2] = {type, (uint32_t)m->size};
    size_t n = sizeof header + m->size;
    if (n > WIRE_MESSAGE_RING_BYTES) return false;
    if (!fits(n) && !(drain_message_ring() && fits(n))) return false;
    uint64_t at = agent.message_ring->written;
    copy_in(at, header, sizeof header);
    if (m->size) copy_in(at + sizeof header, m->data, m->size);
    atomic_store_explicit(&agent.message_ring->written, at + n, memory_order_release);
    return true;
}

bool post_message(uint32_t type, struct message *m) {
    bool ok = false;
    pthread_mutex_lock(&agent.wire_lock);
    if (agent.engaged && !m->failed) ok = post(type, m);
    pthread_mutex_unlock(&agent.wire_lock);
    free(m->data);
    *m = (struct message){0};
    return ok;
}
