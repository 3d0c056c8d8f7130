/* The names of what roots have: methods, and threads. They are asked for when the world runs again, and written while
 * it is stopped once more: pauses write to the same ring. */
#include "graph.h"

#include <string.h>

#include "agent.h"
#include "observers.h"

static struct message names; /* records behind their length */
static bool over;            /* they are written */

static void note_name(uint64_t kind, uint64_t number, const char *owner, const char *name) {
    size_t owner_bytes = owner ? strlen(owner) : 0, bytes = strlen(name);
    size_t size = ABI_HEAP_NAME_TEXT + owner_bytes + (owner != NULL) + bytes;
    if (size > BLOCK_BYTES) return;
    put_u32(&names, (uint32_t)size);
    put_u64(&names, kind);
    put_u64(&names, number);
    put_data(&names, owner, owner_bytes);
    if (owner) put_data(&names, ".", 1);
    put_data(&names, name, bytes);
}

static void note_methods(JNIEnv *env) {
    for (size_t i = 0; i < ROOT_METHODS; i++) {
        struct method_name of;
        const char *owner;
        if (!root_methods[i]) continue;
        name_method(&of, env, root_methods[i]);
        if (of.owner && of.name && class_name(of.owner, &owner))
            note_name(ABI_HEAP_NAME_METHOD, (uint64_t)(uintptr_t)root_methods[i], owner, of.name);
        free_method_name(&of);
    }
}

static void note_threads(JNIEnv *env) {
    jint n = 0;
    jthread *threads = NULL;
    jvmtiThreadInfo info;
    jclass class = (*env)->FindClass(env, "java/lang/Thread");
    jfieldID number = class ? (*env)->GetFieldID(env, class, "tid", "J") : NULL;
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    if (number && (*agent.jvmti)->GetAllThreads(agent.jvmti, &n, &threads) != JVMTI_ERROR_NONE) n = 0;
    for (jint i = 0; i < n; i++) {
        memset(&info, 0, sizeof info);
        if ((*agent.jvmti)->GetThreadInfo(agent.jvmti, threads[i], &info) == JVMTI_ERROR_NONE && info.name)
            note_name(ABI_HEAP_NAME_THREAD, (uint64_t)(*env)->GetLongField(env, threads[i], number), NULL, info.name);
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)info.name);
        if (info.thread_group) (*env)->DeleteLocalRef(env, info.thread_group);
        if (info.context_class_loader) (*env)->DeleteLocalRef(env, info.context_class_loader);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
    if (class) (*env)->DeleteLocalRef(env, class);
}

static jint JNICALL at_names(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class,
    jlong referrer_class, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *unused) {
    struct bytes left = {names.data, names.size}, name;
    (void)kind, (void)info, (void)class, (void)referrer_class, (void)size, (void)tag, (void)referrer_tag, (void)length;
    (void)unused;
    if (over) return JVMTI_VISIT_ABORT;
    over = true;
    while (left.size > 0 && get_bytes(&left, &name))
        if (has_room((uint32_t)name.size))
            event_put(&safepoint_ring, ABI_EVENT_HEAP_NAME, name.data, (uint32_t)name.size);
    if (has_room(sizeof graph.words)) event_put(&safepoint_ring, ABI_EVENT_HEAP_GRAPH, graph.words, sizeof graph.words);
    event_commit(&safepoint_ring);
    return JVMTI_VISIT_ABORT;
}

void write_root_names(JNIEnv *env) {
    note_methods(env);
    note_threads(env);
    over = false;
    each_root(at_names);
    free_message(&names);
}
