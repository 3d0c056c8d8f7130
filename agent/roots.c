/* Roots, which JVMTI names one after the other, and the order of things while it does: when there are no more, what
 * there is a way to is written. */
#include "graph.h"

#include <string.h>

#include "agent.h"
#include "early.h"
#include "hotspot.h"
#include "observers.h"

jmethodID root_methods[ROOT_METHODS]; /* open addressing; NULL: free */

static void (*begin_pause)(void); /* NULL: the JVM goes on behind it */
static bool began, over, written;
static bool visits_last;     /* JVMTI is to visit an object behind all others that it is to visit */
static uint64_t visits_left; /* of that, and of virtual threads */

static void note_method(jmethodID m) {
    size_t at = ((uintptr_t)m >> 3) * 0x9E3779B97F4A7C15U >> 52;
    for (size_t i = 0; m && i < ROOT_METHODS; i++, at = (at + 1) % ROOT_METHODS) {
        if (root_methods[at] == m) return;
        if (root_methods[at]) continue;
        root_methods[at] = m;
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
    graph.words[ABI_HEAP_GRAPH_ROOTS]++;
    if (has_room(BLOCK_BYTES)) event_put(&safepoint_ring, ABI_EVENT_HEAP_ROOT, root, size);
}

/* The object that JVMTI names. It says where the tag goes; in front of that, in the VM's CallbackWrapper
 * (jvmtiTagMap.cpp), are its size and its address. Both are held against what is there; 0: it is not so. */
static uintptr_t named_object(const jlong *tag, jlong size) {
    enum { SIZE = -1, ADDRESS = -2 };
    uintptr_t object = (uintptr_t)tag[ADDRESS];
    if (tag[SIZE] != size || object < graph.bounds.from || object >= graph.bounds.to || object % WORD) return 0;
    struct heap_class *c = class_of_object(object, graph.last_class, &graph.search);
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
    uint64_t now = graph.words[ABI_HEAP_GRAPH_START] = recorded_time();
    if (!make_room()) graph.why = "there is no memory to follow references";
    if (has_room(sizeof now)) event_put(&safepoint_ring, ABI_EVENT_HEAP_GRAPH_BEGIN, &now, sizeof now);
}

/* What was begun is over, in one way or another. */
static jint end(void) {
    graph.words[ABI_HEAP_GRAPH_NANOSECONDS] = recorded_time() - graph.words[ABI_HEAP_GRAPH_START];
    event_commit(&safepoint_ring);
    over = true;
    if (!begin_pause) go_on_early();
    return JVMTI_VISIT_ABORT;
}

static jint end_roots(void) {
    graph.words[ABI_HEAP_GRAPH_FOLLOWING] = recorded_time() - graph.words[ABI_HEAP_GRAPH_START];
    put_objects();
    written = !graph.why && !graph.gave_up;
    return end();
}

/* Whether JVMTI is to visit a root. It does so when it has named all roots, in turn from the last one on, and begins
 * each time with the object's class: so the first of all, a thread's object, says that there are no more. In between
 * are virtual threads, which write_graph has referred to: when one is visited, what is on its stack is named. */
static bool is_to_be_visited(uintptr_t object, jvmtiHeapReferenceKind kind) {
    if (kind == JVMTI_HEAP_REFERENCE_THREAD && !visits_last) {
        visits_left++;
        graph.last_visited = object;
        graph.class_last_visited = class_of_object(object, graph.last_class, &graph.search);
        return visits_last = true;
    }
    if (kind != JVMTI_HEAP_REFERENCE_JNI_LOCAL || !visits_last || !is_virtual_thread(shape_of(object))) return false;
    bool anew = note_visit(object);
    visits_left += anew;
    return anew;
}

static jint JNICALL at_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class,
    jlong referrer_class, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *unused) {
    (void)class, (void)referrer_class, (void)referrer_tag, (void)length, (void)unused;
    if (over) return JVMTI_VISIT_ABORT;
    if (!began) begin();
    if (graph.why || graph.gave_up) return end();
    if (kind < JVMTI_HEAP_REFERENCE_JNI_GLOBAL) /* of an object that is visited */
        return kind != JVMTI_HEAP_REFERENCE_CLASS || --visits_left > 0 ? 0 : end_roots();
    uintptr_t object = named_object(tag, size);
    if (!object) {
        graph.why = heap_changed;
        return end();
    }
    bool visit = is_to_be_visited(object, kind);
    if (visit && kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL) return JVMTI_VISIT_OBJECTS; /* a reference of ours */
    put_root(object, kind, info);
    mark(object);
    follow();
    return visit ? JVMTI_VISIT_OBJECTS : 0;
}

bool each_root(at_root *use) {
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_reference_callback = use;
    return (*agent.jvmti)->FollowReferences(agent.jvmti, 0, NULL, NULL, &callbacks, NULL) == JVMTI_ERROR_NONE;
}

bool write_roots(void (*first)(void)) {
    begin_pause = first;
    memset(root_methods, 0, sizeof root_methods);
    visits_left = 0;
    visits_last = began = over = written = false;
    if (!each_root(at_reference)) graph.why = "the JVM does not say what its roots are";
    return written;
}
