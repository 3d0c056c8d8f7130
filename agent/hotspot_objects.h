/* Objects in the heap: of what class each is, and how large. They are read while the world is stopped; early.c reads
 * some while it runs. Only hotspot*.c, and what walks objects, include this.
 *
 * Classes are kept in a table by the address that objects have of their Klass, and by their tags. When classes were
 * unloaded, a Klass is read again the first time that a walk comes upon it, when it is there: since its objects were
 * allocated no class was unloaded. So what has become of the address in between does not matter.
 *
 * Sites of classes that are gone leave tags that nothing has any more, and so do those in contexts of threads that have
 * ended. So where there are twice as many entries as were left the last time, those with a tag go that no walk has met
 * between two times at which classes were unloaded, or, with contexts, in some walks. If there are such objects all the
 * same, they are met as if for the first time. */
#ifndef MALLARD_HOTSPOT_OBJECTS_H
#define MALLARD_HOTSPOT_OBJECTS_H

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "abi.h"
#include "hotspot_headers.h"
#include "hotspot_loaders.h"

enum { HEAP_CLASS_SLOTS = 2 * ABI_HEAP_CLASSES /* at most */ };

/* A class of objects, at one address, and what they are tagged with. */
struct heap_class {
    uint64_t key; /* the compressed address, and the tag above; 0: it was not looked at yet */
    uint32_t number;
    int32_t size;   /* bytes of an object; ARRAY_SIZE, with what tells it; DIFFERENT_SIZES */
    uint32_t next;  /* index of the class that the next object had the last time */
    uint32_t base;  /* bytes, without those of an array's elements; 0: DIFFERENT_SIZES */
    uint8_t is_array, shift; /* 1: each element adds 1 << shift bytes */
    uint8_t stack_words; /* of DIFFERENT_SIZES: what is before the stack of a virtual thread; 0: a mirror */
    uint8_t flags;
    uint32_t implied; /* index of the class with the tag of what is born without one; 0: there is none */
};

/* Flags: objects need keep_tag; some were read that were not in eden, or had been moved; walks give the tag to objects
 * without one, which may be of another site until code says so. */
enum { NEEDS_TAG = 1, SETTLED = 2, GIVEN = 4 };

/* A class with a tag was found. */
extern atomic_bool some_have_tags;

enum { DIFFERENT_SIZES = 0, ARRAY_SIZE = INT32_MIN, ARRAY_HEADER_SHIFT = 8 };

/* VMInit. NULL, or why objects cannot be read, with what to change. */
const char *find_objects(JNIEnv *env);

/* While the world is stopped, and nobody else reads objects: where classes were unloaded, what was known of a Klass is
 * true no more, until it is looked at again. */
void forget_unloaded_classes(void);

/* A walk begins, and forgets them. Gives whether all is true still since the one before. Calls `implied` with each
 * class whose site gives no tags since then, and `gone` with numbers that others have from here on, unless that gives
 * false. Nobody else reads objects then. */
bool begin_walk(void (*implied)(uint32_t number), bool (*gone)(const uint32_t *numbers, uint32_t count));

/* A collection has moved all that was in eden. */
void note_move(void);

/* In any thread: no classes were unloaded since a walk began, or find_objects, nor forgotten. */
bool classes_are_known(void);

/* What a class is called. */
struct heap_class_name {
    uint32_t same;    /* that class's name and loader are this one's; 0: they follow */
    uint32_t loader;  /* its number, or UNKNOWN_LOADER */
    const char *text; /* the JVM's name, without an end */
    uint16_t bytes;
};

/* Called with classes that are new, by one thread at a time. */
typedef void new_heap_class(const struct heap_class *c, const struct heap_class_name *name);

/* Who looks classes up: several threads may, each with one of these. */
struct class_search {
    new_heap_class *is_new;
    struct heap_class *other; /* where it has a class for which there is no room in the table, until the next one */
};

static inline uint32_t klass_of(uint64_t key) { return (uint32_t)key; }

static inline uint32_t tag_of(uint64_t key) { return (uint32_t)(key >> 32); }

/* In the order in which they were found, from 1 on. The first is of no class. */
extern struct heap_class *heap_classes;
/* Their indexes, by a hash of the key, of which so many bits are not used; 0: none. Where there are many it grows, so
 * that it is never larger than what processors have close by: then who does not find a key there looks again. */
extern uint32_t *heap_class_slots;
extern _Atomic unsigned heap_class_shift;

/* The class of objects with a key; NULL: that is none. */
struct heap_class *find_heap_class(uint64_t key, const struct class_search *by);

/* The same, if it was found before; else NULL. */
struct heap_class *known_heap_class(uint64_t key);

/* The key is what is written last of a class, so that other threads see all of it. */
static inline bool has_key(const struct heap_class *c, uint64_t key) {
    return __builtin_expect(__atomic_load_n(&c->key, __ATOMIC_ACQUIRE) == key && klass_of(key), 1);
}

/* The compressed address of an object's Klass (oop.hpp). */
static inline uint32_t klass_of_object(uintptr_t object) { return *(const uint32_t *)(object + 8); }

/* Whether what is there has been given a class: memory that was taken for an object has none at first. */
static inline bool has_class(uintptr_t object) { return klass_of_object(object) != 0; }

static inline uint64_t key_of_object(uintptr_t object) {
    return header_of_object(object) >> ABI_TAG_SHIFT << 32 | klass_of_object(object);
}

