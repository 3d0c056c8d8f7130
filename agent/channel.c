#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "abi.h"

enum {
    MOST_UNSENT = 16 << 20,  /* bytes that are kept for a recorder that takes none */
    SLICE = 100000000,       /* of a wait, nanoseconds: its end may be set meanwhile */
    FIRST_RECEIVED = 16 << 10 /* room for an answer before its length is known */
};

moment now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (moment)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool is_ours(const struct channel *c) { return is_same_descriptor(c->socket, &c->is); }

bool channel_open(struct channel *c, int socket) {
    socket = beyond_streams(socket);
    if (socket < 0) return false;
    if (identify_descriptor(socket, &c->is)) {
        c->socket = socket;
        return true;
    }
    close(socket);
    return false;
}

void channel_shutdown(struct channel *c, int how) {
    if (is_ours(c)) shutdown(c->socket, how);
}

/* Waits until the socket can be read from or written to, as the events say; false where that is not so by then. */
static bool wait_for(const struct channel *c, short events, moment until) {
    for (;;) {
        moment end = c->end, last = end && end < until ? end : until;
        moment left = last == AT_ONCE ? 0 : last - now();
        if (left < 0) left = 0;
        struct timespec most = {.tv_nsec = left < SLICE ? left : SLICE};
        struct pollfd p = {.fd = c->socket, .events = events};
        int n = ppoll(&p, 1, until == WITHOUT_LIMIT ? NULL : &most, NULL);
        if (n > 0) return true;
        if (left == 0) return false;
        if (n < 0 && errno != EINTR) { /* what follows says why, or it is tried again until then */
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            return true;
        }
    }
}

/* Sends as much as goes; DONE with v and n behind it where that was all. */
static enum outcome send_parts(const struct channel *c, struct iovec *v, int *n, const struct descriptors *d,
    moment until) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof d->list)];
    } control;
    bool riding = d->count > 0; /* with the first bytes */
    for (struct iovec *all = v; *n > 0;) {
        struct msghdr h = {.msg_iov = v, .msg_iovlen = (size_t)*n};
        if (riding) {
            memset(&control, 0, sizeof control);
            h.msg_control = &control;
            h.msg_controllen = CMSG_SPACE(d->count * sizeof *d->list);
            control.header.cmsg_level = SOL_SOCKET;
            control.header.cmsg_type = SCM_RIGHTS;
            control.header.cmsg_len = CMSG_LEN(d->count * sizeof *d->list);
            memcpy(CMSG_DATA(&control.header), d->list, d->count * sizeof *d->list);
        }
        if (!is_ours(c)) return GONE;
        ssize_t k = sendmsg(c->socket, &h, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (k < 0 && errno == EINTR) continue;
        if (k < 0 && errno == EAGAIN) {
            if (wait_for(c, POLLOUT, until)) continue;
            memmove(all, v, (size_t)*n * sizeof *v);
            return LATE;
        }
        if (k <= 0) return GONE;
        riding = false;
        for (; *n > 0 && (size_t)k >= v->iov_len; v++, --*n) k -= (ssize_t)v->iov_len;
        if (*n > 0) {
            v->iov_base = (char *)v->iov_base + k;
            v->iov_len -= (size_t)k;
        }
    }
    return DONE;
}

enum outcome channel_flush(struct channel *c, moment until) {
    if (c->unsent.size == 0) return DONE;
    struct iovec rest = {c->unsent.data, c->unsent.size};
    int n = 1;
    enum outcome o = send_parts(c, &rest, &n, &(struct descriptors){0}, until);
    if (o == DONE) {
        free_message(&c->unsent);
    } else if (o == LATE) {
        memmove(c->unsent.data, rest.iov_base, rest.iov_len);
        c->unsent.size = rest.iov_len;
    }
    return o;
}

enum outcome channel_send(struct channel *c, const struct frame *f, moment until) {
    uint32_t tail_length = (uint32_t)f->tail_size;
    uint32_t header[2] = {f->type,
        (uint32_t)(f->payload->size + (f->tail ? sizeof tail_length + f->tail_size : 0))};
    struct iovec v[4] = {{header, sizeof header}, {f->payload->data, f->payload->size},
        {&tail_length, sizeof tail_length}, {(void *)(uintptr_t)f->tail, f->tail_size}};
    int n = f->tail ? 4 : 2;
    enum outcome o = channel_flush(c, until);
    if (o == DONE) o = send_parts(c, v, &n, &f->riding, until);
    if (o != LATE) return o;
    for (int i = 0; i < n; i++) put_data(&c->unsent, v[i].iov_base, v[i].iov_len);
    return c->unsent.failed || c->unsent.size > MOST_UNSENT ? GONE : LATE;
}

/* Bytes of the answer that has begun, as far as that is known. */
static size_t expected(const struct message *received) {
    uint32_t size;
    if (received->size < ABI_FRAME_HEADER_BYTES) return ABI_FRAME_HEADER_BYTES;
    memcpy(&size, received->data + ABI_FRAME_PAYLOAD, sizeof size);
    return ABI_FRAME_HEADER_BYTES + (size_t)size;
}

/* No function of JVMTI is called here: on JDK 25 even Allocate stops a thread that is to be suspended, and one that was
 * stopped with the lock held would keep the last snapshot from being sent. */
enum outcome channel_receive(struct channel *c, struct answer *a, moment until) {
    struct message *m = &c->received;
    while (m->size < expected(m)) {
        size_t most = expected(m);
        if (most > ABI_FRAME_HEADER_BYTES + (size_t)ABI_MAX_FRAME) return GONE;
        if (!reserve(m, most > FIRST_RECEIVED ? most : FIRST_RECEIVED)) return GONE;
        if (!wait_for(c, POLLIN, until)) return LATE;
        if (!is_ours(c)) return GONE;
        ssize_t k = recv(c->socket, m->data + m->size, m->capacity - m->size, MSG_DONTWAIT);
        if (k < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (k <= 0) return GONE;
        m->size += (size_t)k;
    }
    memcpy(&a->type, m->data, sizeof a->type);
    a->bytes = *m;
    a->payload = (struct bytes){m->data + ABI_FRAME_HEADER_BYTES, expected(m) - ABI_FRAME_HEADER_BYTES};
    *m = (struct message){0};
    return DONE;
}

enum outcome channel_settle(struct channel *c, bool *awaited, struct answer *a, moment until) {
    for (;;) {
        enum outcome o = channel_flush(c, AT_ONCE);
        if (o != GONE && *awaited && (o = channel_receive(c, a, AT_ONCE)) == DONE) *awaited = false;
        short missing = (short)((*awaited ? POLLIN : 0) | (c->unsent.size ? POLLOUT : 0));
        if (o == GONE || !missing) return o == GONE ? GONE : DONE;
        if (!wait_for(c, missing, until)) return LATE;
    }
}
