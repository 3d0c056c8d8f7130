/* Native methods of the JDK that the agent puts its own in front of. The VM says when it has found the code of one,
 * which is when it is first called (NativeMethodBind). */
#include "binding.h"

#include <stdatomic.h>
#include <string.h>

#include "agent.h"

/* What is waited for. */
struct wanted {
    const char *class, *name, *descriptor; /* in JVMTI's words */
    native_code *(*replace)(native_code *found);
};
enum { MOST_WANTED = 2 };
static struct wanted wanted[MOST_WANTED];
static _Atomic unsigned wanted_count;

static bool is_class(jvmtiEnv *jvmti, JNIEnv *env, jmethodID method, const char *name) {
    jclass class = NULL;
    char *signature = NULL;
    bool same = (*jvmti)->GetMethodDeclaringClass(jvmti, method, &class) == JVMTI_ERROR_NONE &&
        (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) == JVMTI_ERROR_NONE && strcmp(signature, name) == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    if (class) (*env)->DeleteLocalRef(env, class);
    return same;
}

static void JNICALL on_native_method_bind(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address,
    void **replaced) {
    (void)thread;
    char *name = NULL, *descriptor = NULL;
    if ((*jvmti)->GetMethodName(jvmti, method, &name, &descriptor, NULL) != JVMTI_ERROR_NONE) return;
    unsigned count = atomic_load(&wanted_count);
    for (unsigned i = 0; i < count; i++) {
        const struct wanted *w = &wanted[i];
        if (strcmp(name, w->name) != 0 || strcmp(descriptor, w->descriptor) != 0 ||
            !is_class(jvmti, env, method, w->class)) continue;
        *replaced = (void *)(uintptr_t)w->replace((native_code *)(uintptr_t)address);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
}

void listen_to_binding(jvmtiEventCallbacks *on) { on->NativeMethodBind = on_native_method_bind; }

void replace_native(const char *class, const char *name, const char *descriptor,
    native_code *(*replace)(native_code *found)) {
    unsigned n = atomic_load(&wanted_count);
    if (n == MOST_WANTED) return;
    wanted[n] = (struct wanted){class, name, descriptor, replace};
    atomic_store(&wanted_count, n + 1);
}
