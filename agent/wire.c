/* The conversation with the recorder: frames of a type, a length and a payload (packages internal/abi and
 * internal/transport). No answer is waited for longer than a limit. One that has not come by then is late: until it is
 * there nobody waits and nobody asks, so that the program is held up once. What needs no answer is kept meanwhile. */
#include "agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define SECOND ((moment)1000000000)

/* Under agent.wire_lock. */
static moment limit = ABI_ANSWER_SECONDS * SECOND; /* of waiting for one answer */
static moment last_limit = ABI_LAST_ANSWER_SECONDS * SECOND; /* for all together when the VM ends */
static bool awaited;  /* an answer is late */
static uint32_t unanswered[ABI_FRAME_TYPES]; /* requests, since an answer was late, by their types */

void limit_waits(moment answer_within, moment exit_within) {
    if (answer_within > 0) limit = answer_within;
    if (exit_within > 0) last_limit = exit_within;
}

moment wait_limit(void) { return limit; }

/* No lock: whoever has it may be waiting. */
void limit_last_waits(void) { agent.recorder.end = now() + last_limit; }

static bool ending(void) { return agent.recorder.end != 0; }

static moment until(void) { return ending() ? agent.recorder.end : now() + limit; }

static enum reply lost(enum reply r) {
    disengage("the recorder went away");
    return r;
}

static void refused(struct bytes reason) {
    char why[1024];
    snprintf(why, sizeof why, "%.*s", (int)(reason.size < 1000 ? reason.size : 1000),
        reason.size ? (const char *)reason.data : "");
    disengage(why);
}

static void say_late(void) {
    static bool said;
    if (said || ending()) return;
    said = true;
    say("the recorder has not answered for %.3g s; the program does not wait for it, and until it answers what is "
        "loaded anew is not counted", (double)limit / (double)SECOND);
}

static void send_unanswered(void) {
    for (uint32_t type = 0; type < ABI_FRAME_TYPES; type++) {
        struct message m = {0};
        if (!unanswered[type]) continue;
        put_unanswered(&m, &(struct unanswered_fields){.request = type, .count = unanswered[type]});
        unanswered[type] = 0;
        channel_send(&agent.recorder, &(struct frame){.type = ABI_UNANSWERED, .payload = &m}, AT_ONCE);
        free_message(&m);
    }
}

/* Whether the recorder has all that was sent, and has answered: it can be asked. At the end there is time for that. */
static bool settled(void) {
    struct answer a = {0};
    bool late = awaited;
    if (!awaited && agent.recorder.unsent.size == 0) return true;
    enum outcome o = channel_settle(&agent.recorder, &awaited, &a, ending() ? until() : AT_ONCE);
    if (late && !awaited && a.type != ABI_OK) refused(a.payload);
    free_message(&a.bytes);
    if (o == GONE) lost(UNASKED);
    if (o == DONE || ending()) send_unanswered();
    return o == DONE && agent.engaged;
}

bool send_frame(uint32_t type, const struct message *m) {
    bool waits = settled();
    if (!agent.engaged) return false;
    enum outcome o = channel_send(&agent.recorder, &(struct frame){.type = type, .payload = m},
        waits ? until() : AT_ONCE);
    if (o == LATE && waits) say_late();
    if (o == GONE) lost(UNASKED);
    return o != GONE;
}

bool send_message(uint32_t type, struct message *m) {
    pthread_mutex_lock(&agent.wire_lock);
    bool ok = agent.engaged && !m->failed && send_frame(type, m);
    pthread_mutex_unlock(&agent.wire_lock);
    free_message(m);
    return ok;
}

void send_loss(const char *kind, uint64_t count, const char *detail) {
    struct message m = {0};
    put_loss(&m, &(struct loss_fields){.kind = kind, .count = count, .detail = detail});
    send_message(ABI_LOSS, &m);
}

/* Moves what was asked for to JVMTI's memory; false with the agent disengaged. */
static bool take_answer(struct answer *a, unsigned char **data, uint32_t *size) {
    bool ok = a->type == ABI_OK;
    if (!ok) refused(a->payload);
    *data = NULL;
    *size = ok ? (uint32_t)a->payload.size : 0;
    if (*size > 0) ok = !failed((*agent.jvmti)->Allocate(agent.jvmti, *size, data), "memory");
    if (ok && *size > 0) memcpy(*data, a->payload.data, *size);
    free_message(&a->bytes);
    return ok;
}

