/* Classes on their way into the VM, and the loaders that define them. */
#include "agent.h"
#include "hotspot_parameters.h"

#include <stdlib.h>
#include <string.h>

/* JVMTI tags keep the numbers of loaders: an object has one as long as it lives, whatever a collection does with it. */
uint32_t loader_id(jobject loader) {
    jlong tag = 0;
    if (!loader) return 0;
    if ((*agent.jvmti)->GetTag(agent.jvmti, loader, &tag) == JVMTI_ERROR_NONE && tag != 0) return (uint32_t)tag;
    return 0;
}

uint32_t number_loader(JNIEnv *env, jobject loader) {
    uint32_t id = loader_id(loader);
    if (!loader || id) return id;
    bool mine = false;
    pthread_mutex_lock(&agent.state_lock);
    id = loader_id(loader);
    if (!id && (*agent.jvmti)->SetTag(agent.jvmti, loader, agent.loaders + 1) == JVMTI_ERROR_NONE) {
        id = ++agent.loaders;
        mine = true;
    }
    pthread_mutex_unlock(&agent.state_lock);
    if (mine && env) {
        char *signature = NULL;
        jclass c = (*env)->GetObjectClass(env, loader);
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL);
        struct message m = {0};
        put_loader(&m, &(struct loader_fields){.loader = id, .class = signature});
        post_message(ABI_LOADER, &m);
        if (signature) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
        (*env)->DeleteLocalRef(env, c);
    }
    return id;
}

void send_missed_class(struct class_missed_fields *class) {
    struct message m = {0};
    put_class_missed(&m, class);
    send_message(ABI_CLASS_MISSED, &m);
}

static void put_parameters(struct list *to, jmethodID m) {
    const struct method_parameter *list;
    uint32_t n = method_parameters(m, &list);
    char *name = NULL, *descriptor = NULL;
    unsigned char attribute[1 + UINT8_MAX * 4], *at = attribute;
    if (n == 0 ||
        (*agent.jvmti)->GetMethodName(agent.jvmti, m, &name, &descriptor, NULL) != JVMTI_ERROR_NONE) return;
    *at++ = (unsigned char)n;
    for (uint32_t i = 0; i < n; i++) { /* big-endian */
        *at++ = (unsigned char)(list[i].name >> 8);
        *at++ = (unsigned char)list[i].name;
        *at++ = (unsigned char)(list[i].flags >> 8);
        *at++ = (unsigned char)list[i].flags;
    }
    put_method_parameters(&to->records, &(struct method_parameters_fields){.name = name, .descriptor = descriptor,
        .attribute = {attribute, (size_t)(at - attribute)}});
    to->count++;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)descriptor);
}

/* The parameters of the methods of a class, which the JVM hands over without them. */
static struct list parameters_of(jclass c) {
    struct list all = {0};
    jint n = 0;
    jmethodID *methods = NULL;
    if (!agent.attached || !c || !has_parameters_apart() ||
        (*agent.jvmti)->GetClassMethods(agent.jvmti, c, &n, &methods) != JVMTI_ERROR_NONE) return all;
    for (jint i = 0; i < n; i++) put_parameters(&all, methods[i]);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)methods);
    return all;
}

bool has_parameters(jclass c) {
    struct list all = parameters_of(c);
    free_message(&all.records);
    return all.count > 0;
}

/* Whether a class of a JVM that was started without Mallard may become what was answered. While all are made as they
 * were no other is to count: one that was noted before that begins is looked for. */
static bool may_change(const struct class_fields *class) {
    if (class->flags & ABI_CLASS_RESTORED) return true;
    if (agent.leaving) return false;
    note_changed(class->loader, class->name);
    return !agent.leaving;
}

/* Nobody has looked at what the constructors of a class do from now on. */
static void forget_unshown(void) { memset(agent.memory + ABI_UNSHOWN_OFFSET, 0, ABI_UNSHOWN_BYTES); }

static void ask_for(const struct class_fields *class, jint size, const unsigned char *data,
    const struct cached_class *cached, jint *new_size, unsigned char **new_data) {
    struct message m = {0};
    unsigned char *answer;
    uint32_t answer_size;
    put_class(&m, class);
    if (exchange(ABI_CLASS, &m, data, (size_t)size, &answer, &answer_size) != ANSWERED) {
        if (class->flags & ABI_CLASS_REDEFINED) forget_unshown();
        send_missed_class(&(struct class_missed_fields){.loader = class->loader,
            .flags = class->flags & ABI_CLASS_REDEFINED, .name = class->name});
    } else if (answer) {
        if (agent.attached && !may_change(class)) {
            (*agent.jvmti)->Deallocate(agent.jvmti, answer);
            return;
        }
        recognise_cached_class(cached, class->loader, class->name, answer, answer_size);
        *new_data = answer;
        *new_size = (jint)answer_size;
    }
}

/* Where nothing is counted there are threads still, which need their field. */
static bool stays(const char *name) {
    return agent.uncounted && !(name && strcmp(name, "java/lang/Thread") == 0);
}

static void rewrite(JNIEnv *env, jclass redefined, jobject loader, const char *name, jint size,
    const unsigned char *data, jint *new_size, unsigned char **new_data) {
    if (stays(name)) return;
    if (redefined) agent.redefined = true;
    send_gone_loaders(); /* this class may have their numbers */
    uint32_t id = number_loader(env, loader);
    struct list parameters = parameters_of(redefined);
    if (agent.leaving && parameters.count == 0) return; /* it becomes what the JVM has kept of it */
    struct cached_class cached = {0};
    if (!redefined) cached = find_cached_class(id, data, (uint32_t)size);
    if (redefined && name) class_changed(id, name);
    if (!answer_cached_class(&cached, id, name, new_data, new_size)) {
        uint32_t flags = (redefined ? ABI_CLASS_REDEFINED : 0) | (agent.leaving ? ABI_CLASS_RESTORED : 0);
        ask_for(&(struct class_fields){.loader = id, .flags = flags, .name = name, .parameters = &parameters}, size,
            data, &cached, new_size, new_data);
    }
    free(cached.entry);
    if (redefined) forget_numbers(); /* what the recorder calls its methods now it says when it is asked */
}

/* The class that this thread defines was rewritten by the first environment. */
static _Thread_local bool rewritten;

void JNICALL on_class_file_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
    jobject domain, jint size, const unsigned char *data, jint *new_size, unsigned char **new_data) {
    (void)jvmti, (void)domain;
    rewritten = !agent.last;
    if (rewritten && agent.engaged) rewrite(env, redefined, loader, name, size, data, new_size, new_data);
}

void JNICALL on_class_file_load_last(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
    jobject domain, jint size, const unsigned char *data, jint *new_size, unsigned char **new_data) {
    (void)jvmti, (void)domain;
    if (!rewritten && agent.engaged) rewrite(env, redefined, loader, name, size, data, new_size, new_data);
}

jobject loader_of(jclass c) {
    jobject loader = NULL;
    return (*agent.jvmti)->GetClassLoader(agent.jvmti, c, &loader) == JVMTI_ERROR_NONE ? loader : NULL;
}

bool class_name(char *signature, const char **name) {
    size_t n = signature ? strlen(signature) : 0;
    if (n < 2 || signature[0] != 'L') return false;
    signature[n - 1] = 0;
    *name = signature + 1;
    return true;
}
