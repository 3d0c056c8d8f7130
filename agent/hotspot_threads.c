/* The VM's list of its threads, and those in it that compile, serve and clean up: the VM makes their Thread objects
 * without any bytecode. */
#include "hotspot_threads.h"

#include <stdlib.h>

#include "agent.h"
#include "hotspot_table.h"

uintptr_t read_threads(uintptr_t *to, size_t most, size_t *count) {
    const struct hotspot *vm = hotspot_entries();
    uintptr_t list = AT(uintptr_t, vm->thread_list), of;
    uint32_t length;
    if (!read_if_mapped(list + vm->list_length, &length, sizeof length) || length > most ||
        !read_if_mapped(list + vm->list_threads, &of, sizeof of) ||
        (length > 0 && !read_if_mapped(of, to, length * sizeof *to))) return 0;
    *count = length;
    return list;
}

/* The virtual methods of a thread, which tell what kind of a thread it is; 0: not known. */
static uintptr_t methods_of(uintptr_t thread) {
    uintptr_t methods;
    return thread && read_if_mapped(thread, &methods, sizeof methods) ? methods : 0;
}

/* Whether a thread is of a kind of which JVMTI shows none. The program's all are of one kind. */
static bool is_of_vm(JNIEnv *env, uintptr_t thread, const jthread *visible, jint count) {
    uintptr_t methods = methods_of(thread);
    for (jint i = 0; i < count; i++)
        if (methods_of(vm_thread(env, visible[i])) == methods) return false;
    return methods != 0;
}

static uint64_t count_threads_of_vm(JNIEnv *env, const jthread *visible, jint count) {
    uintptr_t *threads = malloc(MOST_THREADS * sizeof *threads);
    size_t listed = 0;
    uint64_t found = 0;
    if (threads && read_threads(threads, MOST_THREADS, &listed))
        for (size_t i = 0; i < listed; i++) found += is_of_vm(env, threads[i], visible, count);
    free(threads);
    return found;
}

struct made_objects own_threads_of_vm(JNIEnv *env, const jthread *visible, jint count) {
    struct made_objects made = {0};
    if (!hotspot_entries()->on[USE_THREADS] || count == 0 || !methods_of(vm_thread(env, visible[0]))) return made;
    jclass thread = (*env)->FindClass(env, "java/lang/Thread");
    uint32_t bytes = thread ? instance_bytes(env, thread) : 0;
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    if (thread) (*env)->DeleteLocalRef(env, thread);
    if (bytes == 0) return made;
    made.objects = count_threads_of_vm(env, visible, count);
    made.bytes = made.objects * bytes;
    return made;
}
