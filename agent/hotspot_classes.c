/* What the VM makes for its classes, as it is found in the heap: mirrors, the arrays of what their constants stand for,
 * and the strings among these. With collectors that move objects while threads run only what the VM's own structures
 * tell is found: mirrors, and locks. */
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "arrays.h"
#include "hotspot.h"
#include "hotspot_fields.h"
#include "hotspot_table.h"
#include "interned.h"

enum {
    WORD = 8,           /* HeapWordSize */
    CONSTANT_STRING = 8 /* JVMS 4.4 */
};

static struct array_layout arrays;

const struct array_layout *array_layout(void) { return &arrays; }

static uint64_t string_bytes, string_value; /* of a String: its size, and where its array is */
static uint64_t string_coder;               /* where it says that characters take two bytes */
static uint64_t name_in_mirror;             /* where a Class has its name; 0: not known */
static uint64_t mirror_bytes;               /* of a mirror without static fields */

/* Whether the constants of fields are known, and what strings look like. */
static bool knows_strings(void) {
    const struct hotspot *vm = hotspot_entries();
    return vm->on[USE_REFERENCES] && vm->on[USE_OBJECTS];
}

static void find_strings(void) {
    const struct hotspot *vm = hotspot_entries();
    find_fields();
    for (uintptr_t l = AT(uintptr_t, vm->loaders); l; l = AT(uintptr_t, l + vm->next_loader)) {
        for (uintptr_t k = AT(uintptr_t, l + vm->klasses); k; k = AT(uintptr_t, k + vm->next_klass)) {
            if (AT(int, k + vm->layout_helper) <= 0) continue; /* a class of arrays */
            if (!string_bytes && klass_is(k, "java/lang/String")) {
                string_value = offset_of_field(k, "java/lang/String", "value");
                string_coder = offset_of_field(k, "java/lang/String", "coder");
                string_bytes = string_value && string_coder ? bytes_of_instance(k) : 0;
            } else if (!mirror_bytes && klass_is(k, "java/lang/Class")) {
                name_in_mirror = offset_of_field(k, "java/lang/Class", "name");
                mirror_bytes = bytes_of_instance(k);
            }
        }
    }
}

void find_class_objects(const struct array_layout *layout) {
    const struct hotspot *vm = hotspot_entries();
    arrays = *layout;
    if (vm->on[USE_CLASS_OBJECTS] && vm->on[USE_CLASSES] && knows_strings()) find_strings();
}

/* Addresses that have been seen: open addressing. */
struct seen {
    uintptr_t *slots;
    size_t size, used; /* size: a power of two */
};

static bool grow(struct seen *s) {
    struct seen larger = {.size = s->size ? 2 * s->size : 1 << 12};
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < s->size; i++) {
        if (!s->slots[i]) continue;
        size_t at = s->slots[i] / WORD * 0x9E3779B97F4A7C15 >> 20 & (larger.size - 1);
        while (larger.slots[at]) at = (at + 1) & (larger.size - 1);
        larger.slots[at] = s->slots[i];
    }
    larger.used = s->used;
    free(s->slots);
    *s = larger;
    return true;
}

/* Whether an address is new. Without memory none is. */
static bool add(struct seen *s, uintptr_t address) {
    if (2 * s->used >= s->size && !grow(s)) return false;
    size_t at = address / WORD * 0x9E3779B97F4A7C15 >> 20 & (s->size - 1);
    while (s->slots[at] && s->slots[at] != address) at = (at + 1) & (s->size - 1);
    if (s->slots[at]) return false;
    s->slots[at] = address;
    s->used++;
    return true;
}

static uint64_t aligned(uint64_t bytes) {
    return (bytes + arrays.alignment - 1) & ~(uint64_t)(arrays.alignment - 1);
}

/* What an OopHandle refers to; 0: nothing. */
static uintptr_t referred(uintptr_t handle) {
    uintptr_t at = AT(uintptr_t, handle + hotspot_entries()->handle_object);
    return at ? AT(uintptr_t, at) : 0;
}

static uintptr_t reference_at(uintptr_t field) {
    const struct hotspot *vm = hotspot_entries();
    if (arrays.reference == sizeof(uintptr_t)) return AT(uintptr_t, field);
    uint64_t narrow = AT(uint32_t, field);
    return narrow ? AT(uint64_t, vm->narrow_base) + (narrow << AT(int, vm->narrow_shift)) : 0;
}

/* The length is the last 4 bytes of a header, which ends where an array of int has its first element. */
static uint32_t length_of(uintptr_t array) {
    /* where that was aligned for it, the length is in front of the gap */
    uint32_t end = arrays.header[2] == 24 ? 20 : arrays.header[2];
    return AT(uint32_t, array + end - 4);
}

static void add_array(struct made_objects *to, uintptr_t array, uint32_t header, uint32_t element) {
    uint64_t length = length_of(array);
    to->objects++;
    to->elements += length;
    to->bytes += aligned(header + length * element);
}

/* Whether a program has made a string, or one of the same hash, which was interned before the VM needed it. */
static bool is_of_program(uintptr_t string, uintptr_t text) {
    bool wide = AT(unsigned char, string + string_coder);
    const void *characters = (const void *)(text + arrays.header[0]);
    return was_interned(hash_of_text(FIRST_HASH, characters, length_of(text) >> wide, wide));
}

