/* The fields that a class declares. */
#include "hotspot_fields.h"

#include <string.h>

#include "hotspot_table.h"

enum {
    STATIC = 0x0008,   /* JVMS 4.5 */
    FINAL = 0x0010,
    MOST_SUPERS = 1000 /* of a class */
};

static const struct hotspot *vm;

void find_fields(void) { vm = hotspot_entries(); }

uintptr_t super_of(uintptr_t klass) { return AT(uintptr_t, klass + vm->super); }

static const char *text_of(uintptr_t symbol, uint16_t *length) {
    *length = AT(uint16_t, symbol + vm->symbol_length);
    return (const char *)(symbol + vm->symbol_text);
}

const char *name_of_klass(uintptr_t klass, uint16_t *length) {
    return text_of(AT(uintptr_t, klass + vm->klass_name), length);
}

bool klass_is(uintptr_t klass, const char *name) {
    uint16_t length;
    const char *text = name_of_klass(klass, &length);
    return length == strlen(name) && memcmp(text, name, length) == 0;
}

static uint32_t next_number(struct fields *f) {
    enum { EXCLUDED = 1, LOW = 191, BITS = 6, LONGEST = 5 };
    uint32_t n = 0;
    for (unsigned i = 0; i < LONGEST; i++) {
        uint32_t byte = AT(unsigned char, f->at++);
        n += (byte - EXCLUDED) << i * BITS;
        if (byte < EXCLUDED + LOW) break;
    }
    return n;
}

struct fields fields_of(uintptr_t klass) {
    struct fields f = {.constants = AT(uintptr_t, klass + vm->constants)};
    uintptr_t array = AT(uintptr_t, klass + (vm->fields ? vm->fields : vm->field_stream));
    if (!array || !f.constants) return f;
    f.at = array + (vm->fields ? vm->shorts : vm->bytes);
    if (vm->fields) {
        f.left = AT(uint16_t, klass + vm->field_count);
    } else {
        f.left = next_number(&f);
        next_number(&f); /* those that the VM has added, which come behind */
    }
    return f;
}

/* A symbol of a class's constants. */
static const char *text_at(const struct fields *f, uint32_t index, uint16_t *length) {
    return text_of(AT(uintptr_t, f->constants + vm->constant_pool_bytes + index * sizeof(uintptr_t)), length);
}

bool next_field(struct fields *f, struct field *to) {
    enum { FLAGS, NAME, DESCRIPTOR, CONSTANT, LOW, HIGH, SLOTS }; /* FieldInfo::FieldOffset */
    enum { TAG_BITS = 2 };
    enum { INITIALIZED = 1, GENERIC = 4, CONTENDED = 16 }; /* FieldInfo::FieldFlags */
    uint32_t name, descriptor, flags, more;
    uint16_t length;
    if (f->left == 0) return false;
    f->left--;
    if (vm->fields) {
        const uint16_t *field = (const uint16_t *)f->at;
        name = field[NAME];
        descriptor = field[DESCRIPTOR];
        flags = field[FLAGS];
        to->constant = field[CONSTANT];
        to->offset = ((uint32_t)field[HIGH] << 16 | field[LOW]) >> TAG_BITS;
        f->at += SLOTS * sizeof *field;
    } else {
        name = next_number(f);
        descriptor = next_number(f);
        to->offset = next_number(f);
        flags = next_number(f);
        more = next_number(f);
        to->constant = more & INITIALIZED ? next_number(f) : 0;
        for (uint32_t bit = GENERIC; bit <= CONTENDED; bit <<= 1)
            if (more & bit & (GENERIC | CONTENDED)) next_number(f);
    }
    to->is_static = flags & STATIC;
    to->is_final = flags & FINAL;
    to->type = *text_at(f, descriptor, &length);
    to->name = text_at(f, name, &to->name_length);
    return true;
}

bool field_at(uintptr_t klass, uint32_t offset, bool is_static, struct field *to) {
    for (unsigned i = 0; klass && i < MOST_SUPERS; i++, klass = super_of(klass)) {
        for (struct fields f = fields_of(klass); next_field(&f, to);)
            if (to->offset == offset && to->is_static == is_static) return true;
        if (is_static) break;
    }
    return false;
}

bool field_is(const struct field *f, const char *name) {
    return !f->is_static && f->name_length == strlen(name) && memcmp(f->name, name, f->name_length) == 0;
}

uint32_t offset_of_field(uintptr_t klass, const char *declarer, const char *name) {
    struct field f;
    for (; klass; klass = super_of(klass)) {
        if (!klass_is(klass, declarer)) continue;
        for (struct fields all = fields_of(klass); next_field(&all, &f);)
            if (field_is(&f, name)) return f.offset;
    }
    return 0;
}
