/* A JVM that was started without Mallard: getting in, and leaving all as it was. Its classes are there already, so the
 * recorder hears of them and has the agent's own thread retransform them; they come back with the class-file hook, as
 * others do. No class can get a field of ours any more. */
#include "agent.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hotspot.h"
#include "observers.h"

/* Classes that count, by a hash of their loader and their name: a set, in an open-addressing table in which 0 is empty.
 * Bit 0 is set as long as the class was not found to be made as it was. Two classes with the same hash would both have
 * to be counted as one, which happens to nobody. */
enum { COUNTS = 1 };
static struct {
    pthread_mutex_t lock;
    uint64_t *hashes;
    size_t count, capacity; /* a power of two */
    size_t left;            /* of those, that count */
} changed = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t class_hash(uint32_t loader, const char *name) { /* FNV-1a */
    uint64_t h = 0xcbf29ce484222325 ^ loader;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 0x100000001b3;
    return h | COUNTS;
}

/* The entry of a hash, or the empty one where it belongs. */
static size_t entry_of(const uint64_t *hashes, size_t capacity, uint64_t hash) {
    size_t at = (hash >> 20) & (capacity - 1);
    while (hashes[at] && (hashes[at] | COUNTS) != hash) at = (at + 1) & (capacity - 1);
    return at;
}

/* Under the lock; false without memory. */
static bool has_room(void) {
    if (changed.count * 2 < changed.capacity) return true;
    size_t capacity = changed.capacity ? changed.capacity * 2 : 4096;
    uint64_t *hashes = calloc(capacity, sizeof *hashes);
    if (!hashes) return false;
    for (size_t i = 0; i < changed.capacity; i++)
        if (changed.hashes[i]) hashes[entry_of(hashes, capacity, changed.hashes[i] | COUNTS)] = changed.hashes[i];
    free(changed.hashes);
    changed.hashes = hashes;
    changed.capacity = capacity;
    return true;
}

void note_changed(uint32_t loader, const char *name) {
    pthread_mutex_lock(&changed.lock);
    if (name && has_room()) {
        uint64_t hash = class_hash(loader, name);
        size_t at = entry_of(changed.hashes, changed.capacity, hash);
        if (!changed.hashes[at]) changed.count++;
        if (!(changed.hashes[at] & COUNTS)) changed.left++;
        changed.hashes[at] = hash;
    } else {
        agent.left_behind = true; /* it was defined without a name, or there is no memory */
    }
    pthread_mutex_unlock(&changed.lock);
}

/* Whether a class counts, which is to be made as it was from here on. */
static bool take_if_changed(uint32_t loader, const char *name) {
    uint64_t hash = class_hash(loader, name), *entry;
    pthread_mutex_lock(&changed.lock);
    bool is = changed.capacity && *(entry = &changed.hashes[entry_of(changed.hashes, changed.capacity, hash)]) & COUNTS;
    if (is) {
        *entry &= ~(uint64_t)COUNTS;
        changed.left--;
    }
    pthread_mutex_unlock(&changed.lock);
    return is;
}

static bool all_taken(void) {
    pthread_mutex_lock(&changed.lock);
    bool all = changed.left == 0;
    pthread_mutex_unlock(&changed.lock);
    return all;
}

/* Calls use with each class that can be retransformed. */
static void each_class(JNIEnv *env, void (*use)(JNIEnv *env, jclass c, const char *name, void *argument),
    void *argument) {
    jint n = 0;
    jclass *classes = NULL;
    bool room = begin_frame(env);
    if ((*agent.jvmti)->GetLoadedClasses(agent.jvmti, &n, &classes) == JVMTI_ERROR_NONE) {
        for (jint i = 0; i < n; i++) {
            char *signature = NULL;
            const char *name;
            jboolean modifiable = JNI_FALSE;
            if ((*agent.jvmti)->GetClassSignature(agent.jvmti, classes[i], &signature, NULL) == JVMTI_ERROR_NONE &&
                class_name(signature, &name) &&
                (*agent.jvmti)->IsModifiableClass(agent.jvmti, classes[i], &modifiable) == JVMTI_ERROR_NONE &&
                modifiable) use(env, classes[i], name, argument);
            (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
        }
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)classes);
    }
    if (room) end_frame(env);
}

