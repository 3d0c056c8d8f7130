/* What objects in the heap refer to, read while the world is stopped. Only hotspot*.c and references.c include this.
 *
 * What follows holds for objects that there is a way to: those are whole, and their classes loaded. */
#ifndef MALLARD_HOTSPOT_REFERENCES_H
#define MALLARD_HOTSPOT_REFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "hotspot_fields.h"
#include "hotspot_objects.h"

/* Fields that are references, one behind the other (OopMapBlock). */
struct reference_map {
    int32_t offset; /* in the object */
    uint32_t count;
};

/* Where the objects of a class have references. */
struct shape {
    uintptr_t klass;                  /* 0: not looked at */
    const struct reference_map *maps; /* the VM's */
    uint32_t map_count;
    uint32_t referent;                /* a field of a java.lang.ref.Reference that is in no map; 0: none */
    uint32_t referent_kind;           /* ABI_HEAP_SOFT, ... */
    uint32_t form;                    /* ABI_HEAP_INSTANCE, ... */
    uint32_t bytes, shift;            /* as ABI_HEAP_SHAPE_BYTES has them */
};

/* VMInit, behind find_objects. NULL, or why references cannot be read. */
const char *find_references(void);

/* Looks at the class of an object, which a walk has found. */
void look_at_shape(const struct heap_class *c, struct shape *to);

/* The java.lang.Class of a Klass; 0 where there is none. */
uintptr_t mirror_of(uintptr_t klass);
/* The other way round; 0 of a primitive type. */
uintptr_t klass_of_mirror(uintptr_t mirror);

/* Slots of a shape, or of a class's static fields, as ABI_HEAP_SHAPE_SLOTS has them, as far as there is room. Gives the
 * bytes, and whether that was all. */
size_t put_slots(const struct shape *s, unsigned char *to, size_t room, bool *all);
size_t put_static_slots(uintptr_t klass, unsigned char *to, size_t room);
bool is_virtual_thread(const struct shape *s);

/* The number in Java of a java.lang.Thread. */
uint64_t thread_number(uintptr_t thread, const struct shape *s);

/* What keeps objects alive, but is in no field: ABI_HEAP_MIRROR_SLOTS of them, 0 for none. */
void look_at_mirror(uintptr_t mirror, uintptr_t *to);
uint32_t static_references(uintptr_t mirror); /* how many static fields are references */

/* How references are kept. */
struct reference_layout {
    uint64_t base;
    unsigned shift;
    bool narrow;
    uint32_t bytes;         /* of a reference */
    uint32_t first_element; /* of an array of references */
    uint32_t first_static;  /* in a java.lang.Class */
};
extern struct reference_layout reference_layout;

static inline uintptr_t reference_at(uintptr_t field) {
    if (!reference_layout.narrow) return *(const uintptr_t *)field;
    uint64_t narrow = *(const uint32_t *)field;
    return narrow ? reference_layout.base + (narrow << reference_layout.shift) : 0;
}

static inline uint32_t length_of_array(uintptr_t array) { return *(const uint32_t *)(array + 12); }

static inline uintptr_t element_at(uintptr_t array, uint32_t i) {
    return reference_at(array + reference_layout.first_element + (uint64_t)i * reference_layout.bytes);
}

/* Calls use with each reference, or 0, that an object has in a slot, in their order. Elements of arrays are none. */
static inline void each_slot(uintptr_t object, const struct shape *s, void (*use)(uintptr_t target)) {
    for (uint32_t m = 0; m < s->map_count; m++) {
        uintptr_t field = object + (uintptr_t)(intptr_t)s->maps[m].offset;
        for (uint32_t i = 0; i < s->maps[m].count; i++, field += reference_layout.bytes) use(reference_at(field));
    }
    if (s->referent) use(reference_at(object + s->referent));
    if (s->form != ABI_HEAP_CLASS_FORM) return;
    uintptr_t field = object + reference_layout.first_static, more[ABI_HEAP_MIRROR_SLOTS];
    for (uint32_t n = static_references(object); n > 0; n--, field += reference_layout.bytes) use(reference_at(field));
    look_at_mirror(object, more);
    for (size_t i = 0; i < ABI_HEAP_MIRROR_SLOTS; i++) use(more[i]);
}

#endif