static _Atomic uint32_t *whose_tree(void) {
    return (_Atomic uint32_t *)(void *)(agent.message_ring + ABI_RING_TREE);
}

/* Whether the recorder answers by writing to the tree of the thread that asks. */
static bool offers_tree(uint32_t type) { return type == ABI_RESOLVE || type == ABI_MIRROR; }

/* False where the recorder writes to it at this moment: the thread leaves it. */
static bool take_tree_back(void) {
    uint32_t whose = ABI_TREE_OFFERED, taken = ABI_TREE_TAKEN;
    if (atomic_compare_exchange_strong(whose_tree(), &whose, ABI_TREE_OWN) || whose == ABI_TREE_OWN) return true;
    return !atomic_compare_exchange_strong(whose_tree(), &taken, ABI_TREE_LEFT);
}

/* Under the wire's lock. */
static enum reply ask(const struct frame *f, struct answer *a) {
    bool waits = settled();
    if (!agent.engaged) return UNASKED;
    if (!waits && !ending()) {
        unanswered[f->type]++;
        return UNASKED;
    }
    moment most = waits ? until() : AT_ONCE;
    bool offers = waits && offers_tree(f->type);
    if (offers) atomic_store(whose_tree(), ABI_TREE_OFFERED);
    enum outcome o = channel_send(&agent.recorder, f, most);
    if (o == DONE && waits) o = channel_receive(&agent.recorder, a, most);
    if (o == DONE && waits) return ANSWERED;
    bool kept = offers && !take_tree_back();
    if (o == GONE) return lost(kept ? TREE_KEPT : UNASKED);
    awaited = true;
    unanswered[f->type]++;
    say_late();
    return kept ? TREE_KEPT : UNANSWERED;
}

/* Frees the payload m. */
static enum reply exchange_frame(const struct frame *f, struct message *m, unsigned char **answer,
    uint32_t *answer_size) {
    enum reply r = UNASKED;
    struct answer a;
    *answer = NULL;
    *answer_size = 0;
    pthread_mutex_lock(&agent.wire_lock);
    if (agent.engaged && !f->payload->failed) r = ask(f, &a);
    pthread_mutex_unlock(&agent.wire_lock);
    free_message(m);
    return r == ANSWERED && !take_answer(&a, answer, answer_size) ? UNANSWERED : r;
}

enum reply exchange(uint32_t type, struct message *m, const void *tail, size_t tail_size, unsigned char **answer,
    uint32_t *answer_size) {
    return exchange_frame(&(struct frame){.type = type, .payload = m, .tail = tail, .tail_size = tail_size}, m,
        answer, answer_size);
}

bool exchange_first(uint32_t type, struct message *m, struct descriptors riding, unsigned char **answer,
    uint32_t *answer_size) {
    enum reply r = exchange_frame(&(struct frame){.type = type, .payload = m, .riding = riding}, m, answer,
        answer_size);
    if (r != ANSWERED) disengage("the recorder does not answer");
    return r == ANSWERED;
}

bool exchange_control(uint32_t type, struct message *m, unsigned char **answer, uint32_t *answer_size) {
    struct answer a;
    struct frame f = {.type = type, .payload = m};
    bool ok = agent.engaged && !m->failed && channel_send(&agent.control, &f, WITHOUT_LIMIT) == DONE &&
        channel_receive(&agent.control, &a, WITHOUT_LIMIT) == DONE;
    free_message(m);
    return ok && take_answer(&a, answer, answer_size);
}

void send_control(uint32_t type, struct message *m) {
    struct frame f = {.type = type, .payload = m};
    if (!m->failed) channel_send(&agent.control, &f, WITHOUT_LIMIT);
    free_message(m);
}

void end_conversation(void) {
    pthread_mutex_lock(&agent.wire_lock);
    agent.engaged = false;
    channel_shutdown(&agent.recorder, SHUT_WR);
    pthread_mutex_unlock(&agent.wire_lock);
}
