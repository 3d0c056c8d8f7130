/* Hashing contents of objects: where their fields are, and what they have there. */
#include "hotspot_contents.h"

#include "agent.h"
#include "arrays.h"
#include "hotspot.h"
#include "hotspot_fields.h"
#include "hotspot_references.h"
#include "hotspot_table.h"
#include "pages.h"

enum {
    WORD = 8,
    LARGEST = 1 << 13,     /* bytes of an instance that is looked at */
    MOST_PARTS = 1 << 20,  /* of all classes */
    MOST_KLASSES = 1 << 15, /* whose form is kept for other tags */
    MOST_SUPERS = 1000,
    MOST_FOLLOWED = 1 << 12, /* objects that are hashed for one, beyond which references are identities again */
    ARRAY_TAG_SHIFT = 30     /* as in hotspot_references.c */
};

/* A word of an object's that has values of fields, or a field that is a reference. */
struct part {
    uint32_t offset;
    uint32_t is_reference;
    uint64_t mask; /* of the bytes that are fields' */
};

static struct part *parts; /* MOST_PARTS */
static uint32_t part_count;

/* Where objects of a class have their contents, by the index of heap_classes. */
static struct form {
    uint32_t klass;       /* compressed address of that which this is of; 0: none */
    uint32_t since;       /* so many times were classes unloaded before: another one may be there by now */
    uint32_t first, last; /* parts of an instance */
    uint8_t is_array, has_references, is_none;
} *forms;

/* Forms of Klasses by a hash of their compressed addresses, as long as no class is unloaded. */
static struct klass_form {
    uint32_t klass; /* 0: none */
    struct form form;
} *klass_forms;

static uint32_t unloadings;
static const struct hotspot *vm;
static uint64_t sequence; /* of identity hashes */

const char *find_contents(void) {
    const char *why = find_references();
    if (why) return "this JVM's fields are not as Mallard knows them";
    vm = hotspot_entries();
    forms = zero_pages((HEAP_CLASS_SLOTS + 1) * sizeof *forms);
    parts = zero_pages(MOST_PARTS * sizeof *parts);
    klass_forms = zero_pages(MOST_KLASSES * sizeof *klass_forms);
    return forms && parts && klass_forms ? NULL : "there is no memory for what is known of contents";
}

uint32_t width_of_type(char type) {
    switch (type) {
    case 'Z':
    case 'B': return 1;
    case 'C':
    case 'S': return 2;
    case 'I':
    case 'F': return 4;
    case 'J':
    case 'D': return 8;
    }
    return reference_layout.bytes;
}

bool is_derived_field(uintptr_t klass, const struct field *f) {
    return klass_is(klass, "java/lang/String") &&
           (field_is(f, "hash") || field_is(f, "hashIsZero") || field_is(f, "$mallard"));
}

/* Marks the bytes of a class's fields that are values; lists those that are references. */
static bool note_fields(uintptr_t klass, uint32_t bytes, uint64_t *masks) {
    struct field f;
    for (struct fields all = fields_of(klass); next_field(&all, &f);) {
        uint32_t width = width_of_type(f.type);
        if (f.is_static || is_derived_field(klass, &f)) continue;
        if (f.offset < WORD || f.offset + width > bytes || f.offset % width || part_count == MOST_PARTS) return false;
        if (is_reference_type(f.type))
            parts[part_count++] = (struct part){f.offset, 1, 0};
        else
            masks[f.offset / WORD] |= (width == WORD ? ~UINT64_C(0) : (UINT64_C(1) << width * 8) - 1)
                                      << f.offset % WORD * 8;
    }
    return true;
}

static bool note_instance(uintptr_t klass, uint32_t bytes, struct form *to) {
    static uint64_t masks[LARGEST / WORD];
    unsigned n = 0;
    if (bytes > LARGEST) return false;
    for (uint32_t i = 0; i < bytes / WORD; i++) masks[i] = 0;
    to->first = part_count;
    for (; klass && n < MOST_SUPERS; n++, klass = super_of(klass))
        if (!note_fields(klass, bytes, masks)) return false;
    to->has_references = part_count > to->first;
    for (uint32_t i = 0; i < bytes / WORD; i++) {
        if (!masks[i]) continue;
        if (part_count == MOST_PARTS) return false;
        parts[part_count++] = (struct part){i * WORD, 0, masks[i]};
    }
    to->last = part_count;
    return true;
}

uintptr_t klass_address(const struct heap_class *c) {
    return AT(uint64_t, vm->klass_base) + ((uint64_t)klass_of(c->key) << AT(int, vm->klass_shift));
}

/* Looks at a class. */
static void look_at(const struct heap_class *c, struct form *to) {
    uintptr_t klass = klass_address(c);
    int helper = AT(int, klass + vm->layout_helper);
    *to = (struct form){0};
    if (c->size == DIFFERENT_SIZES) {
        to->is_none = 1;
    } else if (helper < 0) {
        to->is_array = 1;
        to->has_references = helper >> ARRAY_TAG_SHIFT != -1;
    } else {
        to->is_none = !note_instance(klass, (uint32_t)helper & ~7U, to);
    }
}

