/* A graph of references that is being written: what its parts share. They need each other in this order: reachable.c,
 * reached.c, roots.c, root_names.c, references.c, which alone include this. One thread at a time (references.c). */
#ifndef MALLARD_GRAPH_H
#define MALLARD_GRAPH_H

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "hotspot_references.h"
#include "hotspot_spaces.h"

enum {
    WORD = 8,
    BLOCK_BYTES = 32 << 10 /* of an event, at most */
};

/* All that is known of one graph. Nothing is kept to the next, but for why there is none. */
struct graph {
    struct heap_bounds bounds;
    struct shape *shapes;          /* by the index of heap_classes */
    struct class_search search;    /* single objects of other classes have the first of heap_classes */
    struct heap_class *last_class; /* of the object that was read last */
    uintptr_t last_visited;        /* an object whose header JVMTI changes while it visits it (JDK 17) */
    struct heap_class *class_last_visited;
    uint64_t words[ABI_HEAP_GRAPH_WORDS];
    bool gave_up;                  /* waiting for the recorder */
    const char *why;               /* nothing more is read; NULL: all is well */
};
extern struct graph graph;
extern const char heap_changed[]; /* why */

/* reachable.c, while the world is stopped. */
bool make_room(void); /* for marks: the heap may be larger than it was. False: there is no memory */
void give_room_back(void); /* nothing is kept from one graph to the next */
bool has_room(uint32_t bytes); /* of an event: waits for the recorder where the ring is full */
/* The shape of an object, which the class of the one before helps to find; NULL: that is no object. Classes without a
 * number share one, which is looked at each time. Shapes are written when they are found. */
const struct shape *shape_of(uintptr_t object);
void mark(uintptr_t object);
void follow(void); /* references of what is marked, and so on: marks all that there is a way to */
extern const uint64_t *graph_marks; /* a bit for each word from graph.bounds.from on */
bool note_visit(uintptr_t object); /* that JVMTI is to visit it; false if that was noted before */

/* reached.c, while the world is stopped. Writes what is marked. */
void put_objects(void);

/* roots.c */
typedef jint JNICALL at_root(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class,
    jlong referrer_class, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *unused);
/* Stops the world, and calls what JVMTI calls with each root; false where it refuses. */
bool each_root(at_root *use);
/* Stops the world, and writes roots and all that there is a way to; false: not all of it. Calls `first` in it; NULL:
 * the JVM goes on behind it. */
bool write_roots(void (*first)(void));
enum { ROOT_METHODS = 1 << 12 };
extern jmethodID root_methods[ROOT_METHODS]; /* that roots name; NULL: none */

/* root_names.c. Asks for the names of what roots have, and writes them while the world is stopped for no time. */
void write_root_names(JNIEnv *env);

#endif
