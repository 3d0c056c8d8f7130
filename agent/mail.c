/* Messages that nobody has to wait for, in a ring in shared memory (internal/wire/mail.go): the recorder reads them before any frame of the socket, and
 * every now and then. No system call, and nobody is woken. */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

static void copy_in(uint64_t at, const void *p, size_t n) {
    size_t place = at % WIRE_MAIL_BYTES, first = WIRE_MAIL_BYTES - place;
    if (first > n) first = n;
    memcpy(agent.mail->ring + place, p, first);
    memcpy(agent.mail->ring, (const char *)p + first, n - first);
}

static bool fits(size_t n) { return agent.mail->written + n - agent.mail->read <= WIRE_MAIL_BYTES; }

/* The caller holds the wire's lock. */
static bool post(uint32_t type, const struct message *m) {
    uint32_t header[2] = {type, (uint32_t)m->size};
    size_t n = sizeof header + m->size;
    if (n > WIRE_MAIL_BYTES) return false;
    if (!fits(n) && !(empty_mail() && fits(n))) return false;
    uint64_t at = agent.mail->written;
    copy_in(at, header, sizeof header);
    if (m->size) copy_in(at + sizeof header, m->data, m->size);
    atomic_store_explicit(&agent.mail->written, at + n, memory_order_release);
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
