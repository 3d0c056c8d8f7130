/* What objects refer to, in three steps, of which two are done while the world is stopped once:
 *
 *   1. JVMTI names the roots, one after the other. From each on references are followed, and what is found is marked:
 *      a bit for each word of the heap.
 *   2. When there are no more, marked objects are written in the order of their addresses, with their references.
 *   3. The world runs again, and the names of what roots have are asked for. They are written while it is stopped once
 *      more, for no time: pauses write to the same ring.
 *
 * Only what there is a way to is read. What is dead may be of a class that is gone. */
#include "references.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "agent.h"
#include "early.h"
#include "hotspot.h"
#include "hotspot_references.h"
#include "hotspot_spaces.h"
#include "leb128.h"
#include "observers.h"
#include "own_thread.h"
#include "pages.h"

enum {
    WORD = 8,
    BLOCK_BYTES = 32 << 10, /* of an event with objects */
    NUMBERS = 5,            /* in front of an object's slots, at most */
    ELEMENTS = 256,         /* of an array that are marked before those that they lead to are */
    METHODS = 1 << 12,      /* that roots name */
    BITS = 64,
    SHAPE_BYTES = (HEAP_CLASS_SLOTS + 1) * sizeof(struct shape),
    NUMBERED_BYTES = HEAP_CLASS_SLOTS * sizeof(uint64_t)
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while a graph is written */
static bool ended;                                       /* no more are */

static struct heap_bounds bounds;
static uint64_t *marks;         /* a bit for each word from bounds.from on */
static uint64_t *visited;       /* the same, of virtual threads that JVMTI is to visit */
static size_t bit_bytes;        /* of these two */
static uint64_t *stack;         /* objects that are marked, and whose references are not followed yet */
static size_t depth, most_depth;
static struct shape *shapes;         /* by the index of heap_classes */
static uint64_t *numbered;           /* open addressing: a Klass, and above it a number whose shape is written */
static struct heap_class *last_class;
static new_heap_class *new_class;
static struct class_search search; /* single objects of other classes have the first of heap_classes */
static void (*begin_pause)(void); /* NULL: the JVM goes on behind it */

static jmethodID methods[METHODS]; /* open addressing; NULL: free */
static uint64_t words[ABI_HEAP_GRAPH_WORDS];
static struct message names; /* of what roots have: records behind their length */
static bool on, began, over, written;
static bool visits_last;     /* JVMTI is to visit an object behind all others that it is to visit */
static uint64_t visits_left; /* of that, and of virtual threads */
/* That object, and its class: JVMTI changes its header while it visits it (JDK 17). */
static uintptr_t last_visited;
static struct heap_class *class_last_visited;
static bool gave_up;         /* waiting for the recorder */
static const char *why;      /* nothing more is read; NULL: all is well */
static const char changed[] = "the heap is not as Mallard knows it";

/* While the world is stopped: the heap may be larger than it was. */
static bool make_room(void) {
    bounds = heap_bounds();
    size_t heap_words = bounds.to > bounds.from ? (bounds.to - bounds.from) / WORD : 0;
    bit_bytes = heap_words / 8 + WORD;
    most_depth = heap_words / 2 + ELEMENTS;
    shapes = zero_pages(SHAPE_BYTES);
    numbered = zero_pages(NUMBERED_BYTES);
    marks = zero_pages(bit_bytes);
    visited = zero_pages(bit_bytes);
    stack = zero_pages(most_depth * sizeof *stack);
    return heap_words && shapes && numbered && marks && visited && stack;
}

/* Nothing is kept from one graph to the next. */
static void give_room_back(void) {
    free_pages(shapes, SHAPE_BYTES);
    free_pages(numbered, NUMBERED_BYTES);
    free_pages(marks, bit_bytes);
    free_pages(visited, bit_bytes);
    free_pages(stack, most_depth * sizeof *stack);
    shapes = NULL;
    numbered = marks = visited = stack = NULL;
    free_message(&names);
}

static void clear(void) {
    memset(methods, 0, sizeof methods);
    memset(words, 0, sizeof words);
    depth = 0;
    visits_left = 0;
    visits_last = began = over = written = gave_up = false;
    last_visited = 0;
    last_class = search.other = heap_classes;
    search.is_new = new_class;
}

/* Waits for the recorder where the ring is full. */
static bool has_room(uint32_t bytes) {
    if (!gave_up)
        gave_up = !event_wait(&safepoint_ring, bytes, (uint64_t)wait_limit(), &words[ABI_HEAP_GRAPH_WAITING]);
    return !gave_up;
}

/* 1: what there is a way to. */

/* An object is on the stack by its address; an array that has elements left has the next one's index above, times 8,
 * with bit 0 set. */
static void push(uint64_t entry) {
    if (depth < most_depth)
        stack[depth++] = entry;
    else
        why = "there is no memory to follow references";
}

/* Sets an object's bit; false if it was. */
static bool set_bit(uint64_t *bits, uintptr_t object) {
    uint64_t at = (object - bounds.from) / WORD, bit = UINT64_C(1) << at % BITS;
    if (bits[at / BITS] & bit) return false;
    bits[at / BITS] |= bit;
    return true;
}

static void mark(uintptr_t object) {
    if (!object) return;
    if (object < bounds.from || object >= bounds.to || object % WORD) {
        words[ABI_HEAP_GRAPH_UNREAD]++;
        return;
    }
    if (!set_bit(marks, object)) return;
    words[ABI_HEAP_GRAPH_OBJECTS]++;
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

/* The shape of an object, which the class of the one before helps to find; NULL: that is no object. Classes without a
 * number share one, which is looked at each time. */
static const struct shape *shape_of(uintptr_t object) {
    struct heap_class *c = class_of_object(object, last_class, &search);
    if (!c) return NULL;
    last_class = c;
    struct shape *s = &shapes[c - heap_classes];
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

static void follow(void) {
    while (depth > 0) {
        uint64_t entry = stack[--depth];
        if (entry & 1) {
            follow_elements(stack[--depth], (uint32_t)(entry / WORD));
            continue;
        }
        const struct shape *s = shape_of(entry);
        if (!s) {
            why = changed;
            continue;
        }
        if (s->form == ABI_HEAP_CLASS_FORM) put_static_fields(entry);
        if (s->form == ABI_HEAP_REFERENCES)
            follow_elements(entry, 0);
        else
            each_slot(entry, s, mark);
    }
}

/* 2: what was found. */

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
    why = changed;
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
    struct shape *s = &shapes[c - heap_classes];
    if (c->number == ABI_HEAP_OTHERS) look_at_shape(c, s);
    return s->klass ? s : NULL;
}

/* Writes an object, `gap` bytes behind the one before, and gives its own bytes. */
static uint64_t put_object(uintptr_t object, uint64_t gap) {
    struct heap_class *c = object == last_visited ? class_last_visited
        : class_of_object(object, last_class, &search);
    const struct shape *s = c ? known_shape(c) : NULL;
    uint64_t bytes = s ? bytes_of_object(c, object) : 0;
    out.object = object;
    out.slot = 0;
    if (bytes == 0 || why) {
        why = changed;
        return WORD;
    }
    last_class = c;
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
    words[ABI_HEAP_GRAPH_WRITTEN]++;
    if (s->form == ABI_HEAP_REFERENCES)
        for (uint32_t i = 0, n = length_of_array(object); i < n && !gave_up; i++)
            put_reference(element_at(object, i));
    else
        each_slot(object, s, put_reference);
    return bytes;
}

static void put_objects(void) {
    uint64_t n = (bounds.to - bounds.from) / WORD / BITS + 1;
    uintptr_t end = bounds.from;
    search.is_new = unknown_class;
    for (uint64_t i = 0; i < n && !gave_up && !why; i++)
        for (uint64_t left = marks[i]; left; left &= left - 1) {
            uintptr_t object = bounds.from + (i * BITS + (unsigned)__builtin_ctzll(left)) * WORD;
            end = object + put_object(object, object - end);
        }
    end_event();
    event_commit(&safepoint_ring);
}

/* Roots. */

static void note_method(jmethodID m) {
    size_t at = ((uintptr_t)m >> 3) * 0x9E3779B97F4A7C15U >> 52;
    for (size_t i = 0; m && i < METHODS; i++, at = (at + 1) % METHODS) {
        if (methods[at] == m) return;
        if (methods[at]) continue;
        methods[at] = m;
        return;
    }
}

static void put_root(uintptr_t object, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info) {
    uint64_t root[ABI_HEAP_ROOT_BYTES / WORD] = {object, (uint32_t)kind};
    uint32_t size = ABI_HEAP_ROOT_THREAD;
    if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL) {
        root[1] |= (uint64_t)(uint32_t)info->stack_local.slot << 32;
        root[2] = (uint64_t)info->stack_local.thread_id;
        root[3] = (uint64_t)(uintptr_t)info->stack_local.method;
        note_method(info->stack_local.method);
        size = sizeof root;
    } else if (kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL) {
        root[2] = (uint64_t)info->jni_local.thread_id;
        root[3] = (uint64_t)(uintptr_t)info->jni_local.method;
        note_method(info->jni_local.method);
        size = sizeof root;
    } else if (kind == JVMTI_HEAP_REFERENCE_THREAD) {
        root[2] = thread_number(object, shape_of(object));
        size = sizeof root;
    }
    words[ABI_HEAP_GRAPH_ROOTS]++;
    if (has_room(BLOCK_BYTES)) event_put(&safepoint_ring, ABI_EVENT_HEAP_ROOT, root, size);
}

/* The object that JVMTI names. It says where the tag goes; in front of that, in the VM's CallbackWrapper
 * (jvmtiTagMap.cpp), are its size and its address. Both are held against what is there; 0: it is not so. */
static uintptr_t named_object(const jlong *tag, jlong size) {
    enum { SIZE = -1, ADDRESS = -2 };
    uintptr_t object = (uintptr_t)tag[ADDRESS];
    if (tag[SIZE] != size || object < bounds.from || object >= bounds.to || object % WORD) return 0;
    struct heap_class *c = class_of_object(object, last_class, &search);
    return c && bytes_of_object(c, object) == (uint64_t)size ? object : 0;
}

static void begin(void) {
    began = true;
    if (begin_pause) {
        begin_pause();
    } else {
        hold_early();
        forget_unloaded_classes();
    }
    uint64_t now = words[ABI_HEAP_GRAPH_START] = recorded_time();
    if (!make_room()) why = "there is no memory to follow references";
    if (has_room(sizeof now)) event_put(&safepoint_ring, ABI_EVENT_HEAP_GRAPH_BEGIN, &now, sizeof now);
}

/* What was begun is over, in one way or another. */
static jint end(void) {
    words[ABI_HEAP_GRAPH_NANOSECONDS] = recorded_time() - words[ABI_HEAP_GRAPH_START];
    event_commit(&safepoint_ring);
    over = true;
    if (!begin_pause) go_on_early();
    return JVMTI_VISIT_ABORT;
}

static jint end_roots(void) {
    words[ABI_HEAP_GRAPH_FOLLOWING] = recorded_time() - words[ABI_HEAP_GRAPH_START];
    put_objects();
    written = !why && !gave_up;
    return end();
}

/* Whether JVMTI is to visit a root. It does so when it has named all roots, in turn from the last one on, and begins
 * each time with the object's class: so the first of all, a thread's object, says that there are no more. In between
 * are virtual threads, which write_graph has referred to: when one is visited, what is on its stack is named. */
static bool is_to_be_visited(uintptr_t object, jvmtiHeapReferenceKind kind) {
    if (kind == JVMTI_HEAP_REFERENCE_THREAD && !visits_last) {
        visits_left++;
        last_visited = object;
        class_last_visited = class_of_object(object, last_class, &search);
        return visits_last = true;
    }
    if (kind != JVMTI_HEAP_REFERENCE_JNI_LOCAL || !visits_last || !is_virtual_thread(shape_of(object))) return false;
    bool anew = set_bit(visited, object);
    visits_left += anew;
    return anew;
}

static jint JNICALL at_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class,
    jlong referrer_class, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *unused) {
    (void)class, (void)referrer_class, (void)referrer_tag, (void)length, (void)unused;
    if (over) return JVMTI_VISIT_ABORT;
    if (!began) begin();
    if (why || gave_up) return end();
    if (kind < JVMTI_HEAP_REFERENCE_JNI_GLOBAL) /* of an object that is visited */
        return kind != JVMTI_HEAP_REFERENCE_CLASS || --visits_left > 0 ? 0 : end_roots();
    uintptr_t object = named_object(tag, size);
    if (!object) {
        why = changed;
        return end();
    }
    bool visit = is_to_be_visited(object, kind);
    if (visit && kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL) return JVMTI_VISIT_OBJECTS; /* a reference of ours */
    put_root(object, kind, info);
    mark(object);
    follow();
    return visit ? JVMTI_VISIT_OBJECTS : 0;
}

