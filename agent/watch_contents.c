/* Contents of single objects, while the program runs: what JNI gives of their fields and elements. */
#include "agent.h"
#include "values.h"
#include "watch.h"

#include <string.h>

enum {
    MOST_BYTES = 1 << 16, /* of an array of numbers */
    MOST_REFERENCES = 1 << 10,
    CHUNK = 1 << 10
};

uint64_t object_identity(jobject object) {
    jint hash = 0;
    if (object) (*agent.jvmti)->GetObjectHashCode(agent.jvmti, object, &hash);
    return (uint32_t)hash;
}

static uint64_t mix_bytes(uint64_t hash, const void *data, size_t size) {
    uint64_t word;
    const unsigned char *at = data;
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    memcpy(&word, at, size);
    return mix(hash, word);
}

uint32_t bytes_of_type(char type) {
    switch (type) {
    case 'Z': case 'B': return 1;
    case 'C': case 'S': return 2;
    case 'I': case 'F': return 4;
    default: return 8;
    }
}

void get_elements(JNIEnv *env, jobject array, char type, jint from, jint n, void *to) {
    switch (type) {
    case 'Z': (*env)->GetBooleanArrayRegion(env, array, from, n, to); break;
    case 'B': (*env)->GetByteArrayRegion(env, array, from, n, to); break;
    case 'C': (*env)->GetCharArrayRegion(env, array, from, n, to); break;
    case 'S': (*env)->GetShortArrayRegion(env, array, from, n, to); break;
    case 'I': (*env)->GetIntArrayRegion(env, array, from, n, to); break;
    case 'F': (*env)->GetFloatArrayRegion(env, array, from, n, to); break;
    case 'J': (*env)->GetLongArrayRegion(env, array, from, n, to); break;
    default: (*env)->GetDoubleArrayRegion(env, array, from, n, to); break;
    }
}

static bool numbers_of(JNIEnv *env, jobject array, char type, jint length, uint64_t *hash) {
    uint64_t chunk[CHUNK];
    uint64_t size = bytes_of_type(type);
    if ((uint64_t)length * size > MOST_BYTES) return false;
    jint most = (jint)(sizeof chunk / size);
    for (jint at = 0; at < length; at += most) {
        jint n = length - at < most ? length - at : most;
        get_elements(env, array, type, at, n, chunk);
        *hash = mix_bytes(*hash, chunk, (size_t)n * size);
    }
    return true;
}

static bool references_of(JNIEnv *env, jobject array, jint length, uint64_t *hash) {
    if (length > MOST_REFERENCES) return false;
    for (jint i = 0; i < length; i++) {
        jobject element = (*env)->GetObjectArrayElement(env, array, i);
        *hash = mix(*hash, object_identity(element));
        if (element) (*env)->DeleteLocalRef(env, element);
    }
    return true;
}

uint64_t primitive_field(JNIEnv *env, jobject object, jfieldID field, char type) {
    uint64_t value = 0;
    switch (type) {
    case 'Z': return (*env)->GetBooleanField(env, object, field);
    case 'B': return (uint64_t)(*env)->GetByteField(env, object, field);
    case 'C': return (*env)->GetCharField(env, object, field);
    case 'S': return (uint64_t)(*env)->GetShortField(env, object, field);
    case 'I': return (uint64_t)(*env)->GetIntField(env, object, field);
    case 'J': return (uint64_t)(*env)->GetLongField(env, object, field);
    case 'F': {
        jfloat f = (*env)->GetFloatField(env, object, field);
        memcpy(&value, &f, sizeof f);
        return value;
    }
    default: {
        jdouble d = (*env)->GetDoubleField(env, object, field);
        memcpy(&value, &d, sizeof d);
        return value;
    }
    }
}

/* What says only whether somebody has asked for a string's hash, or who has made it, is no contents. */
static bool is_left_out(bool of_string, const char *name) {
    return of_string &&
           (strcmp(name, "hash") == 0 || strcmp(name, "hashIsZero") == 0 || strcmp(name, "$mallard") == 0);
}

static bool declared_fields(JNIEnv *env, jobject object, jclass c, bool of_string, field_user *use, void *argument) {
    enum { STATIC = 8 };
    jint count = 0;
    jfieldID *fields = NULL;
    if ((*agent.jvmti)->GetClassFields(agent.jvmti, c, &count, &fields) != JVMTI_ERROR_NONE) return false;
    bool all = true;
    for (jint i = 0; all && i < count; i++) {
        jint modifiers = 0;
        char *name = NULL, *type = NULL;
        all = (*agent.jvmti)->GetFieldModifiers(agent.jvmti, c, fields[i], &modifiers) == JVMTI_ERROR_NONE;
        if (!all || modifiers & STATIC) continue;
        all = (*agent.jvmti)->GetFieldName(agent.jvmti, c, fields[i], &name, &type, NULL) == JVMTI_ERROR_NONE;
        if (all && !is_left_out(of_string, name)) use(env, object, fields[i], name, *type, argument);
        if (name) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
        if (type) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)type);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)fields);
    return all;
}

bool each_field(JNIEnv *env, jobject object, bool of_string, field_user *use, void *argument) {
    jclass c = (*env)->GetObjectClass(env, object);
    bool all = c != NULL;
    while (c) {
        all = all && declared_fields(env, object, c, of_string, use, argument);
        jclass super = (*env)->GetSuperclass(env, c);
        (*env)->DeleteLocalRef(env, c);
        c = super;
    }
    return all;
}

static void mix_field(JNIEnv *env, jobject object, jfieldID field, const char *name, char type, void *argument) {
    uint64_t *hash = argument;
    (void)name;
    if (!is_reference_type(type)) {
        *hash = mix(*hash, primitive_field(env, object, field, type));
        return;
    }
    jobject to = (*env)->GetObjectField(env, object, field);
    *hash = mix(*hash, object_identity(to));
    if (to) (*env)->DeleteLocalRef(env, to);
}

bool contents_of(JNIEnv *env, jobject object, const char *signature, uint64_t *hash) {
    *hash = 0;
    if (signature[0] != '[')
        return each_field(env, object, strcmp(signature, "Ljava/lang/String;") == 0, mix_field, hash);
    jint length = (*env)->GetArrayLength(env, object);
    *hash = (uint64_t)length;
    if (is_reference_type(signature[1])) return references_of(env, object, length, hash);
    return numbers_of(env, object, signature[1], length, hash);
}