static void add_string(struct made_strings *to, struct seen *seen, uintptr_t string) {
    uintptr_t text = string ? reference_at(string + string_value) : 0;
    if (!text || !add(seen, string) || is_of_program(string, text)) return;
    to->strings.objects++;
    to->strings.bytes += string_bytes;
    add_array(&to->texts, text, arrays.header[0], 1);
}

/* The strings among what a class's constants stand for. */
static void add_constants(struct made_strings *to, struct seen *seen, uintptr_t constants, uintptr_t cache,
    uintptr_t table) {
    const struct hotspot *vm = hotspot_entries();
    uintptr_t indexes = AT(uintptr_t, cache + vm->reference_map), tags = AT(uintptr_t, constants + vm->constant_tags);
    if (!indexes || !tags) return;
    uint32_t n = AT(uint32_t, indexes + vm->vm_array_length), length = length_of(table);
    for (uint32_t i = 0; i < n && i < length; i++) {
        uint16_t constant = AT(uint16_t, indexes + vm->shorts + 2 * (uintptr_t)i);
        if (AT(unsigned char, tags + vm->bytes + constant) != CONSTANT_STRING) continue;
        add_string(to, seen, reference_at(table + arrays.header[4] + arrays.reference * (uintptr_t)i));
    }
}

/* The strings that the VM has given to static fields of a class when it loaded it (JVMS 4.7.2). */
static void add_fields(struct made_strings *to, struct seen *seen, uintptr_t klass, uintptr_t constants,
    uintptr_t mirror) {
    const struct hotspot *vm = hotspot_entries();
    uintptr_t tags = AT(uintptr_t, constants + vm->constant_tags);
    struct field f;
    if (!tags) return;
    for (struct fields all = fields_of(klass); next_field(&all, &f);) {
        if (!f.is_static || !f.is_final || !f.constant) continue; /* what is not final may be the program's by now */
        if (AT(unsigned char, tags + vm->bytes + f.constant) == CONSTANT_STRING)
            add_string(to, seen, reference_at(mirror + f.offset));
    }
}

static void add_lock(struct class_objects *to) {
    to->locks.objects++;
    to->locks.bytes += aligned(arrays.header[2]);
}

/* Adds what is known of a class whose objects are not read: a mirror has the size of the class's static fields. */
static void add_unread(struct class_objects *to, uintptr_t klass) {
    const struct hotspot *vm = hotspot_entries();
    bool has_fields = AT(int, klass + vm->layout_helper) > 0;
    if (!mirror_bytes || !AT(uintptr_t, klass + vm->mirror + vm->handle_object)) return;
    uint64_t words = has_fields ? (uint64_t)AT(uint32_t, klass + vm->static_words) : 0;
    to->mirrors.objects++;
    to->mirrors.bytes += aligned(mirror_bytes + words * WORD);
    if (has_fields) add_lock(to);
}

static void add_class(struct class_objects *to, struct seen *seen, uintptr_t klass) {
    const struct hotspot *vm = hotspot_entries();
    uintptr_t mirror = referred(klass + vm->mirror);
    if (mirror) {
        to->mirrors.objects++;
        to->mirrors.bytes += (uint64_t)AT(uint32_t, mirror + AT(uint32_t, vm->mirror_words)) * WORD;
        if (string_bytes && name_in_mirror) add_string(&to->names, seen, reference_at(mirror + name_in_mirror));
    }
    if (AT(int, klass + vm->layout_helper) <= 0) return; /* a class of arrays: no code */
    add_lock(to);
    uintptr_t constants = AT(uintptr_t, klass + vm->constants);
    if (string_bytes && constants && mirror) add_fields(&to->constants, seen, klass, constants, mirror);
    uintptr_t cache = constants ? AT(uintptr_t, constants + vm->constant_cache) : 0;
    uintptr_t table = cache ? referred(cache + vm->resolved_references) : 0;
    if (!table) return;
    add_array(&to->tables, table, arrays.header[4], arrays.reference);
    if (string_bytes) add_constants(&to->constants, seen, constants, cache, table);
}

static bool addresses_are_plain(void) {
    const char *gc = collector();
    return strcmp(gc, "ZGC") != 0 && strcmp(gc, "Shenandoah") != 0;
}

bool class_objects(struct class_objects *to) {
    const struct hotspot *vm = hotspot_entries();
    struct seen seen = {0};
    memset(to, 0, sizeof *to);
    if (!vm->on[USE_CLASS_OBJECTS] || !vm->on[USE_CLASSES] || !arrays.alignment || !*collector()) return false;
    bool plain = addresses_are_plain();
    for (uintptr_t l = AT(uintptr_t, vm->loaders); l; l = AT(uintptr_t, l + vm->next_loader))
        for (uintptr_t k = AT(uintptr_t, l + vm->klasses); k; k = AT(uintptr_t, k + vm->next_klass))
            if (plain) add_class(to, &seen, k);
            else add_unread(to, k);
    free(seen.slots);
    return true;
}
