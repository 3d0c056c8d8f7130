/* Writing what objects have in their fields and elements, for people to read (package abi, "What a value is"). */
#include "agent.h"
#include "hotspot.h"
#include "hotspot_contents.h"
#include "hotspot_fields.h"
#include "hotspot_references.h"
#include "leb128.h"

enum { MOST_SUPERS = 1000 };

struct writer {
    unsigned char *to, *end; /* behind which there is one byte more */
    bool cut;
    const struct class_search *by;
};

/* Whether so many bytes have room. Behind what has none nothing is written. */
static bool has_room(struct writer *w, uint64_t bytes) {
    w->cut |= (uint64_t)(w->end - w->to) < bytes;
    return !w->cut;
}

static void put_byte(struct writer *w, unsigned char byte) {
    if (has_room(w, 1)) *w->to++ = byte;
}

/* A letter, a name, and room for so many bytes behind it. */
static bool put_name(struct writer *w, unsigned char letter, const char *name, uint16_t length, uint32_t more) {
    uint16_t n = length < ABI_REPLICA_VALUE_NAME ? length : ABI_REPLICA_VALUE_NAME;
    if (!has_room(w, 1 + LEB128_BYTES + n + more)) return false;
    *w->to++ = letter;
    w->to = put_leb128(w->to, n);
    memcpy(w->to, name, n);
    w->to += n;
    return true;
}

static bool put_name_of(struct writer *w, unsigned char letter, uintptr_t klass, uint32_t more) {
    uint16_t length;
    const char *name = name_of_klass(klass, &length);
    return put_name(w, letter, name, length, more);
}

static void put_identity(struct writer *w, uintptr_t object, uintptr_t klass) {
    uint32_t identity = identify(object, 0); /* it is given none */
    if (!put_name_of(w, ABI_VALUE_OBJECT, klass, sizeof identity)) return;
    memcpy(w->to, &identity, sizeof identity);
    w->to += sizeof identity;
}

static void put_object(struct writer *w, uintptr_t object, unsigned depth);

static void put_reference(struct writer *w, uintptr_t target, unsigned depth) {
    if (target)
        put_object(w, target, depth);
    else
        put_byte(w, ABI_VALUE_NULL);
}

static void put_field(struct writer *w, uintptr_t object, const struct field *f, unsigned depth) {
    uintptr_t at = object + f->offset;
    uint32_t width = width_of_type(f->type);
    if (!put_name(w, ABI_VALUE_FIELD, f->name, f->name_length, 1 + width)) return;
    if (is_reference_type(f->type)) {
        put_reference(w, reference_at(at), depth);
        return;
    }
    *w->to++ = (unsigned char)f->type;
    memcpy(w->to, (const void *)at, width);
    w->to += width;
}

static void put_instance(struct writer *w, uintptr_t object, uintptr_t klass, unsigned depth) {
    struct field f;
    put_name_of(w, ABI_VALUE_INSTANCE, klass, 0);
    for (unsigned n = 0; klass && n < MOST_SUPERS && !w->cut; n++, klass = super_of(klass))
        for (struct fields all = fields_of(klass); !w->cut && next_field(&all, &f);)
            if (!f.is_static && !is_derived_field(klass, &f)) put_field(w, object, &f, depth);
    put_byte(w, ABI_VALUE_END);
}

/* `type` is the letter of the elements' type. */
static void put_array(struct writer *w, uintptr_t array, const struct heap_class *c, char type, unsigned depth) {
    bool references = is_reference_type(type);
    uint32_t length = length_of_array(array);
    uint32_t n = length < ABI_REPLICA_VALUE_ELEMENTS ? length : ABI_REPLICA_VALUE_ELEMENTS;
    if (!has_room(w, 2 + 2 * LEB128_BYTES)) return;
    uint64_t room = (uint64_t)(w->end - w->to) - 2 - 2 * LEB128_BYTES;
    if (!references && room >> c->shift < n) n = (uint32_t)(room >> c->shift);
    *w->to++ = ABI_VALUE_ARRAY;
    *w->to++ = (unsigned char)(references ? 'L' : type);
    w->to = put_leb128(put_leb128(w->to, length), n);
    if (!references) {
        memcpy(w->to, (const void *)(array + c->base), (uint64_t)n << c->shift);
        w->to += (uint64_t)n << c->shift;
        return;
    }
    for (uint32_t i = 0; i < n && !w->cut; i++) put_reference(w, element_at(array, i), depth);
}

/* What is shown however deep it is: it has no more to it than what people take for its value. */
static bool is_plain(uintptr_t klass) {
    static const char *const names[] = {"java/lang/String", "java/lang/Integer", "java/lang/Long", "java/lang/Double",
        "java/lang/Float", "java/lang/Boolean", "java/lang/Character", "java/lang/Byte", "java/lang/Short"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (klass_is(klass, names[i])) return true;
    return false;
}

static void put_object(struct writer *w, uintptr_t object, unsigned depth) {
    struct heap_class *c = look_up_class(object, w->by);
    if (!c || c->number == ABI_HEAP_OTHERS) {
        put_byte(w, ABI_VALUE_CUT);
        w->cut = true;
        return;
    }
    uintptr_t klass = klass_address(c);
    uint16_t length;
    const char *name = name_of_klass(klass, &length);
    if (c->size == DIFFERENT_SIZES) {
        uintptr_t of = klass_is(klass, "java/lang/Class") ? klass_of_mirror(object) : 0;
        if (of)
            put_name_of(w, ABI_VALUE_CLASS, of, 0);
        else
            put_identity(w, object, klass);
    } else if (c->is_array) {
        char type = length > 1 ? name[1] : 'L';
        if (is_reference_type(type) && depth == 0)
            put_identity(w, object, klass);
        else
            put_array(w, object, c, type, depth ? depth - 1 : 0);
    } else if (depth > 0 || is_plain(klass)) {
        put_instance(w, object, klass, depth ? depth - 1 : 0);
    } else {
        put_identity(w, object, klass);
    }
}

uint32_t write_contents(uintptr_t object, unsigned depth, const struct class_search *by, unsigned char *to,
                        uint32_t capacity) {
    struct writer w = {.to = to, .end = to + capacity - 1, .by = by};
    put_object(&w, object, depth + 1);
    if (w.cut && (w.to == to || w.to[-1] != ABI_VALUE_CUT)) *w.to++ = ABI_VALUE_CUT;
    return (uint32_t)(w.to - to);
}
