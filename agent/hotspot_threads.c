/* The VM's own threads, which compile, serve and clean up: it makes their Thread objects without any bytecode. */
#include <stdlib.h>

#include "agent.h"
#include "hotspot.h"
#include "hotspot_table.h"

enum { MOST_THREADS = 1 << 16 };

/* The threads that the VM lists, NULL if that cannot be read. It frees the list when one of its own threads comes or
 * goes, which nothing keeps it from: so all is read as if it might not be there. */
static uintptr_t *read_list(uint32_t *count) {
    const struct hotspot *vm = hotspot_entries();
    uintptr_t list = AT(uintptr_t, vm->thread_list), first;
    if (!read_if_mapped(list + vm->list_length, count, sizeof *count) || *count == 0 || *count > MOST_THREADS ||
        !read_if_mapped(list + vm->list_threads, &first, sizeof first)) return NULL;
    uintptr_t *threads = malloc(*count * sizeof *threads);
    if (threads && read_if_mapped(first, threads, *count * sizeof *threads)) return threads;
    free(threads);
    return NULL;
}

static bool is_among(JNIEnv *env, uintptr_t thread, const jthread *some, jint count) {
    for (jint i = 0; i < count; i++)
        if (vm_thread(env, some[i]) == thread) return true;
    return false;
}

struct made_objects own_threads_of_vm(JNIEnv *env, jthread self, const jthread *visible, jint count) {
    struct made_objects made = {0};
    uintptr_t caller = vm_thread(env, self), class_of_caller, class;
    uint32_t listed = 0;
    if (!hotspot_entries()->on[USE_THREADS] || !caller) return made;
    uintptr_t *threads = read_list(&listed);
    if (!threads || !read_if_mapped(caller, &class_of_caller, sizeof class_of_caller)) listed = 0;
    for (uint32_t i = 0; i < listed; i++)
        /* an object of another class than JavaThread: its virtual methods are others */
        if (read_if_mapped(threads[i], &class, sizeof class) && class != class_of_caller &&
            !is_among(env, threads[i], visible, count)) made.objects++;
    free(threads);
    jclass thread = (*env)->FindClass(env, "java/lang/Thread");
    made.bytes = thread ? made.objects * instance_bytes(env, thread) : 0;
    if (made.bytes == 0) made.objects = 0;
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    if (thread) (*env)->DeleteLocalRef(env, thread);
    return made;
}
