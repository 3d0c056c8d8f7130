/* Where objects have references, and what the fields are called. */
#include "hotspot_references.h"

#include "agent.h"
#include "arrays.h"
#include "hotspot.h"
#include "hotspot_table.h"

enum {
    MOST_NAME = 255,    /* bytes of a field's name */
    ARRAY_TAG_SHIFT = 30 /* of a layout helper; behind it, -1 says values, -2 references (klass.hpp) */
};

struct reference_layout reference_layout;

static const struct hotspot *vm;

const char *find_references(void) {
    vm = hotspot_entries();
    if (!vm->on[USE_REFERENCES] || !vm->on[USE_CLASS_OBJECTS] || !vm->on[USE_VIRTUAL_METHODS])
        return "this JVM's references are not as Mallard knows them";
    find_fields();
    const struct array_layout *arrays = array_layout();
    reference_layout = (struct reference_layout){
        .base = AT(uint64_t, vm->narrow_base), .shift = (unsigned)AT(int, vm->narrow_shift),
        .narrow = arrays->reference == sizeof(uint32_t), .bytes = arrays->reference,
        .first_element = arrays->header[4]};
    return NULL;
}

/* What an OopHandle refers to; 0: nothing. */
static uintptr_t referred(uintptr_t handle) {
    uintptr_t at = AT(uintptr_t, handle + vm->handle_object);
    return at ? AT(uintptr_t, at) : 0;
}

uintptr_t mirror_of(uintptr_t klass) { return referred(klass + vm->mirror); }

uintptr_t klass_of_mirror(uintptr_t mirror) { return AT(uintptr_t, mirror + AT(uint32_t, vm->klass_offset)); }

uint32_t static_references(uintptr_t mirror) {
    return AT(uint32_t, mirror + AT(uint32_t, vm->static_references));
}

void look_at_mirror(uintptr_t mirror, uintptr_t *to) {
    uintptr_t klass = klass_of_mirror(mirror), arrays = AT(uintptr_t, mirror + AT(uint32_t, vm->array_klass));
    for (size_t i = 0; i < ABI_HEAP_MIRROR_SLOTS; i++) to[i] = 0;
    if (arrays) to[ABI_HEAP_MIRROR_ARRAYS] = mirror_of(arrays);
    if (!klass || AT(int, klass + vm->layout_helper) <= 0) return;
    uintptr_t constants = AT(uintptr_t, klass + vm->constants), super = AT(uintptr_t, klass + vm->super);
    uintptr_t cache = constants ? AT(uintptr_t, constants + vm->constant_cache) : 0;
    if (cache) to[ABI_HEAP_MIRROR_CONSTANTS] = referred(cache + vm->resolved_references);
    if (super) to[ABI_HEAP_MIRROR_SUPER] = mirror_of(super);
}

/* Puts a slot at `at`; false without room. */
static bool put_slot(unsigned char *to, size_t *at, size_t room, unsigned kind, const char *name, size_t length) {
    if (length > MOST_NAME) length = MOST_NAME;
    if (*at + 2 + length > room) return false;
    to[*at] = (unsigned char)kind;
    to[*at + 1] = (unsigned char)length;
    if (length) memcpy(to + *at + 2, name, length);
    *at += 2 + length;
    return true;
}

static bool put_field(unsigned char *to, size_t *at, size_t room, uintptr_t klass, uint32_t offset, bool is_static) {
    struct field f;
    bool known = field_at(klass, offset, is_static, &f);
    return put_slot(to, at, room, ABI_HEAP_STRONG, known ? f.name : "", known ? f.name_length : 0);
}

size_t put_slots(const struct shape *s, unsigned char *to, size_t room, bool *all) {
    static const char referent[] = "referent";
    size_t at = 0;
    *all = false;
    for (uint32_t m = 0; m < s->map_count; m++)
        for (uint32_t i = 0; i < s->maps[m].count; i++) {
            uint32_t offset = (uint32_t)s->maps[m].offset + i * reference_layout.bytes;
            if (!put_field(to, &at, room, s->klass, offset, false)) return at;
        }
    *all = !s->referent || put_slot(to, &at, room, s->referent_kind, referent, sizeof referent - 1);
    return at;
}

size_t put_static_slots(uintptr_t klass, unsigned char *to, size_t room) {
    size_t at = 0;
    uint32_t n = static_references(mirror_of(klass));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t offset = reference_layout.first_static + i * reference_layout.bytes;
        if (!put_field(to, &at, room, klass, offset, true)) break;
    }
    return at;
}

bool is_virtual_thread(const struct shape *s) { return klass_is(s->klass, "java/lang/VirtualThread"); }

uint64_t thread_number(uintptr_t thread, const struct shape *s) {
    static uint32_t number;
    if (!number) number = offset_of_field(s->klass, "java/lang/Thread", "tid");
    return number ? AT(uint64_t, thread + number) : 0;
}

/* References that are softer than others have their referent in a field of java.lang.ref.Reference, of which no map
 * says anything; those that are weaker keep nothing alive. */
static void look_at_referent(struct shape *to) {
    for (uintptr_t k = to->klass; k; k = AT(uintptr_t, k + vm->super)) {
        if (klass_is(k, "java/lang/ref/SoftReference"))
            to->referent_kind = ABI_HEAP_SOFT;
        else if (klass_is(k, "java/lang/ref/FinalReference"))
            to->referent_kind = ABI_HEAP_FINALIZER;
    }
    if (to->referent_kind) to->referent = offset_of_field(to->klass, "java/lang/ref/Reference", "referent");
}

void look_at_shape(const struct heap_class *c, struct shape *to) {
    uintptr_t klass = AT(uint64_t, vm->klass_base) + ((uint64_t)klass_of(c->key) << AT(int, vm->klass_shift));
    int helper = AT(int, klass + vm->layout_helper);
    *to = (struct shape){.klass = klass};
    if (helper < 0) {
        bool values = helper >> ARRAY_TAG_SHIFT == -1;
        to->form = values ? ABI_HEAP_VALUES : ABI_HEAP_REFERENCES;
        to->bytes = (uint32_t)helper >> 16 & 255;
        to->shift = (uint32_t)helper & 255;
        return;
    }
    /* behind the tables of virtual methods and of those of interfaces (InstanceKlass::start_of_nonstatic_oop_maps) */
    uint32_t tables = AT(uint32_t, klass + vm->virtual_count) + AT(uint32_t, klass + vm->interface_words);
    to->maps = (const struct reference_map *)(klass + vm->instance_klass_bytes + tables * sizeof(uintptr_t));
    to->map_count = AT(uint32_t, klass + vm->map_words) * sizeof(uintptr_t) / sizeof *to->maps;
    to->bytes = (uint32_t)helper & ~7U;
    to->form = ABI_HEAP_INSTANCE;
    if (c->size == DIFFERENT_SIZES) {
        bool mirror = klass_is(klass, "java/lang/Class");
        if (mirror) reference_layout.first_static = to->bytes; /* InstanceMirrorKlass::init_offset_of_static_fields */
        to->form = mirror ? ABI_HEAP_CLASS_FORM : ABI_HEAP_VARYING;
        to->bytes = 0;
    }
    look_at_referent(to);
}
