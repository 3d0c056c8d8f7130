/* Writing what objects have in their fields and elements, for people to read, from the heap. */
#include "agent.h"
#include "hotspot.h"
#include "hotspot_contents.h"
#include "hotspot_fields.h"
#include "hotspot_references.h"

enum { MOST_SUPERS = 1000 };

struct writer {
    struct value_writer value;
    const struct class_search *by;
};

static void put_name_of(struct writer *w, unsigned char letter, uintptr_t klass) {
    uint16_t length;
    const char *name = name_of_klass(klass, &length);
    put_name(&w->value, letter, name, length, 0);
}

static void put_object(struct writer *w, uintptr_t object, unsigned depth);

static void put_reference(struct writer *w, uintptr_t target, unsigned depth) {
    if (target)
        put_object(w, target, depth);
    else
        put_letter(&w->value, ABI_VALUE_NULL);
}

static void put_field(struct writer *w, uintptr_t object, const struct field *f, unsigned depth) {
    uintptr_t at = object + f->offset;
    uint32_t width = width_of_type(f->type);
    if (!put_name(&w->value, ABI_VALUE_FIELD, f->name, f->name_length, 1 + width)) return;
    if (is_reference_type(f->type))
        put_reference(w, reference_at(at), depth);
    else
        put_primitive(&w->value, f->type, (const void *)at, width);
}

static void put_instance(struct writer *w, uintptr_t object, uintptr_t klass, unsigned depth) {
    struct field f;
    put_name_of(w, ABI_VALUE_INSTANCE, klass);
    for (unsigned n = 0; klass && n < MOST_SUPERS && !w->value.cut; n++, klass = super_of(klass))
        for (struct fields all = fields_of(klass); !w->value.cut && next_field(&all, &f);)
            if (!f.is_static && !is_derived_field(klass, &f)) put_field(w, object, &f, depth);
    put_letter(&w->value, ABI_VALUE_END);
}

/* `type` is the letter of the elements' type. */
static void put_array(struct writer *w, uintptr_t array, const struct heap_class *c, char type, unsigned depth) {
    uint32_t n = begin_elements(&w->value, type, UINT32_C(1) << c->shift, length_of_array(array));
    if (!is_reference_type(type)) {
        memcpy(w->value.to, (const void *)(array + c->base), (uint64_t)n << c->shift);
        w->value.to += (uint64_t)n << c->shift;
        return;
    }
    for (uint32_t i = 0; i < n && !w->value.cut; i++) put_reference(w, element_at(array, i), depth);
}

static void put_object(struct writer *w, uintptr_t object, unsigned depth) {
    struct heap_class *c = look_up_class(object, w->by);
    if (!c || c->number == ABI_HEAP_OTHERS) {
        cut_value(&w->value);
        return;
    }
    uintptr_t klass = klass_address(c);
    uint16_t length;
    const char *name = name_of_klass(klass, &length);
    char type = c->is_array && length > 1 ? name[1] : 'L';
    uintptr_t of = c->size == DIFFERENT_SIZES && klass_is(klass, "java/lang/Class") ? klass_of_mirror(object) : 0;
    if (of)
        put_name_of(w, ABI_VALUE_CLASS, of);
    else if (c->size == DIFFERENT_SIZES)
        put_identity(&w->value, name, length, identify(object, 0)); /* it is given none */
    else if (c->is_array && (depth > 0 || !is_reference_type(type)))
        put_array(w, object, c, type, depth ? depth - 1 : 0);
    else if (!c->is_array && (depth > 0 || is_plain(name, length)))
        put_instance(w, object, klass, depth ? depth - 1 : 0);
    else
        put_identity(&w->value, name, length, identify(object, 0));
}

uint32_t write_contents(uintptr_t object, unsigned depth, const struct class_search *by, unsigned char *to,
                        uint32_t capacity) {
    struct writer w = {begin_value(to, capacity), by};
    put_object(&w, object, depth + 1);
    return end_value(&w.value, to);
}
