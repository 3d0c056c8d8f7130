/* A stream socket that holds nobody up for longer than it may. Frames go out whole and in their order; what the other
 * end does not take in time is kept, and goes before anything else. One thread at a time. */
#ifndef MALLARD_CHANNEL_H
#define MALLARD_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "descriptors.h"
#include "message.h"

/* Nanoseconds of the monotonic clock. */
typedef int64_t moment;
enum { AT_ONCE = 0 };
#define WITHOUT_LIMIT INT64_MAX
moment now(void);

enum outcome {
    DONE,
    LATE, /* not yet: what was begun is gone on with the next time */
    GONE  /* the other end, or no memory is left for what it does not take */
};

struct channel {
    int socket;              /* -1 without */
    struct identity is;      /* which socket that is: one that the program has closed is gone */
    _Atomic moment end;      /* no wait with a limit goes beyond; 0: none. Any thread may set it */
    struct message unsent;   /* whole frames, but for what has gone of the first */
    struct message received; /* of the next answer */
};

/* Descriptors that ride with a frame. */
enum { MAX_DESCRIPTORS = 3 };
struct descriptors {
    size_t count;
    int list[MAX_DESCRIPTORS];
};

/* A frame. tail may be NULL: bytes appended to the payload with their length. */
struct frame {
    uint32_t type;
    const struct message *payload;
    const void *tail;
    size_t tail_size;
    struct descriptors riding;
};

/* A frame that answers; the bytes are malloc's. */
struct answer {
    uint32_t type;
    struct message bytes; /* the header, too */
    struct bytes payload;
};

/* Takes a socket over, or closes it: false. */
bool channel_open(struct channel *c, int socket);
/* Shuts it down: SHUT_WR, SHUT_RDWR. Any thread. */
void channel_shutdown(struct channel *c, int how);

/* Sends what is left of earlier frames. */
enum outcome channel_flush(struct channel *c, moment until);
/* Sends a frame behind them. LATE: it is sent later. */
enum outcome channel_send(struct channel *c, const struct frame *f, moment until);
/* Receives the next answer, whose bytes are the caller's to free if it is DONE. */
enum outcome channel_receive(struct channel *c, struct answer *a, moment until);
/* Goes on with all that was begun: sends what is left and, where an answer is awaited, receives it (a, the caller's to
 * free once it is no longer awaited). Neither waits for the other: an end that is writing may read nothing. */
enum outcome channel_settle(struct channel *c, bool *awaited, struct answer *a, moment until);

#endif
