/* What there is a way to, written in the order of its addresses, with its references. */
#include "graph.h"

#include <string.h>

#include "leb128.h"
#include "observers.h"

enum {
    NUMBERS = 5, /* in front of an object's slots, at most */
    BITS = 64
};

static struct {
    unsigned char *event, *at, *end; /* the event that objects go into; NULL: none */
    uintptr_t object;                /* that is being written */
    uint64_t slot;                   /* of it */
} out;

static void end_event(void) {
    if (out.event) event_end(&safepoint_ring, (uint32_t)(out.at - out.event));
    out.event = NULL;
}

static void begin_event(void) {
    uint64_t header[] = {out.object, out.slot};
    _Static_assert(sizeof header == ABI_HEAP_OBJECTS_LIST, "the header is all that is in front of the list");
    end_event();
    if (has_room(BLOCK_BYTES))
        out.event = event_begin(&safepoint_ring, ABI_EVENT_HEAP_OBJECTS, BLOCK_BYTES);
    if (!out.event) return;
    memcpy(out.event, header, sizeof header);
    out.at = out.event + sizeof header;
    out.end = out.event + BLOCK_BYTES;
}

static void put_number(uint64_t n) { out.at = put_leb128(out.at, n); }

static void put_reference(uintptr_t target) {
    int64_t way = ((int64_t)target - (int64_t)out.object) / WORD;
    if (!out.event || out.at + LEB128_BYTES > out.end) begin_event();
    out.slot++;
    if (out.event) put_number(target ? 1 + ((uint64_t)way << 1 ^ (uint64_t)(way >> 63)) : 0);
}

/* What comes where all classes are known. */
static void unknown_class(const struct heap_class *c, const struct heap_class_name *name) {
    (void)c, (void)name;
    graph.why = heap_changed;
}

static uint64_t slots;

static void count_slot(uintptr_t target) {
    (void)target;
    slots++;
}

static uint64_t slots_of(uintptr_t object, const struct shape *s) {
    slots = 0;
    if (s->form == ABI_HEAP_REFERENCES) return length_of_array(object);
    each_slot(object, s, count_slot);
    return slots;
}

/* The shape of a class, which is known by now; NULL if it is not. */
static const struct shape *known_shape(const struct heap_class *c) {
    struct shape *s = &graph.shapes[c - heap_classes];
    if (c->number == ABI_HEAP_OTHERS) look_at_shape(c, s);
    return s->klass ? s : NULL;
}

/* Writes an object, `gap` bytes behind the one before, and gives its own bytes. */
static uint64_t put_object(uintptr_t object, uint64_t gap) {
    struct heap_class *c = object == graph.last_visited ? graph.class_last_visited
        : class_of_object(object, graph.last_class, &graph.search);
    const struct shape *s = c ? known_shape(c) : NULL;
    uint64_t bytes = s ? bytes_of_object(c, object) : 0;
    out.object = object;
    out.slot = 0;
    if (bytes == 0 || graph.why) {
        graph.why = heap_changed;
        return WORD;
    }
    graph.last_class = c;
    bool fits = out.event && out.at + NUMBERS * LEB128_BYTES <= out.end;
    if (!fits) begin_event();
    if (!out.event) return bytes;
    put_number(c->number * 2 + (fits && gap));
    if (fits && gap) put_number(gap / WORD);
    if (c->number == ABI_HEAP_OTHERS || s->form == ABI_HEAP_VARYING) {
        put_number(bytes / WORD);
        put_number(slots_of(object, s));
    } else if (s->form == ABI_HEAP_CLASS_FORM) {
        put_number(bytes / WORD);
        put_number(static_references(object));
    } else if (s->form != ABI_HEAP_INSTANCE) {
        put_number(length_of_array(object));
    }
    graph.words[ABI_HEAP_GRAPH_WRITTEN]++;
    if (s->form == ABI_HEAP_REFERENCES)
        for (uint32_t i = 0, n = length_of_array(object); i < n && !graph.gave_up; i++)
            put_reference(element_at(object, i));
    else
        each_slot(object, s, put_reference);
    return bytes;
}

void put_objects(void) {
    uint64_t n = (graph.bounds.to - graph.bounds.from) / WORD / BITS + 1;
    uintptr_t end = graph.bounds.from;
    graph.search.is_new = unknown_class;
    for (uint64_t i = 0; i < n && !graph.gave_up && !graph.why; i++)
        for (uint64_t left = graph_marks[i]; left; left &= left - 1) {
            uintptr_t object = graph.bounds.from + (i * BITS + (unsigned)__builtin_ctzll(left)) * WORD;
            end = object + put_object(object, object - end);
        }
    end_event();
    event_commit(&safepoint_ring);
}