/* Where the index of a class with a key is, or is to be, unless another one's is there. */
static inline uint32_t place_of_key(uint64_t key) {
    return (klass_of(key) ^ tag_of(key) * UINT32_C(0x85EBCA6B)) * UINT32_C(0x9E3779B1) >>
           atomic_load_explicit(&heap_class_shift, memory_order_relaxed);
}

/* The index of the class at a place; 0: there is none. */
static inline uint32_t index_at(uint32_t place) { return __atomic_load_n(&heap_class_slots[place], __ATOMIC_RELAXED); }

/* The class of an object, by a look-up that branches the same way nearly always. */
static inline struct heap_class *look_up_class(uintptr_t object, const struct class_search *by) {
    uint64_t key = key_of_object(object);
    struct heap_class *c = &heap_classes[index_at(place_of_key(key))];
    return has_key(c, key) ? c : find_heap_class(key, by);
}

/* The class of what may be no object: NULL, too, where its header is elsewhere, or its class was not found before. It
 * reads nothing but what is there. */
static inline struct heap_class *class_if_known(uintptr_t object) {
    uint64_t header = *(const uint64_t *)object, key = header >> ABI_TAG_SHIFT << 32 | klass_of_object(object);
    struct heap_class *c = &heap_classes[index_at(place_of_key(key))];
    if (__builtin_expect(!is_plain_header(header), 0)) return NULL;
    return has_key(c, key) ? c : known_heap_class(key);
}

/* The class of an object, behind one of the class `before`. What follows is often what followed the last time. That it
 * is so a processor guesses from how it branched before, and so knows where the next object is before it has read of
 * what class this one is: 3.5 ns an object, where a look-up for each takes 6 (decision 0100). */
static inline struct heap_class *class_of_object(uintptr_t object, struct heap_class *before,
                                                 const struct class_search *by) {
    uint64_t key = key_of_object(object);
    struct heap_class *c = &heap_classes[__atomic_load_n(&before->next, __ATOMIC_RELAXED)];
    if (has_key(c, key)) return c;
    c = find_heap_class(key, by);
    if (c && c != by->other) __atomic_store_n(&before->next, (uint32_t)(c - heap_classes), __ATOMIC_RELAXED);
    return c;
}

/* The key of an object that is whole, while the world runs. Gives its header, too: where that is not plain the tag may
 * be elsewhere, and the key is the one without. */
static inline uint64_t key_when_running(uintptr_t object, uint64_t *header) {
    *header = __atomic_load_n((const uint64_t *)object, __ATOMIC_RELAXED);
    uint64_t klass = klass_of_object(object);
    return is_plain_header(*header) ? *header >> ABI_TAG_SHIFT << 32 | klass : klass;
}

/* As class_of_object, with that key. */
static inline struct heap_class *class_when_running(uintptr_t object, struct heap_class *before,
                                                    const struct class_search *by, uint64_t *header) {
    uint64_t key = key_when_running(object, header);
    struct heap_class *c = &heap_classes[before->next];
    if (has_key(c, key)) return c;
    c = find_heap_class(key, by);
    if (c && c != by->other) before->next = (uint32_t)(c - heap_classes);
    return c;
}

/* Of a class mirror, or a stack of a virtual thread. */
uint64_t differing_bytes(const struct heap_class *c, uintptr_t object);

/* Of an array, of whose class that is the size. */
static inline uint64_t bytes_of_array(int32_t size, uintptr_t object) {
    uint64_t header = (uint32_t)size >> ARRAY_HEADER_SHIFT & 255, length = *(const uint32_t *)(object + 12);
    return (header + (length << (size & 63)) + 7) & ~UINT64_C(7);
}

static inline uint64_t bytes_of_object(const struct heap_class *c, uintptr_t object) {
    if (c->size > 0) return (uint32_t)c->size;
    return c->size == DIFFERENT_SIZES ? differing_bytes(c, object) : bytes_of_array(c->size, object);
}

/* The same without a look at the object, but for an array's length; 0: DIFFERENT_SIZES. */
static inline uint64_t bytes_if_simple(const struct heap_class *c, uintptr_t object) {
    uint64_t length = *(const uint32_t *)(object + 12) & -(uint32_t)c->is_array;
    return (c->base + (length << c->shift) + 7) & ~UINT64_C(7);
}

/* The class of what has no tag but a site: where one gives no tags it is that one's. */
static inline struct heap_class *implied_class(struct heap_class *c) {
    return c->implied ? &heap_classes[c->implied] : c;
}

/* What moves all objects makes their headers anew, but for those that have an identity hash. To keep each object's tag
 * that way costs a collector more than all else that it does with it. So of each class with many objects there is one
 * tag that may get lost: what has none behind such a collection had that one. All others need a hash, also those that
 * have no tag, which are given ABI_TAG_NONE.
 *
 * Gives an object of a class what it needs. A hash is the next of a sequence, which has begun with 0 and is one
 * thread's. No two sequences have a hash in common, until 2^31 have been given. */
void keep_tag(uintptr_t object, const struct heap_class *c, uint64_t *sequence);

/* The same while the world runs. False: that cannot be done, since the object's header is not plain. */
bool keep_tag_running(uintptr_t object, const struct heap_class *c, uint64_t *sequence);

/* The class of what a full collection has moved, with the tag that it has lost. */
struct heap_class *class_before(struct heap_class *c);

#endif
