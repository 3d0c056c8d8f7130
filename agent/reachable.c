/* What there is a way to: from each root on references are followed, and what is found is marked. Only that is read:
 * what is dead may be of a class that is gone. */
#include "graph.h"

#include <string.h>

#include "agent.h"
#include "observers.h"
#include "pages.h"

enum {
    ELEMENTS = 256, /* of an array that are marked before those that they lead to are */
    BITS = 64,
    SHAPE_BYTES = (HEAP_CLASS_SLOTS + 1) * sizeof(struct shape),
    NUMBERED_BYTES = HEAP_CLASS_SLOTS * sizeof(uint64_t)
};

struct graph graph;
const char heap_changed[] = "the heap is not as Mallard knows it";

static uint64_t *marks;         /* a bit for each word from graph.bounds.from on */
const uint64_t *graph_marks;
static uint64_t *visited;       /* the same, of virtual threads that JVMTI is to visit */
static size_t bit_bytes;        /* of these two */
static uint64_t *stack;         /* objects that are marked, and whose references are not followed yet */
static size_t depth, most_depth;
static uint64_t *numbered;      /* open addressing: a Klass, and above it a number whose shape is written */

bool make_room(void) {
    graph.bounds = heap_bounds();
    depth = 0;
    size_t heap_words = graph.bounds.to > graph.bounds.from ? (graph.bounds.to - graph.bounds.from) / WORD : 0;
    bit_bytes = heap_words / 8 + WORD;
    most_depth = heap_words / 2 + ELEMENTS;
    graph.shapes = zero_pages(SHAPE_BYTES);
    numbered = zero_pages(NUMBERED_BYTES);
    graph_marks = marks = zero_pages(bit_bytes);
    visited = zero_pages(bit_bytes);
    stack = zero_pages(most_depth * sizeof *stack);
    return heap_words && graph.shapes && numbered && marks && visited && stack;
}

void give_room_back(void) {
    free_pages(graph.shapes, SHAPE_BYTES);
    free_pages(numbered, NUMBERED_BYTES);
    free_pages(marks, bit_bytes);
    free_pages(visited, bit_bytes);
    free_pages(stack, most_depth * sizeof *stack);
    graph.shapes = NULL;
    numbered = marks = visited = stack = NULL;
}

bool has_room(uint32_t bytes) {
    uint64_t *waited = &graph.words[ABI_HEAP_GRAPH_WAITING];
    if (!graph.gave_up) graph.gave_up = !event_wait(&safepoint_ring, bytes, (uint64_t)wait_limit(), waited);
    return !graph.gave_up;
}

/* An object is on the stack by its address; an array that has elements left has the next one's index above, times 8,
 * with bit 0 set. */
static void push(uint64_t entry) {
    if (depth < most_depth)
        stack[depth++] = entry;
    else
        graph.why = "there is no memory to follow references";
}

/* Sets an object's bit; false if it was. */
static bool set_bit(uint64_t *bits, uintptr_t object) {
    uint64_t at = (object - graph.bounds.from) / WORD, bit = UINT64_C(1) << at % BITS;
    if (bits[at / BITS] & bit) return false;
    bits[at / BITS] |= bit;
    return true;
}

bool note_visit(uintptr_t object) { return set_bit(visited, object); }

void mark(uintptr_t object) {
    if (!object) return;
    if (object < graph.bounds.from || object >= graph.bounds.to || object % WORD) {
        graph.words[ABI_HEAP_GRAPH_UNREAD]++;
        return;
    }
    if (!set_bit(marks, object)) return;
    graph.words[ABI_HEAP_GRAPH_OBJECTS]++;
    __builtin_prefetch((const void *)object);
    push(object);
}

/* The number with which the shape of a Klass has been written; 0: it has not been, and is this one from now on. */
static uint32_t number_of_shape(const struct heap_class *c) {
    uint32_t klass = klass_of(c->key), at = klass * UINT32_C(0x9E3779B1) % HEAP_CLASS_SLOTS;
    for (; numbered[at]; at = (at + 1) % HEAP_CLASS_SLOTS)
        if ((uint32_t)numbered[at] == klass) return (uint32_t)(numbered[at] >> 32);
    numbered[at] = (uint64_t)c->number << 32 | klass;
    return 0;
}