void forget_contents(void) {
    unloadings++;
    part_count = 0;
    memset(klass_forms, 0, MOST_KLASSES * sizeof *klass_forms);
}

static void find_form(const struct heap_class *c, struct form *to) {
    uint32_t klass = klass_of(c->key);
    struct klass_form *known = &klass_forms[klass * UINT32_C(0x9E3779B1) % MOST_KLASSES];
    if (known->klass != klass) {
        known->klass = klass;
        look_at(c, &known->form);
    }
    *to = known->form;
    to->klass = klass;
    to->since = unloadings;
}

static inline const struct form *form_of(const struct heap_class *c) {
    struct form *f = &forms[c - heap_classes];
    if (__builtin_expect(f->klass != klass_of(c->key) || f->since != unloadings, 0)) find_form(c, f);
    return f;
}

/* One round of wyhash (Wang Yi): both words times each other, folded. */
static inline uint64_t mix(uint64_t hash, uint64_t word) {
    __uint128_t product = (__uint128_t)(hash ^ UINT64_C(0xa0761d6478bd642f)) * (word ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint64_t)product ^ (uint64_t)(product >> 64) ^ word;
}

static uint64_t hash_bytes(uintptr_t at, uint64_t n, uint64_t hash) {
    uint64_t other = ~hash, last = 0;
    for (; n >= 2 * WORD; n -= 2 * WORD, at += 2 * WORD) {
        hash = mix(hash, AT(uint64_t, at));
        other = mix(other, AT(uint64_t, at + WORD));
    }
    hash = mix(hash, other);
    if (n >= WORD) {
        hash = mix(hash, AT(uint64_t, at));
        at += WORD;
        n -= WORD;
    }
    if (n) memcpy(&last, (const void *)at, n);
    return mix(hash, last);
}

/* What is being hashed. */
struct hashing {
    const struct class_search *by;
    uint32_t followed; /* objects */
    bool unknown;      /* some reference has no identity */
};

static bool add_object_contents(struct hashing *h, uintptr_t object, const struct heap_class *c, unsigned depth,
                                uint64_t *hash);

static void add_reference(struct hashing *h, uintptr_t target, unsigned depth, uint64_t *hash) {
    if (!target) {
        *hash = mix(*hash, 0);
        return;
    }
    struct heap_class *c = depth > 0 && h->followed < MOST_FOLLOWED ? look_up_class(target, h->by) : NULL;
    if (c && c->number != ABI_HEAP_OTHERS) {
        uint64_t contents = klass_of(c->key);
        h->followed++;
        if (add_object_contents(h, target, c, depth - 1, &contents)) {
            *hash = mix(*hash, contents);
            return;
        }
    }
    uint32_t identity = identity_of(target, &sequence);
    h->unknown |= identity == 0;
    *hash = mix(*hash, identity);
}

static void add_elements(struct hashing *h, uintptr_t array, unsigned depth, uint64_t *hash) {
    uint32_t n = length_of_array(array);
    for (uint32_t i = 0; i < n && !h->unknown; i++) add_reference(h, element_at(array, i), depth, hash);
}

static void add_parts(struct hashing *h, uintptr_t object, const struct form *f, unsigned depth, uint64_t *hash) {
    for (const struct part *p = parts + f->first, *end = parts + f->last; p < end; p++) {
        if (p->is_reference)
            add_reference(h, reference_at(object + p->offset), depth, hash);
        else
            *hash = mix(*hash, AT(uint64_t, object + p->offset) & p->mask);
    }
}

/* False: it has no contents. */
static bool add_object_contents(struct hashing *h, uintptr_t object, const struct heap_class *c, unsigned depth,
                                uint64_t *hash) {
    const struct form *f = form_of(c);
    if (f->is_none) return false;
    if (!f->is_array) {
        add_parts(h, object, f, depth, hash);
        return true;
    }
    uint64_t n = length_of_array(object);
    *hash = mix(*hash, n);
    if (f->has_references)
        add_elements(h, object, depth, hash);
    else
        *hash = hash_bytes(object + c->base, n << c->shift, *hash);
    return true;
}

enum contents hash_contents(uintptr_t object, const struct heap_class *c, unsigned depth,
                            const struct class_search *by, uint64_t *hash) {
    struct hashing h = {.by = by};
    *hash = 0;
    if (!add_object_contents(&h, object, c, depth, hash)) return NO_CONTENTS;
    *hash = mix(*hash, *hash);
    return h.unknown ? UNKNOWN_CONTENTS : SOME_CONTENTS;
}

void fetch_contents(uintptr_t object, const struct heap_class *c) {
    enum { FETCHED = 8 };
    const struct form *f = form_of(c);
    if (!f->has_references) return;
    if (f->is_array) {
        uint32_t n = length_of_array(object);
        for (uint32_t i = 0; i < n && i < FETCHED; i++) __builtin_prefetch((const void *)element_at(object, i), 1);
        return;
    }
    for (const struct part *p = parts + f->first, *end = parts + f->last; p < end && p->is_reference; p++)
        __builtin_prefetch((const void *)reference_at(object + p->offset), 1);
}