/* 3: names. */

static void note_name(uint64_t kind, uint64_t number, const char *owner, const char *name) {
    size_t owner_bytes = owner ? strlen(owner) : 0, bytes = strlen(name);
    size_t size = ABI_HEAP_NAME_TEXT + owner_bytes + (owner != NULL) + bytes;
    if (size > BLOCK_BYTES) return;
    put_u32(&names, (uint32_t)size);
    put_u64(&names, kind);
    put_u64(&names, number);
    put_data(&names, owner, owner_bytes);
    if (owner) put_data(&names, ".", 1);
    put_data(&names, name, bytes);
}

static void note_methods(JNIEnv *env) {
    for (size_t i = 0; i < METHODS; i++) {
        struct method_name of;
        const char *owner;
        if (!methods[i]) continue;
        name_method(&of, env, methods[i]);
        if (of.owner && of.name && class_name(of.owner, &owner))
            note_name(ABI_HEAP_NAME_METHOD, (uint64_t)(uintptr_t)methods[i], owner, of.name);
        free_method_name(&of);
    }
}

static void note_threads(JNIEnv *env) {
    jint n = 0;
    jthread *threads = NULL;
    jvmtiThreadInfo info;
    jclass class = (*env)->FindClass(env, "java/lang/Thread");
    jfieldID number = class ? (*env)->GetFieldID(env, class, "tid", "J") : NULL;
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    if (number && (*agent.jvmti)->GetAllThreads(agent.jvmti, &n, &threads) != JVMTI_ERROR_NONE) n = 0;
    for (jint i = 0; i < n; i++) {
        memset(&info, 0, sizeof info);
        if ((*agent.jvmti)->GetThreadInfo(agent.jvmti, threads[i], &info) == JVMTI_ERROR_NONE && info.name)
            note_name(ABI_HEAP_NAME_THREAD, (uint64_t)(*env)->GetLongField(env, threads[i], number), NULL, info.name);
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)info.name);
        if (info.thread_group) (*env)->DeleteLocalRef(env, info.thread_group);
        if (info.context_class_loader) (*env)->DeleteLocalRef(env, info.context_class_loader);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
    if (class) (*env)->DeleteLocalRef(env, class);
}

