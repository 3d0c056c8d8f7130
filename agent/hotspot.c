/* What the agent does with what it knows of HotSpot (hotspot_table.c has the entries). */
#include "hotspot.h"

#include "agent.h"
#include "hotspot_table.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static struct hotspot vm;

const struct hotspot *hotspot_entries(void) { return &vm; }

static jfieldID eetop; /* of java.lang.Thread: the VM's own structure for the thread, 0 once that is gone */
static bool confirmed; /* what USE_CLASSES says was found to be true, or is known to be */

bool find_hotspot(int feature) {
    void *library = dlopen("libjvm.so", RTLD_NOLOAD | RTLD_LAZY);
    if (!library) return false;
    read_hotspot(&vm, library, feature);
    dlclose(library); /* it stays, the JVM runs in it */
    confirmed = vm.on[USE_CLASSES] && !vm.newer;
    return vm.found;
}

uintptr_t flag(const char *name) {
    if (!vm.on[USE_FLAGS]) return 0;
    uintptr_t flag = AT(uintptr_t, vm.flags);
    for (size_t n = AT(size_t, vm.flag_count); n > 0; n--, flag += vm.flag_bytes) {
        const char *this = AT(char *, flag + vm.flag_name);
        if (this && strcmp(this, name) == 0) return AT(uintptr_t, flag + vm.flag_address);
    }
    return 0;
}

bool flag_set(const char *name) {
    uintptr_t value = flag(name);
    return value && AT(unsigned char, value);
}

double flag_number(const char *name, double otherwise) {
    uintptr_t at = flag(name);
    return at ? (double)AT(uint32_t, at) : otherwise;
}

/* The text of a flag; "" where it has none. */
static const char *flag_text(const char *name) {
    uintptr_t value = flag(name);
    const char *text = value ? AT(char *, value) : NULL;
    return text ? text : "";
}

/* Some JDKs have it as a flag, some as a variable that they export for the serviceability agent. */
static void clear(const char *name) {
    void *library = dlopen("libjvm.so", RTLD_NOLOAD | RTLD_LAZY);
    unsigned char *value = library ? dlsym(library, name) : NULL;
    if (!value) value = (unsigned char *)flag(name);
    if (value) *value = 0;
    if (library) dlclose(library);
}

