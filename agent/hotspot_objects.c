/* Objects in the heap: their classes, sizes and ages. */
#include "hotspot_objects.h"

#include <pthread.h>
#include <stdio.h>

#include "agent.h"
#include "arrays.h"
#include "heap.h"
#include "hotspot.h"
#include "hotspot_table.h"
#include "pages.h"

enum {
    PROBES = 64,          /* of the table, until it is taken to be full */
    FIRST_SLOTS = 14,     /* as a power of two */
    ALIGNMENT = 8,        /* of objects */
};

struct heap_class *heap_classes;
uint32_t *heap_class_slots;
_Atomic unsigned heap_class_shift = 32 - FIRST_SLOTS;
atomic_bool some_have_tags;

/* What else a Klass says, at the same index. */
static struct layout {
    uint64_t key;     /* 0: none */
    const char *name; /* without an end */
    int helper;       /* the layout helper (klass.hpp) */
    uint32_t loader;  /* its number, or UNKNOWN_LOADER */
    uint16_t name_bytes;
} *layouts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what is found: classes, slots and what follows */
static uint32_t *seen, seen_count; /* classes that were looked at */

/* What is taken again. A number waits until a walk has begun behind that in which it was given up, which may have told
 * of it before. */
enum { FEW_CLASSES = 4096, LONG_UNMET = 16 /* walks */ };
static uint32_t *gone_numbers, gone_count; /* these wait */
static uint32_t *free_numbers, free_number_count, *free_indexes, free_index_count;
static uint32_t most_used = FEW_CLASSES; /* indexes, until it is looked which are met no more */
static uint32_t walks_of_many; /* since there are more, and contexts, whose tags go without classes */

enum { MOST_IMPLIED = 1024 };
static uint32_t *implied; /* what the field of the class at this index is to be */

/* Tags that may get lost (keep_tag). */
enum { MANY = 1024, MOST_FREQUENT = 4096 };
static uint32_t *losable;        /* index of the class with that tag, by index of the one without; 0: there is none */
static _Atomic uint32_t *hashed;  /* objects that were given a hash, by index */
static struct frequent {
    uint32_t index;
    uint32_t moves; /* as many as there were when others began to be told; 0: that has not begun */
} frequent[MOST_FREQUENT]; /* classes of MANY such; looked at when walks begin */
static _Atomic uint32_t frequent_count;
static uint32_t moves = 1; /* how often eden was emptied, and 1 */

static struct implied_site {
    uint32_t number, tag; /* another class may have the number by now, with another tag */
} new_implied[MOST_IMPLIED]; /* from the next walk on */
static uint32_t new_implied_count;

static const struct hotspot *vm;
static uint32_t next_number = ABI_HEAP_FIRST_CLASS, next_index = 1;
static uint64_t chunk_size;     /* where a StackChunk has the words of its stack; 0: there are none */
static unsigned chunk_bit_shift; /* bits for each word of a stack, as a power of two */
static const int64_t *unloaded[2]; /* how many classes were; NULL: it is not known */

/* -1: nobody knows. */
static int64_t classes_unloaded(void) { return unloaded[0] && unloaded[1] ? *unloaded[0] + *unloaded[1] : -1; }

static int64_t unloaded_before; /* the last walk, or find_objects */
static bool forgotten;          /* some, since then */

/* Where a StackChunk has its size, by the JDK's own means. */
static uint64_t offset_of_size(JNIEnv *env) {
    jclass chunk = agent.feature >= 21 ? (*env)->FindClass(env, "jdk/internal/vm/StackChunk") : NULL;
    jclass unsafe = chunk ? (*env)->FindClass(env, "jdk/internal/misc/Unsafe") : NULL;
    jmethodID get = unsafe ? (*env)->GetStaticMethodID(env, unsafe, "getUnsafe", "()Ljdk/internal/misc/Unsafe;") : NULL;
    jmethodID find = get ? (*env)->GetMethodID(env, unsafe, "objectFieldOffset",
        "(Ljava/lang/Class;Ljava/lang/String;)J") : NULL;
    jobject instance = find ? (*env)->CallStaticObjectMethod(env, unsafe, get) : NULL;
    jstring name = instance ? (*env)->NewStringUTF(env, "size") : NULL;
    jlong offset = name ? (*env)->CallLongMethod(env, instance, find, chunk, name) : 0;
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        offset = 0;
    }
    const jobject made[] = {chunk, unsafe, instance, name};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (made[i]) (*env)->DeleteLocalRef(env, made[i]);
    return (uint64_t)offset;
}