static uint32_t number_of_loader(JNIEnv *env, jclass c) {
    jobject loader = loader_of(c);
    uint32_t id = number_loader(env, loader);
    if (loader) (*env)->DeleteLocalRef(env, loader);
    return id;
}

static void list_class(JNIEnv *env, jclass c, const char *name, void *argument) {
    /* the runtime knows Object's method clone by its address, which would be another one */
    if (strcmp(name, "java/lang/Object") != 0)
        put_class_key(argument, &(struct class_key_fields){.loader = number_of_loader(env, c), .name = name});
}

static bool enable(jvmtiEvent event) {
    return !failed((*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, event, NULL), "an event");
}

/* A class of the JVM's, by its name; NULL: there is none. */
static jclass find_class(JNIEnv *env, const char *name) {
    jclass c = (*env)->FindClass(env, name);
    if (!c) (*env)->ExceptionClear(env);
    return c;
}

static const char attached_class[] = "java/lang/$MallardAttached";

bool may_attach(JNIEnv *env) {
    jclass before = find_class(env, attached_class);
    if (!before) return !find_class(env, "java/lang/$Mallard"); /* the JVM was started with Mallard */
    jfieldID in = (*env)->GetStaticFieldID(env, before, "attached", "Z"),
        counters = in ? (*env)->GetStaticFieldID(env, before, "counters", "I") : NULL;
    if (!counters) (*env)->ExceptionClear(env);
    if (!counters || (*env)->GetStaticBooleanField(env, before, in)) return false;
    agent.first_counter = (uint32_t)(*env)->GetStaticIntField(env, before, counters);
    return true;
}

/* The native methods are those of the first agent's library, which calls the last one's. */
static bool take_over_natives(JNIEnv *env, jclass attached) {
    jfieldID field = (*env)->GetStaticFieldID(env, attached, "natives", "J");
    if (!field) return false;
    struct natives *first = (struct natives *)(uintptr_t)(*env)->GetStaticLongField(env, attached, field);
    if (!first) {
        (*env)->SetStaticLongField(env, attached, field, (jlong)(uintptr_t)&natives);
        return true;
    }
    if (first->version != natives.version) return false;
    *first = natives;
    return true;
}

/* Others may come, unless it is not known what code counts that is still running, or by new threads. */
static void leave(JNIEnv *env, uint32_t counters) {
    jclass c = find_class(env, attached_class);
    jfieldID in = c ? (*env)->GetStaticFieldID(env, c, "attached", "Z") : NULL,
        used = in ? (*env)->GetStaticFieldID(env, c, "counters", "I") : NULL;
    if (used) {
        (*env)->SetStaticIntField(env, c, used, (jint)counters);
        (*env)->SetStaticBooleanField(env, c, in, JNI_FALSE);
    } else if (c) {
        (*env)->ExceptionClear(env);
    }
}

bool stay_loaded(void) {
    Dl_info self;
    return dladdr(&agent, &self) && dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static bool boot(JNIEnv *env) {
    jclass attached = find_class(env, attached_class);
    jmethodID method = attached && take_over_natives(env, attached) ? (*env)->GetStaticMethodID(env, attached, "boot",
        "()Z") : NULL;
    bool booted = method && (*env)->CallStaticBooleanMethod(env, attached, method);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        booted = false;
    }
    return booted;
}

/* Threads have blocks before any class counts. */
bool attach(JNIEnv *env) {
    if (!find_block_field(env) || !enable(JVMTI_EVENT_THREAD_START) || !enable(JVMTI_EVENT_THREAD_END)) return false;
    adopt_threads(env);
    if (!boot(env)) return false;
    start_adapting(env);
    return agent.engaged;
}

enum { LINK_TRIES = 5000, LINK_PAUSE = 2000000 }; /* 10 s */

/* Whether the VM finds the native methods: once it has taken the library for an agent's, after attaching. */
static bool links(JNIEnv *env) {
    jclass attached = find_class(env, attached_class);
    jmethodID method = attached ? (*env)->GetStaticMethodID(env, attached, "links", "()Z") : NULL;
    bool linked = method && (*env)->CallStaticBooleanMethod(env, attached, method);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    if (attached) (*env)->DeleteLocalRef(env, attached);
    return linked;
}

