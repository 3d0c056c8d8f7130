/* Objects in the heap: their classes, sizes and ages. */
#include "hotspot_objects.h"

#include <stdio.h>
#include <sys/mman.h>

#include "agent.h"
#include "arrays.h"
#include "hotspot.h"
#include "hotspot_table.h"

enum {
    PROBES = 64,          /* of the table, until it is taken to be full */
    ALIGNMENT = 8,        /* of objects */
    UNLOCKED = 1, INFLATED = 2, LOCK_BITS = 3, /* of a header (markWord.hpp) */
    AGE_SHIFT = 3, AGE_BITS = 15
};

struct heap_classes heap_classes;

static const struct hotspot *vm;
static uint32_t next_number = ABI_HEAP_FIRST_CLASS;
static uint64_t chunk_size;     /* where a StackChunk has the words of its stack; 0: there are none */
static unsigned chunk_bit_shift; /* bits for each word of a stack, as a power of two */
static bool headers_on_stacks;  /* of objects that are locked */
static struct heap_class unnumbered; /* the last one that the table had no room for */

void begin_walk(void) { heap_classes.walk++; }

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

/* Whether a thread that locks an object without a monitor keeps its header. */
static bool stack_locking(void) {
    enum { LM_LEGACY = 1 };
    uintptr_t mode = flag("LockingMode");
    return mode ? AT(int, mode) == LM_LEGACY : agent.feature < 21;
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
    headers_on_stacks = stack_locking();
    chunk_bit_shift = array_layout()->reference == sizeof(uint32_t);
    void *slots = mmap(NULL, HEAP_CLASS_SLOTS * sizeof(struct heap_class), PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slots == MAP_FAILED) return "there is no memory for a table of classes";
    heap_classes.slots = slots;
    return NULL;
}

static bool is_named(const struct heap_class *c, const char *name) {
    return c->name_bytes == strlen(name) && memcmp(c->name, name, c->name_bytes) == 0;
}

/* What a Klass says of its objects; false where it is of no objects. */
static bool read_class(struct heap_class *c, uint32_t compressed) {
    uintptr_t klass = AT(uint64_t, vm->klass_base) + ((uint64_t)compressed << AT(int, vm->klass_shift));
    uintptr_t symbol = AT(uintptr_t, klass + vm->klass_name);
    *c = (struct heap_class){.klass = compressed, .walk = heap_classes.walk,
        .layout = AT(int, klass + vm->layout_helper)};
    if (!symbol || c->layout == 0) return false;
    c->name = (const char *)(symbol + vm->symbol_text);
    c->name_bytes = AT(uint16_t, symbol + vm->symbol_length);
    if (c->layout < 0) {
        c->sizes = SIZE_ARRAY;
    } else if (is_named(c, "java/lang/Class")) {
        c->sizes = SIZE_MIRROR;
    } else if (is_named(c, "jdk/internal/vm/StackChunk")) {
        c->sizes = SIZE_CHUNK;
    } else {
        c->bytes = (uint32_t)c->layout & ~7U; /* bit 0: allocated in other ways */
    }
    return true;
}

static bool is_same(const struct heap_class *a, const struct heap_class *b) {
    return a->klass == b->klass && a->layout == b->layout && a->name == b->name;
}

const struct heap_class *look_at_class(uint32_t klass, new_heap_class *is_new) {
    uint32_t at = klass * UINT32_C(0x9E3779B1) >> HEAP_CLASS_SHIFT;
    struct heap_class now, *slot = NULL;
    if (klass == 0) return NULL;
    for (unsigned i = 0; i < PROBES && !slot; i++, at = (at + 1) & (HEAP_CLASS_SLOTS - 1))
        if (heap_classes.slots[at].klass == klass || heap_classes.slots[at].klass == 0) slot = &heap_classes.slots[at];
    if (slot && slot->klass == klass && slot->walk == heap_classes.walk) return slot;
    if (!read_class(&now, klass)) return NULL;
    if (!slot) {
        unnumbered = now;
        return &unnumbered;
    }
    if (is_same(&now, slot)) {
        slot->walk = heap_classes.walk;
        return slot;
    }
    if (next_number < MOST_HEAP_CLASSES) {
        now.number = next_number++;
        is_new(&now);
    }
    *slot = now;
    return slot;
}

/* A stack has a bit for each word that may be a reference behind it (instanceStackChunkKlass.inline.hpp). */
uint64_t differing_bytes(const struct heap_class *c, uintptr_t object) {
    if (c->sizes == SIZE_MIRROR) return (uint64_t)AT(uint32_t, object + AT(uint32_t, vm->mirror_words)) * sizeof(void *);
    uint64_t words = AT(uint32_t, object + chunk_size), bits = words << chunk_bit_shift;
    return ((uint32_t)c->layout & ~7U) + (words + (bits + 63) / 64) * sizeof(void *);
}

/* A locked object's header may be elsewhere: on the stack of the thread that has locked it, until JDK 21, or in the
 * monitor. */
unsigned age_of_object(uintptr_t object) {
    uint64_t header = AT(uint64_t, object);
    if ((header & LOCK_BITS) == INFLATED)
        header = AT(uint64_t, (header & ~(uint64_t)LOCK_BITS) + vm->monitor_header);
    else if ((header & LOCK_BITS) == 0 && header != 0 && headers_on_stacks)
        header = AT(uint64_t, header);
    return header >> AGE_SHIFT & AGE_BITS;
}