const char *find_objects(JNIEnv *env) {
    vm = hotspot_entries();
    if (!vm->on[USE_OBJECTS] || !vm->on[USE_CLASSES] || !vm->on[USE_CLASS_OBJECTS] || !vm->on[USE_THREADS])
        return "this JVM's objects are not as Mallard knows them";
    if (flag_set("UseCompactObjectHeaders"))
        return "compact object headers have no room for what is read; run with -XX:-UseCompactObjectHeaders";
    if (!flag_set("UseCompressedClassPointers"))
        return "classes of objects cannot be read; run with -XX:+UseCompressedClassPointers";
    if (array_layout()->alignment != ALIGNMENT)
        return "objects are not aligned to 8 bytes; run with -XX:ObjectAlignmentInBytes=8";
    if (agent.feature >= 21 && !(chunk_size = offset_of_size(env)))
        return "the sizes of stacks of virtual threads cannot be read";
    heap_classes = zero_pages(HEAP_CLASS_SLOTS * sizeof *heap_classes);
    heap_class_slots = zero_pages(HEAP_CLASS_SLOTS * sizeof *heap_class_slots);
    layouts = zero_pages(HEAP_CLASS_SLOTS * sizeof *layouts);
    seen = zero_pages(HEAP_CLASS_SLOTS * sizeof *seen);
    implied = zero_pages(HEAP_CLASS_SLOTS * sizeof *implied);
    losable = zero_pages(HEAP_CLASS_SLOTS * sizeof *losable);
    hashed = zero_pages(HEAP_CLASS_SLOTS * sizeof *hashed);
    gone_numbers = zero_pages(ABI_HEAP_CLASSES * sizeof *gone_numbers);
    free_numbers = zero_pages(ABI_HEAP_CLASSES * sizeof *free_numbers);
    free_indexes = zero_pages(ABI_HEAP_CLASSES * sizeof *free_indexes);
    if (!heap_classes || !heap_class_slots || !layouts || !seen || !implied || !losable || !hashed || !gone_numbers ||
        !free_numbers || !free_indexes)
        return "there is no memory for classes of objects";
    unloaded[0] = performance_counter("java.cls.unloadedClasses");
    unloaded[1] = performance_counter("java.cls.sharedUnloadedClasses");
    unloaded_before = classes_unloaded();
    find_headers();
    chunk_bit_shift = array_layout()->reference == sizeof(uint32_t);
    return NULL;
}

static bool is_named(const struct layout *l, const char *name) {
    return l->name_bytes == strlen(name) && memcmp(l->name, name, l->name_bytes) == 0;
}

static uint32_t bits(int helper, unsigned shift) { return (uint32_t)helper >> shift & 255; }

/* An array's layout helper has its header and the power of two of its elements' size; bit 0 of others' says that they
 * are allocated in other ways. */
static bool is_plausible(int helper) {
    enum { SMALLEST = 16, LARGEST = 1 << 20, LARGEST_HEADER = 24, WIDEST = 3 };
    uint32_t header = bits(helper, 16);
    if (helper < 0) return header >= SMALLEST && header <= LARGEST_HEADER && bits(helper, 0) <= WIDEST;
    return helper >= SMALLEST && helper <= LARGEST;
}

/* What a Klass says of its objects; false where it is none. One that was not seen before may be anything. */
static bool read_class(uint64_t key, bool seen_before, struct layout *to) {
    uintptr_t klass = AT(uint64_t, vm->klass_base) + ((uint64_t)klass_of(key) << AT(int, vm->klass_shift));
    uintptr_t symbol, loader;
    uint16_t length;
    if (!seen_before && (!read_if_mapped(klass + vm->klass_name, &symbol, sizeof symbol) ||
        !read_if_mapped(klass + vm->layout_helper, &to->helper, sizeof to->helper) ||
        !read_if_mapped(klass + vm->class_loader_data, &loader, sizeof loader) ||
        !read_if_mapped(symbol + vm->symbol_length, &length, sizeof length))) return false;
    symbol = AT(uintptr_t, klass + vm->klass_name);
    *to = (struct layout){.key = key, .name = (const char *)(symbol + vm->symbol_text),
        .helper = AT(int, klass + vm->layout_helper)};
    if (!is_plausible(to->helper)) return false;
    to->name_bytes = AT(uint16_t, symbol + vm->symbol_length);
    to->loader = loader_of_klass(klass);
    return true;
}