static void put_shape(const struct heap_class *c, struct shape *s) {
    const uint32_t most = BLOCK_BYTES;
    unsigned char *to = has_room(most) ? event_begin(&safepoint_ring, ABI_EVENT_HEAP_SHAPE, most) : NULL;
    uint64_t mirror = mirror_of(s->klass);
    bool all;
    if (!to) return;
    size_t bytes = put_slots(s, to + ABI_HEAP_SHAPE_SLOTS, most - ABI_HEAP_SHAPE_SLOTS, &all);
    if (!all) s->form = ABI_HEAP_VARYING;
    uint32_t form = s->form, size = s->bytes, same = number_of_shape(c);
    if (same) {
        form = ABI_HEAP_SAME;
        size = same;
        bytes = 0;
    }
    memcpy(to + ABI_HEAP_SHAPE_NUMBER, &c->number, sizeof c->number);
    memcpy(to + ABI_HEAP_SHAPE_FORM, &form, sizeof form);
    memcpy(to + ABI_HEAP_SHAPE_BYTES, &size, sizeof size);
    memcpy(to + ABI_HEAP_SHAPE_SHIFT, &s->shift, sizeof s->shift);
    memcpy(to + ABI_HEAP_SHAPE_MIRROR, &mirror, sizeof mirror);
    event_end(&safepoint_ring, (uint32_t)(ABI_HEAP_SHAPE_SLOTS + bytes));
}

static void put_owner(uintptr_t mirror, uintptr_t klass) {
    const uint64_t owner[] = {[ABI_HEAP_OWNER_ADDRESS / WORD] = mirror,
                              [ABI_HEAP_OWNER_NUMBER / WORD] = loader_of_klass(klass)};
    _Static_assert(sizeof owner == ABI_HEAP_OWNER_BYTES, "that is all of the event");
    if (owner[ABI_HEAP_OWNER_NUMBER / WORD] != UNKNOWN_LOADER && has_room(sizeof owner))
        event_put(&safepoint_ring, ABI_EVENT_HEAP_OWNER, owner, sizeof owner);
}

static void put_static_fields(uintptr_t mirror) {
    const uint32_t most = BLOCK_BYTES, most_name = BLOCK_BYTES / 4;
    uintptr_t klass = klass_of_mirror(mirror);
    uint64_t address = mirror;
    uint16_t length;
    unsigned char *to;
    if (!klass) return;
    put_owner(mirror, klass);
    if (!has_room(most)) return;
    if (!(to = event_begin(&safepoint_ring, ABI_EVENT_HEAP_MIRROR, most))) return;
    const char *name = name_of_klass(klass, &length);
    uint32_t size = length < most_name ? length : most_name;
    memcpy(to + ABI_HEAP_MIRROR_ADDRESS, &address, sizeof address);
    memcpy(to + ABI_HEAP_MIRROR_NAME, &size, sizeof size);
    memcpy(to + ABI_HEAP_MIRROR_TEXT, name, size);
    size += ABI_HEAP_MIRROR_TEXT;
    event_end(&safepoint_ring, (uint32_t)(size + put_static_slots(klass, to + size, most - size)));
}

const struct shape *shape_of(uintptr_t object) {
    struct heap_class *c = class_of_object(object, graph.last_class, &graph.search);
    if (!c) return NULL;
    graph.last_class = c;
    struct shape *s = &graph.shapes[c - heap_classes];
    if (__builtin_expect(s->klass != 0 && c->number != ABI_HEAP_OTHERS, 1)) return s;
    look_at_shape(c, s);
    if (c->number != ABI_HEAP_OTHERS) put_shape(c, s);
    mark(mirror_of(s->klass));
    return s;
}

static void follow_elements(uintptr_t array, uint32_t from) {
    uint32_t n = length_of_array(array), to = n - from > ELEMENTS ? from + ELEMENTS : n;
    if (to < n) {
        push(array);
        push((uint64_t)to * WORD + 1);
    }
    for (uint32_t i = from; i < to; i++) mark(element_at(array, i));
}

void follow(void) {
    while (depth > 0) {
        uint64_t entry = stack[--depth];
        if (entry & 1) {
            follow_elements(stack[--depth], (uint32_t)(entry / WORD));
            continue;
        }
        const struct shape *s = shape_of(entry);
        if (!s) {
            graph.why = heap_changed;
            continue;
        }
        if (s->form == ABI_HEAP_CLASS_FORM) put_static_fields(entry);
        if (s->form == ABI_HEAP_REFERENCES)
            follow_elements(entry, 0);
        else
            each_slot(entry, s, mark);
    }
}
