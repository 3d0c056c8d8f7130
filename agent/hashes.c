/* Hashes of contexts taken apart, in C, because a program that starts has new ones all the time: bytecode that does
 * this is interpreted then, and compiled at a price. The reference for the node of a stack is the recorder's
 * calltree.ResolveHash: calltree's TestJava runs both on the same cases. */
#include "hashes.h"

#include "callees.h"

enum { NO_CALL = -1 };

/* Methods and calls. */

static const unsigned char *call_row(const struct tree *t, uint32_t call) {
    return t->in->calls + (size_t)call * ABI_CALL_BYTES;
}

static uint32_t name_of(const struct tree *t, uint32_t method) {
    return field_of(described(t, method), ABI_METHOD_NAME);
}

bool has_name(const struct tree *t, uint32_t method) { return name_of(t, method) != 0; }

static uint32_t said(const struct tree *t, uint32_t call) { return field_of(call_row(t, call), ABI_CALL_NAME); }

static uint32_t announced(const struct tree *t, uint32_t call) {
    return field_of(call_row(t, call), ABI_CALL_ANNOUNCE);
}

static uint32_t first_call(const struct tree *t, uint32_t method) {
    return field_of(described(t, method), ABI_METHOD_FIRST_CALL);
}

static uint32_t calls_of(const struct tree *t, uint32_t method) {
    return field_of(described(t, method), ABI_METHOD_CALLS) & ~(uint32_t)ABI_METHOD_RAISED;
}

static uint64_t step(uint64_t hash, uint32_t called, uint32_t method) {
    return ((hash ^ called) + method * ABI_HASH_METHOD) * ABI_HASH_STEP;
}

static uint64_t step_back(uint64_t hash, uint32_t method) {
    return hash * ABI_HASH_STEP_BACK - method * ABI_HASH_METHOD;
}

/* Callers whose hashes are known. */

/* Whether a call may be one of a method, for all that their names say. */
static bool may_call(const struct tree *t, uint32_t call, uint32_t method) {
    uint32_t says = said(t, call), name = name_of(t, method);
    return name == ABI_LAMBDA_NAME || says == 0 || says == name;
}

/* The same where the name alone decides. */
static bool names(const struct tree *t, uint32_t call, uint32_t method) {
    uint32_t name = name_of(t, method);
    return name == ABI_LAMBDA_NAME || (name != 0 && said(t, call) == name);
}

uint64_t node_of_known_caller(const struct tree *t, uint64_t hash, uint32_t method) {
    uint64_t entered = step_back(hash, method), caller;
    if (entered >> 32 == 0) return 0; /* the VM */
    for (uint64_t pair = first_pair(t, entered); (caller = word_at(t, pair)) != 0; pair = next_pair(t, pair)) {
        uint64_t called = caller ^ entered;
        if (called >> 32 != 0) continue;
        uint64_t node = word_at(t, pair + ABI_PAIR_NODE), word = called >> ABI_ANNOUNCE_WORD_SHIFT;
        uint32_t in = method_of(t, node), call = (uint32_t)word - ABI_NODE_SLOTS;
        if (in == ABI_ROOT_METHOD || word < ABI_NODE_SLOTS || call >= calls_of(t, in)) continue;
        call += first_call(t, in);
        if (announced(t, call) != called || !names(t, call, method)) continue;
        uint64_t found = callee_or_child(t, node | word << ABI_SLOT_SHIFT, method);
        remember_hash(t, hash, found);
        return found;
    }
    return 0;
}

/* Frames. */

static uint32_t method_in(const struct hashed_frame *f) { return f->method & (ABI_FRAME_GAP - 1); }

static bool is_native(const struct hashed_frame *f) { return f->method & ABI_FRAME_NATIVE; }

/* The call at which a frame stands, NO_CALL if it does not. Native methods have one for all that they call. */
static int64_t call_at(const struct tree *t, const struct hashed_frame *f) {
    if (method_in(f) == 0) return NO_CALL;
    uint32_t low = first_call(t, method_in(f)), high = low + calls_of(t, method_in(f));
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, position = field_of(call_row(t, middle), ABI_CALL_POSITION);
        if (position == f->position) return middle;
        if (position < f->position)
            low = middle + 1;
        else
            high = middle;
    }
    return NO_CALL;
}

/* Whether the node of a frame is in the slot of a call that says so, and not elsewhere (calltree.Arena.mayCall). */
static bool is_called(const struct tree *t, uint32_t says, const struct hashed_frame *f) {
    uint32_t name = name_of(t, method_in(f));
    bool raised = field_of(described(t, method_in(f)), ABI_METHOD_CALLS) & ABI_METHOD_RAISED;
    return name != 0 && (says == name || (!raised && (says == 0 || f->method & ABI_FRAME_GAP)));
}

static bool leads_to(const struct tree *t, const struct hashed_frame *caller, const struct hashed_frame *callee) {
    int64_t call = call_at(t, caller);
    return call != NO_CALL && is_called(t, said(t, (uint32_t)call), callee);
}

/* The innermost frame that is not native, of those that have called the first one; count if there is none. */
static int java_caller(const struct hashed_frame *frames, int count) {
    int i = 1;
    while (i < count && is_native(&frames[i])) i++;
    return i;
}

