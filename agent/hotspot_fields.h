/* The fields that a class declares, as HotSpot keeps them. Only hotspot*.c and who reads references include this.
 *
 * Classes are loaded, and objects of them in the heap. USE_REFERENCES is on. */
#ifndef MALLARD_HOTSPOT_FIELDS_H
#define MALLARD_HOTSPOT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fields that are left of a class. Until JDK 20 there are six numbers of 16 bits for each (fieldInfo.hpp), then a
 * stream of numbers (UNSIGNED5, unsigned5.hpp). Those that the VM has added are not among them. */
struct fields {
    uintptr_t constants;
    uintptr_t at;
    uint32_t left;
};

struct field {
    uint32_t offset;
    bool is_static, is_final;
    uint32_t constant; /* index of the constant that the VM gives it (JVMS 4.7.2); 0: none */
    char type;        /* the first letter of its descriptor */
    const char *name; /* without an end */
    uint16_t name_length;
};

/* VMInit, before all others. */
void find_fields(void);

struct fields fields_of(uintptr_t klass);
bool next_field(struct fields *f, struct field *to);

/* The class that one inherits from; 0: none. */
uintptr_t super_of(uintptr_t klass);

/* A class's name, without an end. */
const char *name_of_klass(uintptr_t klass, uint16_t *length);
bool klass_is(uintptr_t klass, const char *name);

bool field_is(const struct field *f, const char *name);

/* The field of a class, or one that it inherits, at an offset; false where that is the VM's own. */
bool field_at(uintptr_t klass, uint32_t offset, bool is_static, struct field *to);

/* Where objects of a class, or of one that it inherits from, have a field; 0: nowhere. */
uint32_t offset_of_field(uintptr_t klass, const char *declarer, const char *name);

#endif