const char *collector(void) {
    static const struct {
        const char *flag, *name;
    } known[] = {{"UseSerialGC", "Serial"}, {"UseParallelGC", "Parallel"},     {"UseG1GC", "G1"},
                 {"UseZGC", "ZGC"},         {"UseShenandoahGC", "Shenandoah"}, {"UseEpsilonGC", "Epsilon"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (flag_set(known[i].flag)) return known[i].name;
    return "";
}

bool makes_archive(void) { return strcmp(flag_text("AOTMode"), "record") == 0 || *flag_text("AOTCacheOutput"); }

void use_no_archive(void) {
    clear("UseSharedSpaces");
    clear("RequireSharedSpaces");
}

/* Known once java.lang.Class is laid out. */
static uint32_t klass_offset(void) { return AT(uint32_t, vm.klass_offset); }

struct klass_layout klass_layout(void) {
    if (!confirmed) return (struct klass_layout){0};
    /* they follow the fields of an InstanceKlass */
    uint32_t methods = vm.on[USE_VIRTUAL_METHODS] ? (uint32_t)vm.instance_klass_bytes : 0;
    return (struct klass_layout){klass_offset(), (uint32_t)vm.layout_helper, methods};
}

/* The Klass of a class, read in Java, where no collection can move the mirror meanwhile; 0: a primitive type's, or not
 * to be had. */
static uintptr_t klass_of(JNIEnv *env, jclass c) {
    jlong klass = (*env)->CallStaticLongMethod(env, agent.runtime, agent.klass_method, c, (jlong)klass_offset());
    if (!(*env)->ExceptionCheck(env)) return (uintptr_t)klass;
    (*env)->ExceptionClear(env);
    return 0;
}

/* The layout helper of an ordinary class is its aligned instance size, bit 0 set where instances need the slow path
 * (klass.hpp). */
static uint32_t size_in(int layout_helper) { return layout_helper > 0 ? (uint32_t)layout_helper & ~7U : 0; }

uintptr_t klass_of_class(JNIEnv *env, jclass c) { return confirmed ? klass_of(env, c) : 0; }

uint32_t bytes_of_instance(uintptr_t klass) { return klass ? size_in(AT(int, klass + vm.layout_helper)) : 0; }

uint32_t instance_bytes(JNIEnv *env, jclass c) { return bytes_of_instance(klass_of_class(env, c)); }

bool read_if_mapped(uintptr_t from, void *to, size_t n) {
    struct iovec here = {to, n}, there = {(void *)from, n};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)n;
}

/* Whether the size of an object's class, as it would be read, is what JVMTI says of the object. */
static bool size_is_true(JNIEnv *env, jobject o) {
    jlong size = 0, mirror = 0;
    int helper = 0;
    if (!o) return false;
    jclass c = (*env)->GetObjectClass(env, o);
    bool asked = (*agent.jvmti)->GetObjectSize(agent.jvmti, o, &size) == JVMTI_ERROR_NONE &&
        (*agent.jvmti)->GetObjectSize(agent.jvmti, c, &mirror) == JVMTI_ERROR_NONE;
    bool read = asked && (jlong)klass_offset() + (jlong)sizeof(uintptr_t) <= mirror &&
        read_if_mapped(klass_of(env, c) + vm.layout_helper, &helper, sizeof helper);
    (*env)->DeleteLocalRef(env, c);
    return read && size_in(helper) == size;
}

/* Tries the classes of some objects that are there anyway, whose sizes differ. */
static bool sizes_are_true(JNIEnv *env) {
    jthread self = NULL;
    jvmtiThreadInfo info;
    memset(&info, 0, sizeof info);
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return false;
    bool asked = (*agent.jvmti)->GetThreadInfo(agent.jvmti, self, &info) == JVMTI_ERROR_NONE;
    jstring text = (*env)->NewStringUTF(env, "");
    bool ok = asked && size_is_true(env, self) && size_is_true(env, info.thread_group) && size_is_true(env, text);
    if (ok && info.context_class_loader) ok = size_is_true(env, info.context_class_loader);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)info.name);
    const jobject objects[] = {self, info.thread_group, info.context_class_loader, text};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (objects[i]) (*env)->DeleteLocalRef(env, objects[i]);
    return ok;
}

void confirm_hotspot(JNIEnv *env) {
    char text[1024];
    if (vm.newer && vm.on[USE_CLASSES]) vm.on[USE_CLASSES] = confirmed = sizes_are_true(env);
    unsigned off = describe_hotspot(&vm, agent.feature, collector(), text, sizeof text);
    if (off) send_loss("jvm", off, text);
}

void find_vm_thread(JNIEnv *env, jclass thread) {
    if (vm.on[USE_THREADS]) eetop = (*env)->GetFieldID(env, thread, "eetop", "J");
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
}

/* Of finished buffers and allocations outside of them, and the current buffer from its start to where it has come. */
static uint64_t allocated_in(uintptr_t thread) {
    uint64_t bytes = AT(uint64_t, thread + vm.allocated_bytes);
    uintptr_t start = AT(uintptr_t, thread + vm.tlab + vm.tlab_start),
        top = AT(uintptr_t, thread + vm.tlab + vm.tlab_top);
    return top > start ? bytes + (top - start) : bytes;
}

uintptr_t vm_thread(JNIEnv *env, jthread t) { return eetop ? (uintptr_t)(*env)->GetLongField(env, t, eetop) : 0; }

uint64_t allocated_by(JNIEnv *env, jthread t) {
    uintptr_t thread = vm_thread(env, t);
    return thread ? allocated_in(thread) : 0;
}

/* The list of threads changes, and is freed, when a thread comes or goes; here none can, but the caller. */
uint64_t allocated_at_start(void) {
    if (!vm.on[USE_THREADS]) return 0;
    uintptr_t list = AT(uintptr_t, vm.thread_list);
    if (!list || AT(uint32_t, list + vm.list_length) != 1) return 0;
    return allocated_in(AT(uintptr_t *, list + vm.list_threads)[0]);
}