bool begin_attached(JNIEnv *env) {
    static const jvmtiEvent events[] = {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_CLASS_PREPARE,
        JVMTI_EVENT_OBJECT_FREE, JVMTI_EVENT_VM_DEATH};
    for (int tries = 0; !links(env); tries++) {
        if (tries == LINK_TRIES || !agent.engaged) {
            disengage("the JVM does not find the agent's methods");
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = LINK_PAUSE}, NULL);
    }
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (!enable(events[i])) return false;
    send_loaded_classes(env);
    struct message m = {0};
    each_class(env, list_class, &m);
    send_message(ABI_LOADED_CLASSES, &m);
    start_locating(env);
    start_observers(env);
    return agent.engaged;
}

/* Classes that are to be made as they were: global references, since what the JVM runs while it retransforms, and other
 * agents, have theirs in the frame of this thread. */
struct restored {
    jclass *classes;
    size_t count, capacity;
    uint32_t failed; /* that could not be */
};

static void take_changed(JNIEnv *env, jclass c, const char *name, void *argument) {
    struct restored *r = argument;
    if (!take_if_changed(number_of_loader(env, c), name)) return;
    if (r->count == r->capacity) {
        size_t capacity = r->capacity * 2 + 1024;
        jclass *more = realloc(r->classes, capacity * sizeof *more);
        if (more) {
            r->classes = more;
            r->capacity = capacity;
        }
    }
    /* without a recorder, a class would lose parameters that the JVM has not kept */
    bool kept = agent.engaged || !has_parameters(c);
    jclass reference = kept && r->count < r->capacity ? (*env)->NewGlobalRef(env, c) : NULL;
    if (reference)
        r->classes[r->count++] = reference;
    else
        r->failed++;
}

enum { LIST_TRIES = 3, LIST_PAUSE = 50000000 };

/* Takes all that count. Those that the hook has changed and that are not there yet are looked for again: what threads
 * are loading is there soon. Where one is gone, or never comes, nobody knows which. */
static void take_all_changed(JNIEnv *env, struct restored *r) {
    for (int tries = 0; tries < LIST_TRIES; tries++) {
        if (tries > 0) nanosleep(&(struct timespec){.tv_nsec = LIST_PAUSE}, NULL);
        each_class(env, take_changed, r);
        if (all_taken()) return;
    }
    agent.left_behind = true;
}

/* The hook changes nothing now, so that each becomes what the VM has kept of it, with what that lacks. */
static void restore(JNIEnv *env, struct restored *r) {
    enum { BATCH = 256 };
    for (size_t at = 0; at < r->count; at += BATCH) {
        jint n = (jint)(r->count - at < BATCH ? r->count - at : BATCH);
        if ((*agent.jvmti)->RetransformClasses(agent.jvmti, n, r->classes + at) == JVMTI_ERROR_NONE) continue;
        for (jint i = 0; i < n; i++)
            r->failed += (*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &r->classes[at + (size_t)i]) !=
                JVMTI_ERROR_NONE;
    }
    for (size_t i = 0; i < r->count; i++) (*env)->DeleteGlobalRef(env, r->classes[i]);
    free(r->classes);
}

uint32_t detach(JNIEnv *env, uint32_t counters) {
    static const jvmtiEvent events[] = {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_CLASS_PREPARE,
        JVMTI_EVENT_OBJECT_FREE, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_END};
    struct restored r = {0};
    agent.leaving = true;
    if (agent.engaged) take_last_snapshot(env); /* nothing counts for a recording from here on */
    take_all_changed(env, &r);
    restore(env, &r);
    if (agent.engaged) end_conversation();
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        (*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_DISABLE, events[i], NULL);
    abandon_threads(env);
    if (r.failed) agent.left_behind = true;
    if (!agent.left_behind)
        (*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_DISABLE, JVMTI_EVENT_THREAD_START, NULL);
    if (!r.failed && counters) leave(env, counters);
    return r.failed;
}

/* The environment stays. Threads may be on their way through what asks it, and the VM frees its memory at the next
 * collection. As long as new threads may run what counts, what they have asked for as their stacks' size must not be
 * taken for a block (on_thread_start). */
void close_environment(void) {
    jvmtiCapabilities all;
    if ((*agent.jvmti)->GetCapabilities(agent.jvmti, &all) == JVMTI_ERROR_NONE)
        (*agent.jvmti)->RelinquishCapabilities(agent.jvmti, &all);
}
