/* The size of the instances of classes, as JVMTI says that they are prepared. It says so of none that a virtual thread
 * prepares while it is mounted or unmounted (JDK 21 to 25): at the end these are looked for. */
#include "agent.h"
#include "hotspot.h"
#include "hotspot_loaders.h"

#include <stdlib.h>
#include <string.h>

/* The Klasses of classes that were measured: a hash table of addresses, at most half full. */
static struct {
    pthread_mutex_t lock;
    uintptr_t *klasses;
    size_t capacity, count;
} measured = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { FIRST_CAPACITY = 1 << 12 };

static uintptr_t *slot_of(uintptr_t *klasses, size_t capacity, uintptr_t klass) {
    size_t at = (klass >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (capacity - 1);
    while (klasses[at] != 0 && klasses[at] != klass) at = (at + 1) & (capacity - 1);
    return &klasses[at];
}

static bool grow(void) {
    size_t capacity = measured.capacity ? 2 * measured.capacity : FIRST_CAPACITY;
    uintptr_t *more = calloc(capacity, sizeof *more);
    if (!more) return false;
    for (size_t i = 0; i < measured.capacity; i++)
        if (measured.klasses[i]) *slot_of(more, capacity, measured.klasses[i]) = measured.klasses[i];
    free(measured.klasses);
    measured.klasses = more;
    measured.capacity = capacity;
    return true;
}

/* Whether a class was not noted before; without memory all are new. */
static bool note_measured(uintptr_t klass) {
    bool is_new = true;
    pthread_mutex_lock(&measured.lock);
    if (2 * measured.count < measured.capacity || grow()) {
        uintptr_t *slot = slot_of(measured.klasses, measured.capacity, klass);
        is_new = *slot == 0;
        *slot = klass;
        measured.count += is_new;
    }
    pthread_mutex_unlock(&measured.lock);
    return is_new;
}

static void put_size(struct message *m, JNIEnv *env, jclass c, uintptr_t klass, uint32_t bytes) {
    char *signature = NULL;
    const char *name;
    jobject loader = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE) return;
    /* Its own initialisation would start threads, so it is not looked up by name. */
    if (!agent.virtual && strcmp(signature, "Ljava/lang/VirtualThread;") == 0)
        agent.virtual = (*env)->NewGlobalRef(env, c);
    if (bytes && class_name(signature, &name) && (*agent.jvmti)->GetClassLoader(agent.jvmti, c,
        &loader) == JVMTI_ERROR_NONE) {
        uint32_t id = number_loader(env, loader);
        note_loader(klass, id);
        put_class_size(m, &(struct class_size_fields){.loader = id, .bytes = bytes, .name = name});
    }
    if (loader) (*env)->DeleteLocalRef(env, loader);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
}

static void measure_class(struct message *m, JNIEnv *env, jclass c) {
    uintptr_t klass = klass_of_class(env, c);
    if (klass) note_measured(klass);
    put_size(m, env, c, klass, bytes_of_instance(klass));
}

static void send_sizes(struct message *m) {
    if (m->size) post_message(ABI_CLASS_SIZES, m);
}

void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass c) {
    (void)jvmti, (void)thread;
    if (!agent.engaged) return;
    struct message m = {0};
    measure_class(&m, env, c);
    send_sizes(&m);
}

static void each_loaded_class(JNIEnv *env, void (*measure)(struct message *, JNIEnv *, jclass)) {
    jint n = 0;
    jclass *classes = NULL;
    struct message m = {0};
    bool room = begin_frame(env);
    if (!failed((*agent.jvmti)->GetLoadedClasses(agent.jvmti, &n, &classes), "the list of loaded classes")) {
        for (jint i = 0; i < n; i++) measure(&m, env, classes[i]);
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)classes);
    }
    if (room) end_frame(env);
    send_sizes(&m);
}

void send_loaded_classes(JNIEnv *env) { each_loaded_class(env, measure_class); }

static void measure_unknown_class(struct message *m, JNIEnv *env, jclass c) {
    uintptr_t klass = klass_of_class(env, c);
    uint32_t bytes = bytes_of_instance(klass);
    if (bytes && note_measured(klass)) put_size(m, env, c, klass, bytes);
}

void send_unknown_sizes(JNIEnv *env) {
    if (has_virtual_threads()) each_loaded_class(env, measure_unknown_class);
}