static jint JNICALL at_names(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class,
    jlong referrer_class, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *unused) {
    struct bytes left = {names.data, names.size}, name;
    (void)kind, (void)info, (void)class, (void)referrer_class, (void)size, (void)tag, (void)referrer_tag, (void)length;
    (void)unused;
    if (over) return JVMTI_VISIT_ABORT;
    over = true;
    while (left.size > 0 && get_bytes(&left, &name))
        if (has_room((uint32_t)name.size))
            event_put(&safepoint_ring, ABI_EVENT_HEAP_NAME, name.data, (uint32_t)name.size);
    if (has_room(sizeof words)) event_put(&safepoint_ring, ABI_EVENT_HEAP_GRAPH, words, sizeof words);
    event_commit(&safepoint_ring);
    return JVMTI_VISIT_ABORT;
}

/* Stops the world, and calls what JVMTI calls with each root. */
static bool follow_roots(jvmtiHeapReferenceCallback callback) {
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_reference_callback = callback;
    return (*agent.jvmti)->FollowReferences(agent.jvmti, 0, NULL, NULL, &callbacks, NULL) == JVMTI_ERROR_NONE;
}

static void write_graph(JNIEnv *env) {
    jthread *virtuals;
    if (!begin_frame(env)) return;
    clear();
    jint virtual_count = find_virtual_threads(&virtuals);
    if (!follow_roots(at_reference)) why = "the JVM does not say what its roots are";
    if (written) {
        note_methods(env);
        note_threads(env);
        over = false;
        follow_roots(at_names);
    }
    for (jint i = 0; i < virtual_count; i++) (*env)->DeleteLocalRef(env, virtuals[i]);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)virtuals);
    end_frame(env);
    give_room_back();
    if (gave_up)
        send_loss("references", 1, "the recorder did not take them in time; run with a longer --answer-within");
    else if (!written && !why)
        why = changed;
    if (why) send_loss("references", 1, why);
}

void write_last_graph(void (*first)(void)) {
    JNIEnv *env = NULL;
    pthread_mutex_lock(&lock);
    ended = true;
    begin_pause = first;
    if (on && !why && (*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK) write_graph(env);
    pthread_mutex_unlock(&lock);
}

static void JNICALL write_graphs(jvmtiEnv *jvmti, JNIEnv *env, void *unused) {
    const uint64_t second = 1000000000;
    bool goes_on = true;
    (void)jvmti, (void)unused;
    while (goes_on) {
        struct timespec left = {(time_t)(references_every / second), (long)(references_every % second)};
        while (nanosleep(&left, &left) != 0) continue; /* a signal came */
        pthread_mutex_lock(&lock);
        goes_on = !ended && !why && agent.engaged;
        if (goes_on) write_graph(env);
        pthread_mutex_unlock(&lock);
    }
}

bool find_graph(JNIEnv *env, new_heap_class *is_new) {
    if (!wants_event(ABI_EVENT_HEAP_GRAPH)) return false;
    why = find_references();
    if (why) send_loss("references", 1, why);
    on = !why;
    new_class = is_new;
    if (on && references_every) start_agent_thread(env, "mallard references", write_graphs);
    return on;
}
