/* Which groups have examples, and telling them. */
#include "examples.h"

#include <string.h>

#include "agent.h"
#include "hotspot_contents.h"
#include "observers.h"
#include "pages.h"

enum { WALK_BYTES = 1 << 18 /* of contents that a walk tells, about */ };

/* Of a class. */
static struct best {
    struct group_example {
        uint64_t hash;
        uintptr_t object;
        uint32_t objects; /* in this walk; 0: none */
    } groups[ABI_REPLICA_VALUES]; /* most objects first */
    uint64_t said[ABI_REPLICA_VALUES]; /* hashes of those that were said last */
    uint32_t next;                     /* of these to be forgotten */
} *by_class;

static uint32_t said_bytes; /* in this walk */

const char *want_examples(bool *wanted) {
    *wanted = wants_event(ABI_EVENT_REPLICA_VALUE);
    if (!*wanted) return NULL;
    by_class = zero_pages(ABI_HEAP_CLASSES * sizeof *by_class);
    return by_class ? NULL : "there is no memory for examples of contents";
}

void begin_examples(void) { said_bytes = 0; }

void forget_examples(uint32_t class) { by_class[class] = (struct best){0}; }

void rank_example(uint32_t class, uint64_t hash, uint32_t objects, uintptr_t object) {
    struct group_example *g = by_class[class].groups, new = {hash, object, objects};
    unsigned at = 0;
    while (at < ABI_REPLICA_VALUES - 1 && g[at].objects && g[at].hash != hash) at++;
    if (g[at].objects && g[at].hash == hash)
        new.objects += g[at].objects;
    else if (g[at].objects >= objects)
        return; /* the last one, that has more */
    for (; at > 0 && g[at - 1].objects < new.objects; at--) g[at] = g[at - 1];
    g[at] = new;
}

static bool was_said(const struct best *b, uint64_t hash) {
    for (unsigned i = 0; i < ABI_REPLICA_VALUES; i++)
        if (b->said[i] == hash) return true;
    return false;
}

static void put_example(uint32_t walk, uint32_t class, const struct group_example *g, unsigned depth,
                        const struct class_search *by) {
    _Static_assert(ABI_REPLICA_VALUE_HASH == 2 * sizeof walk && ABI_REPLICA_VALUE_SET == 0 &&
                   ABI_REPLICA_VALUE_CLASS == sizeof walk && ABI_REPLICA_VALUE_CONTENTS == 4 * sizeof walk,
        "the header is all that is in front of the contents");
    unsigned char *event = event_begin(&safepoint_ring, ABI_EVENT_REPLICA_VALUE,
        ABI_REPLICA_VALUE_CONTENTS + ABI_REPLICA_VALUE_BYTES);
    if (!event) return;
    memcpy(event, &walk, sizeof walk);
    memcpy(event + ABI_REPLICA_VALUE_CLASS, &class, sizeof class);
    memcpy(event + ABI_REPLICA_VALUE_HASH, &g->hash, sizeof g->hash);
    uint32_t n = write_contents(g->object, depth, by, event + ABI_REPLICA_VALUE_CONTENTS, ABI_REPLICA_VALUE_BYTES);
    event_end(&safepoint_ring, ABI_REPLICA_VALUE_CONTENTS + n);
    said_bytes += n;
}

uint32_t put_examples(uint32_t walk, uint32_t class, unsigned depth, const struct class_search *by) {
    struct best *b = &by_class[class];
    uint32_t events = 0;
    for (unsigned i = 0; i < ABI_REPLICA_VALUES; i++) {
        struct group_example *g = &b->groups[i];
        if (g->objects > 1 && !was_said(b, g->hash) && said_bytes < WALK_BYTES) {
            put_example(walk, class, g, depth, by);
            b->said[b->next] = g->hash;
            b->next = (b->next + 1) % ABI_REPLICA_VALUES;
            events++;
        }
        g->objects = 0;
    }
    return events;
}
