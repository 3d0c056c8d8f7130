/* What sampled objects have in their fields and elements, where that is asked for (run --show-values), through JNI. The
 * program may change them meanwhile; no code of its own is called. */
#include "agent.h"
#include "values.h"
#include "watch.h"

#include <string.h>

struct writer {
    struct value_writer value;
    unsigned depth; /* of what is read now: 0 shows plain objects alone */
};

static void put_object(JNIEnv *env, struct writer *w, jobject object);

static void put_reference(JNIEnv *env, struct writer *w, jobject target) {
    if (target)
        put_object(env, w, target);
    else
        put_letter(&w->value, ABI_VALUE_NULL);
    if (target) (*env)->DeleteLocalRef(env, target);
}

static void put_field(JNIEnv *env, jobject object, jfieldID field, const char *name, char type, void *argument) {
    struct writer *w = argument;
    uint32_t width = bytes_of_type(type);
    if (!put_name(&w->value, ABI_VALUE_FIELD, name, strlen(name), 1 + width)) return;
    if (is_reference_type(type)) {
        put_reference(env, w, (*env)->GetObjectField(env, object, field));
        return;
    }
    uint64_t value = primitive_field(env, object, field, type);
    put_primitive(&w->value, type, &value, width);
}

static void put_array(JNIEnv *env, struct writer *w, jobject array, char type) {
    uint64_t numbers[ABI_REPLICA_VALUE_ELEMENTS];
    uint32_t width = bytes_of_type(type);
    uint32_t n = begin_elements(&w->value, type, width, (uint32_t)(*env)->GetArrayLength(env, array));
    if (!is_reference_type(type)) {
        get_elements(env, array, type, 0, (jint)n, numbers);
        memcpy(w->value.to, numbers, n * width);
        w->value.to += n * width;
        return;
    }
    for (uint32_t i = 0; i < n && !w->value.cut; i++)
        put_reference(env, w, (*env)->GetObjectArrayElement(env, array, (jsize)i));
}

/* Whether it is a class; those of primitive types are like other objects. */
static bool put_class_object(struct writer *w, jobject object) {
    char *signature = NULL;
    const char *name;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, object, &signature, NULL) != JVMTI_ERROR_NONE) return false;
    bool is_class = is_reference_type(signature[0]);
    if (!class_name(signature, &name)) name = signature;
    if (is_class) put_name(&w->value, ABI_VALUE_CLASS, name, strlen(name), 0);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return is_class;
}

/* class: in internal form. */
static void put_object_of(JNIEnv *env, struct writer *w, jobject object, const char *class) {
    size_t length = strlen(class);
    unsigned depth = w->depth;
    if (strcmp(class, "java/lang/Class") == 0 && put_class_object(w, object)) return;
    w->depth = depth ? depth - 1 : 0;
    if (class[0] == '[' && (depth > 0 || !is_reference_type(class[1]))) {
        put_array(env, w, object, class[1]);
    } else if (class[0] != '[' && (depth > 0 || is_plain(class, length))) {
        put_name(&w->value, ABI_VALUE_INSTANCE, class, length, 0);
        if (!each_field(env, object, strcmp(class, "java/lang/String") == 0, put_field, w)) cut_value(&w->value);
        put_letter(&w->value, ABI_VALUE_END);
    } else {
        put_identity(&w->value, class, length, (uint32_t)object_identity(object));
    }
    w->depth = depth;
}

static void put_object(JNIEnv *env, struct writer *w, jobject object) {
    char *signature = NULL;
    const char *name;
    jclass c = (*env)->GetObjectClass(env, object);
    if (c && (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE) {
        put_object_of(env, w, object, class_name(signature, &name) ? name : signature);
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    } else {
        cut_value(&w->value);
    }
    if (c) (*env)->DeleteLocalRef(env, c);
}

static bool was_said(const struct said_values *said, uint64_t value) {
    for (unsigned i = 0; i < ABI_REPLICA_VALUES; i++)
        if (said->values[i] == value) return true;
    return false;
}

void tell_value(JNIEnv *env, jobject object, const char *signature, uint32_t made, uint64_t hash,
                struct said_values *said) {
    unsigned char contents[ABI_REPLICA_VALUE_BYTES];
    struct sampled_value_fields fields = {.made = made, .hash = hash};
    struct message m = {0};
    uint64_t again, value = mix(hash, made);
    bool is_new = !was_said(said, value);
    if (is_new) {
        struct writer w = {begin_value(contents, sizeof contents), 1};
        put_object(env, &w, object);
        fields.contents = (struct bytes){contents, end_value(&w.value, contents)};
        if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
        if (!contents_of(env, object, signature, &again) || again != hash) return; /* it has changed meanwhile */
    }
    put_sampled_value(&m, &fields);
    if (!post_at_once(ABI_SAMPLED_VALUE, &m) || !is_new) return;
    said->values[said->next] = value;
    said->next = (said->next + 1) % ABI_REPLICA_VALUES;
}
