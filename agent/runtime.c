/* The runtime classes, which all instrumented code calls. They come with the answer to hello, so they are here before
 * the first instrumented class is, whatever becomes of the recorder; and they are defined before the first bytecode
 * runs. */
#include "agent.h"
#include "arrays.h"
#include "hotspot.h"
#include "interned.h"

#include <stdlib.h>
#include <string.h>

/* As the recorder sent them, in malloc's memory. They are completed there: code that needs them is in the JVM by then,
 * which must not depend on there being more memory. */
static struct bytes kept;

bool keep_runtime(struct bytes classes) {
    unsigned char *copy = malloc(classes.size);
    if (!copy) return false;
    memcpy(copy, classes.data, classes.size);
    kept = (struct bytes){copy, classes.size};
    return true;
}

/* Writes what only the JVM could say into a class file: constants, which are big-endian. */
static bool complete(const struct runtime_class_answer *class, unsigned char *file,
    const uint64_t facts[ABI_LATE_FACTS]) {
    struct bytes late = class->late;
    struct late_fact_answer at;
    while (late.size > 0) {
        if (!get_late_fact(&late, &at) || at.fact >= ABI_LATE_FACTS || class->file.size < 8 ||
            at.offset > class->file.size - 8) return false;
        for (int i = 0; i < 8; i++) file[at.offset + (uint32_t)i] = (unsigned char)(facts[at.fact] >> (56 - 8 * i));
    }
    return true;
}

/* Defines a class, or redefines one that an agent has left which was attached before. */
static jclass define_file(JNIEnv *env, struct bytes called, const unsigned char *file, size_t size) {
    char name[128] = "";
    if (called.size < sizeof name) memcpy(name, called.data, called.size);
    jclass there = agent.first_counter ? (*env)->FindClass(env, name) : NULL;
    if (!there) {
        if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
        return (*env)->DefineClass(env, NULL, NULL, (const jbyte *)file, (jsize)size);
    }
    const jvmtiClassDefinition new = {there, (jint)size, file};
    return (*agent.jvmti)->RedefineClasses(agent.jvmti, 1, &new) == JVMTI_ERROR_NONE ? there : NULL;
}

static bool define(JNIEnv *env, const struct runtime_class_answer *class, const uint64_t facts[ABI_LATE_FACTS]) {
    unsigned char *file = (unsigned char *)(uintptr_t)class->file.data;
    jclass c = complete(class, file, facts) ? define_file(env, class->name, file, class->file.size) : NULL;
    if (c && !agent.runtime) agent.runtime = (*env)->NewGlobalRef(env, c);
    if (c) (*env)->DeleteLocalRef(env, c);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    return c != NULL;
}

static void report(const struct array_layout *arrays, const struct klass_layout *klass, uint64_t allocated,
    uint64_t own) {
    struct message m = {0};
    put_runtime(&m, &(struct runtime_fields){
        .array_base1 = arrays->header[0], .array_base2 = arrays->header[1], .array_base4 = arrays->header[2],
        .array_base8 = arrays->header[3], .array_base_ref = arrays->header[4],
        .reference = arrays->reference, .alignment = arrays->alignment,
        .klass = klass->pointer, .layout_helper = klass->layout_helper, .virtual = klass->virtual_methods,
        .allocated = allocated, .agents = own});
    send_message(ABI_RUNTIME, &m);
}

/* Bytes of what was allocated for classes, which at the end is found again. */
static uint64_t for_classes(uint64_t allocated) {
    struct class_objects made;
    if (!class_objects(&made)) return 0;
    uint64_t bytes = made.mirrors.bytes + made.locks.bytes + made.tables.bytes + made.constants.strings.bytes +
        made.constants.texts.bytes;
    return bytes < allocated ? bytes : allocated;
}

bool define_runtime(JNIEnv *env) {
    struct array_layout arrays = {0};
    struct klass_layout klass = klass_layout();
    uint64_t allocated = allocated_at_start();
    bool measured = measure_arrays(env, &arrays);
    if (measured) {
        uint64_t own = allocated_at_start() - allocated;
        find_class_objects(&arrays);
        if (!agent.attached) start_watching_interned();
        report(&arrays, &klass, allocated - for_classes(allocated), own);
    }
    const uint64_t facts[ABI_LATE_FACTS] = {
        [ABI_LATE_ARRAY_BASE] = arrays.header[0], [ABI_LATE_ARRAY_BASE8] = arrays.header[3],
        [ABI_LATE_ARRAY_BASE_REF] = arrays.header[4], [ABI_LATE_REFERENCE] = arrays.reference,
        [ABI_LATE_ALIGNMENT_MASK] = (uint64_t)arrays.alignment - 1, [ABI_LATE_KLASS] = klass.pointer,
        [ABI_LATE_LAYOUT_HELPER] = klass.layout_helper, [ABI_LATE_VIRTUAL] = klass.virtual_methods};
    struct bytes from = kept;
    struct runtime_class_answer class;
    bool defined = from.size > 0;
    while (defined && from.size > 0) defined = get_runtime_class(&from, &class) && define(env, &class, facts);
    free((void *)(uintptr_t)kept.data);
    kept = (struct bytes){0};
    return measured && defined;
}