/* Gives each frame that is not native its hash, up to one whose hash is known: known says which. */
static enum taken find_known(const struct tree *t, const struct unknown *u, struct hashed_frame *frames, int count,
    int *known) {
    if (count == 0) return NOT_TAKEN;
    bool counts = u->called == (uint32_t)COUNTS, behind = frames->method & ABI_FRAME_GAP;
    frames->method = u->method | (behind ? ABI_FRAME_GAP : 0); /* this version of it */
    frames->hash = counts ? u->hash : step(u->hash, u->called, u->method);
    int i = 0;
    if (!counts) {
        i = java_caller(frames, count);
        if (i == count) return TAKEN_FURTHER;
        int64_t call = call_at(t, &frames[i]);
        uint32_t says = call == NO_CALL ? 0 : said(t, (uint32_t)call);
        if (call == NO_CALL || (i == 1 && says != 0 && says != name_of(t, u->method) && !behind)) return ELSEWHERE;
        for (int k = i; i > 1 && k > 0; k--)
            if (!leads_to(t, &frames[k], &frames[k - 1])) return NOT_TAKEN;
        frames[i].hash = u->hash ^ (u->called ^ announced(t, (uint32_t)call));
    }
    for (;; i++) {
        uint64_t hash = frames[i].hash;
        uint32_t callee = method_in(&frames[i]);
        *known = i;
        if (known_node(t, hash, callee) != 0) return TAKEN;
        uint64_t entered = step_back(hash, callee);
        if (entered == 0) { /* by the VM */
            remember_hash(t, hash, callee_or_child(t, t->block[ABI_WORD_OUTERMOST], callee));
            return hashed_node(t, hash) != 0 ? TAKEN : NOT_TAKEN;
        }
        if (i + 1 == count) return TAKEN_FURTHER;
        int64_t call = is_native(&frames[i + 1]) ? NO_CALL : call_at(t, &frames[i + 1]);
        if (method_in(&frames[i + 1]) == 0) return NOT_TAKEN;
        if (call == NO_CALL || !may_call(t, (uint32_t)call, callee)) return ELSEWHERE;
        frames[i + 1].hash = entered ^ announced(t, (uint32_t)call);
    }
}

enum taken take_apart(const struct tree *t, const struct unknown *u, struct hashed_frame *frames, int count,
    int *known, uint64_t *node) {
    enum taken r = find_known(t, u, frames, count, known);
    if (r != TAKEN) return r;
    *node = hashed_node(t, frames[*known].hash);
    for (int i = *known; i > 0 && *node >= t->in->early; i--) {
        uint64_t slot = (uint64_t)call_at(t, &frames[i]) - first_call(t, method_in(&frames[i])) + ABI_NODE_SLOTS;
        *node = callee_or_child(t, *node | slot << ABI_SLOT_SHIFT, method_in(&frames[i - 1]));
        if (!is_native(&frames[i - 1])) remember_hash(t, frames[i - 1].hash, *node);
    }
    return *node >= t->in->early ? TAKEN : NOT_TAKEN;
}

/* Nodes that are elsewhere, as the recorder's calltree has them (elsewhere.go): what the VM calls by itself, or native
 * code, is in no slot. */

static uint64_t place_of(uint64_t caller, uint32_t position) { return caller | (uint64_t)position << ABI_SLOT_SHIFT; }

static uint64_t place_hash(uint64_t place, uint32_t method) {
    return (place * ABI_HASH_ANCHOR + method) * ABI_HASH_STEP | 1;
}

static bool is_at(const struct tree *t, uint64_t node, uint64_t place, uint32_t method) {
    return word_at(t, offset_of(node, ABI_NODE_METHOD)) & ABI_IN_NO_SLOT && method_of(t, node) == method &&
        word_at(t, offset_of(node, ABI_NODE_ENTRY)) == place;
}

/* 0 without memory, or where another one has the hash. */
static uint64_t make_elsewhere(const struct tree *t, uint64_t place, uint32_t method) {
    uint64_t hash = place_hash(place, method);
    uint64_t node = hashed_node(t, hash) == 0 && has_room_for_hash(t) ? child_elsewhere(t, place, method) : 0;
    remember_hash(t, hash, node);
    return node;
}

/* The node of what a frame has called; without a caller it is the thread's first. 0 without memory. */
static uint64_t placed(const struct tree *t, uint64_t node, const struct hashed_frame *caller,
    const struct hashed_frame *frame) {
    uint32_t method = method_in(frame), says = 0;
    uint64_t place = place_of(node, caller ? caller->position : 0), slot = ABI_NODE_SLOTS;
    uint64_t found = hashed_node(t, place_hash(place, method));
    if (found && is_at(t, found, place, method)) return found;
    if (caller) {
        int64_t call = call_at(t, caller);
        if (call == NO_CALL) return make_elsewhere(t, place, method);
        slot += (uint64_t)call - first_call(t, method_in(caller));
        says = said(t, (uint32_t)call);
    }
    uint64_t entry = node | slot << ABI_SLOT_SHIFT;
    if (is_called(t, says, frame)) return callee_or_child(t, entry, method);
    found = callee(t, entry, method);
    return found ? found : make_elsewhere(t, place, method);
}

uint64_t place_stack(const struct tree *t, const struct unknown *u, struct hashed_frame *frames, int count) {
    uint64_t node = t->block[ABI_WORD_OUTERMOST] & NODE;
    if (count == 0 || t->block[ABI_WORD_TRANSACTION] != 0 || node < t->in->early || t->block[ABI_WORD_TABLE] == 0)
        return 0;
    frames->method = u->method | (frames->method & ABI_FRAME_GAP);
    for (int i = count - 1; i >= 0 && node >= t->in->early; i--)
        node = method_in(&frames[i]) ? placed(t, node, i + 1 < count ? &frames[i + 1] : NULL, &frames[i]) : 0;
    return node >= t->in->early ? node : 0;
}