/* How large objects are, into a class. */
static void set_size(struct heap_class *c, const struct layout *l) {
    uint32_t fixed = (uint32_t)l->helper & ~7U;
    bool is_mirror = is_named(l, "java/lang/Class"), is_stack = is_named(l, "jdk/internal/vm/StackChunk");
    c->base = c->is_array = c->shift = c->stack_words = 0;
    if (l->helper < 0) {
        c->size = (int32_t)((uint32_t)ARRAY_SIZE | bits(l->helper, 16) << ARRAY_HEADER_SHIFT | bits(l->helper, 0));
        c->base = bits(l->helper, 16);
        c->is_array = 1;
        c->shift = (uint8_t)bits(l->helper, 0);
    } else if (is_mirror || is_stack) {
        c->size = DIFFERENT_SIZES;
        c->stack_words = is_stack ? (uint8_t)(fixed / sizeof(void *)) : 0;
    } else {
        c->size = (int32_t)fixed;
        c->base = fixed;
    }
}

static uint32_t slot_count(void) { return UINT32_C(1) << (32 - heap_class_shift); }

/* Where the index of a class is, or is to be: then it is 0 there. NULL: there is no room. */
static uint32_t *slot_of(uint64_t key) {
    uint32_t at = place_of_key(key);
    for (unsigned i = 0; i < PROBES; i++, at = (at + 1) % slot_count())
        if (heap_class_slots[at] == 0 || layouts[heap_class_slots[at]].key == key) return &heap_class_slots[at];
    return NULL;
}

struct heap_class *known_heap_class(uint64_t key) {
    uint32_t at = place_of_key(key);
    for (unsigned i = 0; i < PROBES; i++, at = (at + 1) % slot_count()) {
        uint32_t index = __atomic_load_n(&heap_class_slots[at], __ATOMIC_ACQUIRE);
        if (index == 0) return NULL;
        if (has_key(&heap_classes[index], key)) return &heap_classes[index];
    }
    return NULL;
}

static void set_key(struct heap_class *c, uint64_t key) { __atomic_store_n(&c->key, key, __ATOMIC_RELEASE); }

static void see(uint32_t index) { seen[seen_count++] = index; }

/* A class without a tag is known: so is one with a tag. */
static void know_too(uint32_t index) {
    if (!index || heap_classes[index].key) return;
    see(index);
    set_key(&heap_classes[index], layouts[index].key);
}

/* What the objects of a class without a tag are born as, and may have been. */
static void set_tagged(struct heap_class *c, uint32_t index) {
    c->implied = implied[index];
    if (c->implied) heap_classes[c->implied].flags |= GIVEN;
    know_too(c->implied);
    know_too(losable[index]);
}

/* Looks at a Klass for which there is no room. */
static struct heap_class *look_at_other(uint64_t key, bool has_base, struct heap_class *other) {
    struct layout now;
    if (!read_class(key, has_base, &now)) return NULL;
    *other = (struct heap_class){.key = key, .flags = tag_of(key) ? NEEDS_TAG : 0};
    set_size(other, &now);
    return other;
}

static void give_up_number(uint32_t number) {
    if (number >= ABI_HEAP_FIRST_CLASS) gone_numbers[gone_count++] = number;
}

static uint32_t take_number(void) {
    if (free_number_count > 0) return free_numbers[--free_number_count];
    return next_number < ABI_HEAP_CLASSES ? next_number++ : ABI_HEAP_OTHERS;
}

/* 0: there is none. */
static uint32_t take_index(void) {
    if (free_index_count > 0) return free_indexes[--free_index_count];
    return next_index < ABI_HEAP_CLASSES ? next_index++ : 0;
}

static uint32_t used_indexes(void) { return next_index - free_index_count; }

/* Looks at a Klass for the first time since classes were unloaded; if it has a tag, what it is without one is known. */
static struct heap_class *look_at(uint64_t key, uint32_t index, const struct heap_class *base, new_heap_class *is_new) {
    struct layout now, *known = &layouts[index];
    struct heap_class *c = &heap_classes[index];
    if (!read_class(key, base || known->key == key, &now)) return NULL;
    see(index);
    if (tag_of(key)) atomic_store_explicit(&some_have_tags, true, memory_order_relaxed);
    if (known->key != key || known->name != now.name || known->helper != now.helper || known->loader != now.loader) {
        give_up_number(c->number);
        *known = now;
        set_size(c, &now);
        c->next = implied[index] = losable[index] = hashed[index] = 0;
        c->flags = tag_of(key) ? NEEDS_TAG : 0;
        c->number = take_number();
        if (c->number != ABI_HEAP_OTHERS) {
            struct heap_class is = *c;
            is.key = key;
            is_new(&is, &(struct heap_class_name){base ? base->number : 0, now.loader, now.name, now.name_bytes});
        }
    }
    set_tagged(c, index);
    set_key(c, key);
    return c;
}

