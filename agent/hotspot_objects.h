/* Objects in the heap, as they are read while the world is stopped: of what class each is, and how large. Only
 * hotspot*.c and heap.c, which walks them, include this.
 *
 * Classes are kept in a table by the address that objects have of their Klass. A Klass is read the first time that a
 * walk comes upon it, when it is there: since its objects were allocated no class was unloaded. So what has become of
 * the address in between does not matter. */
#ifndef MALLARD_HOTSPOT_OBJECTS_H
#define MALLARD_HOTSPOT_OBJECTS_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    MOST_HEAP_CLASSES = 1 << 16, /* that have a number; all others have 0 */
    HEAP_CLASS_SLOTS = 2 * MOST_HEAP_CLASSES,
    HEAP_CLASS_SHIFT = 32 - 17 /* HEAP_CLASS_SLOTS is 1 << 17 */
};

enum heap_sizes { SIZE_FIXED, SIZE_ARRAY, SIZE_MIRROR, SIZE_CHUNK };

/* A class of objects, at one address. */
struct heap_class {
    uint32_t klass; /* the compressed address; 0: an empty slot */
    uint32_t number;
    uint32_t walk; /* that has looked at the Klass last */
    uint32_t bytes; /* of an object; 0 where they differ */
    enum heap_sizes sizes;
    int layout; /* the layout helper (klass.hpp) */
    const char *name; /* the JVM's, without an end */
    uint16_t name_bytes;
};

/* VMInit. NULL, or why objects cannot be read, with what to change. */
const char *find_objects(JNIEnv *env);

/* A walk begins: what was known of a Klass is true no more, until it is looked at again. */
void begin_walk(void);

/* Called with classes that are new. */
typedef void new_heap_class(const struct heap_class *c);

struct heap_classes {
    struct heap_class *slots; /* HEAP_CLASS_SLOTS */
    uint32_t walk;
};
extern struct heap_classes heap_classes;

/* The class of an object that the table does not have as it is now; NULL: that is no object. */
const struct heap_class *look_at_class(uint32_t klass, new_heap_class *is_new);

static inline const struct heap_class *class_of_object(uintptr_t object, new_heap_class *is_new) {
    uint32_t klass = *(const uint32_t *)(object + 8);
    uint32_t at = klass * UINT32_C(0x9E3779B1) >> HEAP_CLASS_SHIFT;
    const struct heap_class *c = &heap_classes.slots[at];
    if (c->klass == klass && c->walk == heap_classes.walk) return c;
    return look_at_class(klass, is_new);
}

/* Of an object whose class does not say it. */
uint64_t differing_bytes(const struct heap_class *c, uintptr_t object);

static inline uint64_t bytes_of_object(const struct heap_class *c, uintptr_t object) {
    if (c->sizes == SIZE_FIXED) return c->bytes;
    if (c->sizes != SIZE_ARRAY) return differing_bytes(c, object);
    uint64_t header = (uint32_t)c->layout >> 16 & 255, length = *(const uint32_t *)(object + 12);
    return (header + (length << (c->layout & 255)) + 7) & ~UINT64_C(7);
}

/* How many collections an object has come through, as its header has it: 0 to 15. */
unsigned age_of_object(uintptr_t object);

#endif
