/* HotSpot's description of itself: the tables that libjvm exports for the serviceability agent (vmStructs.hpp). */
#include "agent.h"

#include <dlfcn.h>
#include <string.h>

static struct {
    bool found;
    char *flags;
    size_t flag_count, flag_size, flag_name, flag_address;
    int *klass_offset;     /* of the Klass pointer in a java.lang.Class; set while that class is laid out */
    size_t layout_helper; /* in a Klass */
    size_t virtual_methods; /* the table begins where the fields of an InstanceKlass end */
    char ***arguments;    /* options that are no flags have left a trace only here; NULL if that is unknown */
    int *argument_count;
} vm;

/* The value of an exported variable of libjvm; 0 without it. */
static uint64_t exported(void *library, const char *name) {
    uint64_t *p = dlsym(library, name);
    return p ? *p : 0;
}

struct field find_field(void *library, const char *type, const char *name) {
    struct field f = {0};
    char *e = (char *)(uintptr_t)exported(library, "gHotSpotVMStructs");
    if (!e) return f;
    uint64_t stride = exported(library, "gHotSpotVMStructEntryArrayStride");
    uint64_t type_at = exported(library, "gHotSpotVMStructEntryTypeNameOffset"), name_at = exported(library, "gHotSpotVMStructEntryFieldNameOffset");
    uint64_t offset_at = exported(library, "gHotSpotVMStructEntryOffsetOffset"), address_at = exported(library, "gHotSpotVMStructEntryAddressOffset");
    for (const char *t; stride && (t = *(const char **)(void *)(e + type_at)) != NULL; e += stride)
        if (strcmp(t, type) == 0 && strcmp(*(const char **)(void *)(e + name_at), name) == 0)
            return (struct field){true, *(uint64_t *)(void *)(e + offset_at), *(void **)(void *)(e + address_at)};
    return f;
}

bool find_constant(void *library, const char *name, int *value) {
    char *e = (char *)(uintptr_t)exported(library, "gHotSpotVMIntConstants");
    uint64_t stride = exported(library, "gHotSpotVMIntConstantEntryArrayStride");
    uint64_t name_at = exported(library, "gHotSpotVMIntConstantEntryNameOffset"), value_at = exported(library, "gHotSpotVMIntConstantEntryValueOffset");
    for (const char *n; e && stride && (n = *(const char **)(void *)(e + name_at)) != NULL; e += stride)
        if (strcmp(n, name) == 0) {
            *value = *(int *)(void *)(e + value_at);
            return true;
        }
    return false;
}

static size_t type_size(void *library, const char *type) {
    char *e = (char *)(uintptr_t)exported(library, "gHotSpotVMTypes");
    uint64_t stride = exported(library, "gHotSpotVMTypeEntryArrayStride");
    uint64_t name_at = exported(library, "gHotSpotVMTypeEntryTypeNameOffset"), size_at = exported(library, "gHotSpotVMTypeEntrySizeOffset");
    for (const char *t; e && stride && (t = *(const char **)(void *)(e + name_at)) != NULL; e += stride)
        if (strcmp(t, type) == 0) return *(uint64_t *)(void *)(e + size_at);
    return 0;
}

bool find_vm(void) {
    void *library = dlopen("libjvm.so", RTLD_NOLOAD | RTLD_LAZY);
    if (!library) return false;
    struct field flags = find_field(library, "JVMFlag", "flags"), count = find_field(library, "JVMFlag", "numFlags");
    struct field name = find_field(library, "JVMFlag", "_name"), address = find_field(library, "JVMFlag", "_addr");
    struct field klass = find_field(library, "java_lang_Class", "_klass_offset"), layout = find_field(library, "Klass", "_layout_helper");
    vm.flag_size = type_size(library, "JVMFlag");
    if (!flags.found || !count.found || !name.found || !address.found || !klass.found || !layout.found || !vm.flag_size) return false;
    vm.flags = *(char **)flags.address;
    vm.flag_count = *(size_t *)count.address;
    vm.flag_name = name.offset;
    vm.flag_address = address.offset;
    vm.layout_helper = layout.offset;
    vm.klass_offset = klass.address;
    vm.virtual_methods = type_size(library, "InstanceKlass");
    vm.arguments = find_field(library, "Arguments", "_jvm_args_array").address;
    vm.argument_count = find_field(library, "Arguments", "_num_jvm_args").address;
    if (!vm.argument_count) vm.arguments = NULL;
    find_allocated(library);
    return vm.found = true;
}