/* Puts all indexes where they are to be. Other threads may find nothing meanwhile. */
static void fill_slots(void) {
    memset(heap_class_slots, 0, slot_count() * sizeof *heap_class_slots);
    for (uint32_t i = 1; i < next_index; i++) {
        uint32_t *slot = layouts[i].key ? slot_of(layouts[i].key) : NULL;
        if (slot) __atomic_store_n(slot, i, __ATOMIC_RELEASE);
    }
}

static struct heap_class *find(uint64_t key, const struct class_search *by) {
    uint32_t *slot = slot_of(key);
    const struct heap_class *base = NULL;
    if (!klass_of(key)) return NULL;
    if (slot && heap_classes[*slot].key == key) return &heap_classes[*slot];
    if (tag_of(key)) {
        if (!(base = find(klass_of(key), by))) return NULL;
        slot = slot_of(key); /* the one without a tag may have taken it */
    }
    if (slot && *slot == 0 && used_indexes() >= slot_count() / 2 && slot_count() < HEAP_CLASS_SLOTS) {
        heap_class_shift--;
        fill_slots();
        slot = slot_of(key);
    }
    if (slot && *slot == 0) __atomic_store_n(slot, take_index(), __ATOMIC_RELEASE);
    return slot && *slot ? look_at(key, *slot, base, by->is_new) : look_at_other(key, base, by->other);
}

void imply_site(uint32_t number, uint32_t tag) {
    pthread_mutex_lock(&lock);
    if (new_implied_count < MOST_IMPLIED) new_implied[new_implied_count++] = (struct implied_site){number, tag};
    pthread_mutex_unlock(&lock);
}

/* Has what is born of a class without a tag be of the one with a number. That without a tag was found before it. */
static bool note_implied(struct implied_site s) {
    uint32_t index = 1, *slot;
    while (index < next_index && (heap_classes[index].number != s.number || tag_of(layouts[index].key) != s.tag))
        index++;
    if (index == next_index || !(slot = slot_of(klass_of(layouts[index].key))) || *slot == 0) return false;
    implied[*slot] = index;
    if (heap_classes[*slot].key) set_tagged(&heap_classes[*slot], *slot);
    return true;
}

/* Has objects of a class lose their tag, once all others can be told from those that have lost it, and gives whether
 * that is still to be. What has no tag is given ABI_TAG_NONE by walks: it takes until all that is in eden now has been
 * moved and read behind that. Out of eden none may have been read before. */
static bool loses_later(struct frequent *f) {
    uint32_t *slot = slot_of(klass_of(layouts[f->index].key));
    struct heap_class *untagged = slot ? &heap_classes[*slot] : heap_classes;
    if (!slot || *slot == 0 || losable[*slot] || !tag_of(layouts[f->index].key)) return false;
    if (!(untagged->flags & NEEDS_TAG)) {
        if (untagged->flags & SETTLED) return false;
        f->moves = 0;
    }
    if (f->moves == 0) f->moves = moves;
    untagged->flags |= NEEDS_TAG;
    if (moves - f->moves < 2) return true;
    losable[*slot] = f->index;
    heap_classes[f->index].flags &= (uint8_t)~NEEDS_TAG;
    return false;
}

/* The order of what is left does not change. */
static void lose_tags(void) {
    uint32_t count = frequent_count < MOST_FREQUENT ? frequent_count : MOST_FREQUENT, left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (loses_later(&frequent[i])) frequent[left++] = frequent[i];
    frequent_count = left;
}

void note_move(void) { moves++; }

bool classes_are_known(void) {
    return !forgotten && unloaded_before >= 0 && classes_unloaded() == unloaded_before;
}

/* Whether a class has a tag, and was not met since classes were forgotten. What is known of one without a tag is needed
 * for those with one, and there are as many as Klasses have addresses. */
static bool is_met_no_more(uint32_t index) {
    uint64_t key = layouts[index].key;
    const uint32_t *untagged = tag_of(key) && !heap_classes[index].key ? slot_of(klass_of(key)) : NULL;
    return untagged && implied[*untagged] != index && losable[*untagged] != index;
}

/* Whether fewer tags are left that no site in a context has been given than there are classes. */
static bool tags_are_few(void) {
    const _Atomic uint64_t *last = (const void *)(block_address(ABI_OVERFLOW_BLOCK) + 8 * ABI_WORD_TAGS);
    return agent.contexts && used_indexes() >= FEW_CLASSES && *last + used_indexes() >= ABI_TAG_NONE;
}

/* Whether it is worth it to look which classes are met no more: what was left the last time may just have been met. */
static bool are_many(void) { return used_indexes() >= most_used || tags_are_few(); }

static void give_up_unmet(void) {
    if (!are_many()) return;
    for (uint32_t i = 1; i < next_index; i++) {
        if (!is_met_no_more(i)) continue;
        give_up_number(heap_classes[i].number);
        heap_classes[i] = (struct heap_class){0};
        layouts[i] = (struct layout){0};
        free_indexes[free_index_count++] = i;
    }
    fill_slots();
    most_used = used_indexes() > FEW_CLASSES / 2 ? 2 * used_indexes() : FEW_CLASSES;
    walks_of_many = 0;
}

/* What there is no room to say now is said by a later walk. */
static void say_gone(bool (*is_gone)(const uint32_t *, uint32_t)) {
    enum { TOGETHER = 1024 };
    while (gone_count > 0) {
        uint32_t n = gone_count < TOGETHER ? gone_count : TOGETHER, *last = gone_numbers + gone_count - n;
        if (!is_gone(last, n)) return;
        memcpy(free_numbers + free_number_count, last, n * sizeof *last);
        free_number_count += n;
        gone_count -= n;
    }
}

/* Where there are many in contexts, two times have to come between which they are met, or not. */
static bool is_time_to_forget(void) {
    bool many = agent.contexts && are_many();
    return many && walks_of_many++ % LONG_UNMET == 0;
}

void forget_unloaded_classes(void) {
    bool unloaded = unloaded_before < 0 || classes_unloaded() != unloaded_before;
    if (!is_time_to_forget() && !unloaded) return;
    unloaded_before = classes_unloaded();
    if (unloaded || walks_of_many > 1) give_up_unmet();
    for (uint32_t i = 0; i < seen_count; i++) heap_classes[seen[i]].key = 0;
    seen_count = 0;
    forget_gone_loaders();
    forgotten = true;
}

bool begin_walk(void (*is_implied)(uint32_t), bool (*is_gone)(const uint32_t *, uint32_t)) {
    say_gone(is_gone);
    forget_unloaded_classes();
    bool same = !forgotten;
    forgotten = false;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < new_implied_count; i++)
        if (note_implied(new_implied[i])) is_implied(new_implied[i].number);
    new_implied_count = 0;
    if (headers_are_plain()) lose_tags();
    pthread_mutex_unlock(&lock);
    return same;
}

struct heap_class *find_heap_class(uint64_t key, const struct class_search *by) {
    struct heap_class *c = known_heap_class(key);
    if (c) return c;
    pthread_mutex_lock(&lock);
    c = find(key, by);
    pthread_mutex_unlock(&lock);
    return c;
}

/* A stack has a bit for each word that may be a reference behind it (instanceStackChunkKlass.inline.hpp). */
uint64_t differing_bytes(const struct heap_class *c, uintptr_t object) {
    if (!c->stack_words) return (uint64_t)AT(uint32_t, object + AT(uint32_t, vm->mirror_words)) * sizeof(void *);
    uint64_t words = AT(uint32_t, object + chunk_size), bits = words << chunk_bit_shift;
    return (c->stack_words + words + (bits + 63) / 64) * sizeof(void *);
}

/* 0: there is no room for the class in the table. */
static uint32_t index_of(const struct heap_class *c) {
    return c >= heap_classes && c < heap_classes + HEAP_CLASS_SLOTS ? (uint32_t)(c - heap_classes) : 0;
}

/* An object of a class was given a hash. */
static void note_hashed(const struct heap_class *c) {
    uint32_t index = index_of(c);
    if (!index || atomic_fetch_add_explicit(&hashed[index], 1, memory_order_relaxed) != MANY) return;
    uint32_t at = atomic_fetch_add_explicit(&frequent_count, 1, memory_order_relaxed);
    if (at < MOST_FREQUENT) frequent[at] = (struct frequent){index, 0};
}

void keep_tag(uintptr_t object, const struct heap_class *c, uint64_t *sequence) {
    if (!tag_of(c->key)) give_tag(object, ABI_TAG_NONE);
    if (identify_anew(object, sequence)) note_hashed(c);
}

bool keep_tag_running(uintptr_t object, const struct heap_class *c, uint64_t *sequence) {
    bool anew;
    if (!tag_of(c->key) && !give_tag_running(object, ABI_TAG_NONE)) return false;
    if (!identify_running(object, sequence, &anew)) return false;
    if (anew) note_hashed(c);
    return true;
}

struct heap_class *class_before(struct heap_class *c) {
    uint32_t tagged = losable[index_of(c)];
    return tagged ? &heap_classes[tagged] : c;
}