/* Address of a flag's value, NULL without the flag. */
static void *flag_value(const char *name) {
    for (size_t i = 0; vm.found && i < vm.flag_count; i++) {
        char *f = vm.flags + i * vm.flag_size;
        const char *n = *(const char **)(void *)(f + vm.flag_name);
        if (n && strcmp(n, name) == 0) return *(void **)(void *)(f + vm.flag_address);
    }
    return NULL;
}

static bool flag_set(const char *name) {
    unsigned char *v = flag_value(name);
    return v && *v;
}

/* Whether the VM was told, in its arguments or by the environment, not to start without its archive of classes (CDS, the AOT cache). With the
 * early hook it has none. */
bool archive_demanded(void) {
    bool demanded = false;
    for (int i = 0; vm.found && vm.arguments && i < *vm.argument_count; i++) {
        const char *a = (*vm.arguments)[i];
        if (strncmp(a, "-Xshare:", 8) == 0) demanded = strcmp(a, "-Xshare:on") == 0;
        if (strncmp(a, "-XX:AOTMode=", 12) == 0) demanded = strcmp(a, "-XX:AOTMode=on") == 0;
    }
    return demanded;
}

const char *collector(void) {
    static const struct {
        const char *flag, *name;
    } known[] = {{"UseSerialGC", "Serial"}, {"UseParallelGC", "Parallel"}, {"UseG1GC", "G1"}, {"UseZGC", "ZGC"}, {"UseShenandoahGC", "Shenandoah"}, {"UseEpsilonGC", "Epsilon"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (flag_set(known[i].flag)) return known[i].name;
    return "";
}

/* An array's length follows its header word and class; elements follow the length, since JDK 23 without a gap (JDK-8139457). */
void array_layout(uint32_t header[5], uint32_t *reference, uint32_t *alignment) {
    uint32_t length_at = flag_set("UseCompactObjectHeaders") ? 8 : flag_set("UseCompressedClassPointers") ? 12 : 16;
    uint32_t elements = length_at + 4, aligned = (elements + 7) & ~7U;
    uint32_t small = agent.feature >= 23 ? elements : aligned;
    int *a = flag_value("ObjectAlignmentInBytes");
    *alignment = a ? (uint32_t)*a : 8;
    *reference = flag_set("UseCompressedOops") ? 4 : 8;
    header[0] = header[1] = header[2] = small;
    header[3] = aligned;
    header[4] = *reference == 4 ? small : aligned;
}

struct klass_layout klass_layout(void) {
    if (!vm.found) return (struct klass_layout){0};
    return (struct klass_layout){(uint32_t)*vm.klass_offset, (uint32_t)vm.layout_helper, (uint32_t)vm.virtual_methods};
}

/* The layout helper of an ordinary class is its aligned instance size, bit 0 set where instances need the slow path (Klass.hpp). The
 * mirror is read in Java, where no collection can move it meanwhile. */
uint32_t instance_bytes(JNIEnv *env, jclass c) {
    if (!vm.found) return 0;
    jlong offset = *vm.klass_offset;
    jlong klass = (*env)->CallStaticLongMethod(env, agent.runtime, agent.klass_method, c, offset);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        return 0;
    }
    if (klass == 0) return 0; /* a primitive type */
    int helper = *(int *)((char *)(uintptr_t)klass + vm.layout_helper);
    return helper > 0 ? (uint32_t)helper & ~7U : 0;
}
