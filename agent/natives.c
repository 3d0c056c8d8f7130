/* What native code makes through JNI. The functions that make objects are replaced (SetJNIFunctionTable) by ones that
 * count as well, at the call of the native method. */
#include "agent.h"

#include <stdarg.h>
#include <string.h>

static jniNativeInterface real; /* the VM's functions */
static jfieldID string_value;

static void add(unsigned char *block, uint32_t counter, uint64_t n) {
    uint64_t *word = (uint64_t *)(void *)(block + 8 * (size_t)counter);
    *word += n; /* the thread's own */
}

static void add_object(JNIEnv *env, unsigned char *block, uint32_t counter, jobject made, bool array) {
    jlong size = 0;
    (*agent.jvmti)->GetObjectSize(agent.jvmti, made, &size);
    add(block, counter, 1);
    if (array) add(block, counter + 1, (uint64_t)real.GetArrayLength(env, made));
    add(block, counter + 2, (uint64_t)size);
}

static const char *const alone[] = {NULL}, *const bytes[] = {"[B", NULL};

/* Counts an object that the running native method has made. kind tells objects apart that it makes of several
 * classes. */
static void count(JNIEnv *env, jobject made, const void *kind, bool array, bool string) {
    jvmtiFrameInfo frames[2];
    jint n = 0;
    jthread self = NULL;
    if (!made || !agent.engaged) return;
    if (!own_stack(env, 0, 2, frames, &n) || n < 2) return;
    /* the VM's or an agent's own; or called by native code */
    if (frames[0].location >= 0 || frames[1].location < 0) return;
    int32_t counter = counter_at(env, &(struct made_at){.frame = frames[1], .depth = 1, .kind = kind, .made = made,
        .more = string ? bytes : alone});
    if (counter == NO_COUNTER || (*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return;
    unsigned char *block = block_address(block_of(env, self));
    (*env)->DeleteLocalRef(env, self);
    add_object(env, block, (uint32_t)counter, made, array);
    if (!string) return;
    jobject value = real.GetObjectField(env, made, string_value);
    add_object(env, block, (uint32_t)counter + 3, value, true);
    (*env)->DeleteLocalRef(env, value);
}

static void count_array(JNIEnv *env, jobject made, const char *type) { count(env, made, type, true, false); }

static void count_string(JNIEnv *env, jstring made) { count(env, made, "string", false, true); }

/* What has no constructor to tell its class by. */
static void count_by_class(JNIEnv *env, jobject made, bool array) {
    char *signature = NULL;
    if (!made || !agent.engaged) return;
    jclass c = (*env)->GetObjectClass(env, made);
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE)
        count(env, made, kind_of_type(signature), array, false);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    (*env)->DeleteLocalRef(env, c);
}

#define OBJECT(function, original, list)                                                                            \
    static jobject JNICALL function(JNIEnv *env, jclass c, jmethodID constructor, list arguments) {                 \
        jmethodID outer = constructing;                                                                             \
        constructing = constructor;                                                                                 \
        jobject made = real.original(env, c, constructor, arguments);                                               \
        constructing = outer;                                                                                       \
        count(env, made, constructor, false, false);                                                                \
        return made;                                                                                                \
    }
OBJECT(new_object_v, NewObjectV, va_list)
OBJECT(new_object_a, NewObjectA, const jvalue *)

static jobject JNICALL new_object(JNIEnv *env, jclass c, jmethodID constructor, ...) {
    va_list arguments;
    va_start(arguments, constructor);
    jobject made = new_object_v(env, c, constructor, arguments);
    va_end(arguments);
    return made;
}

static jobject JNICALL alloc_object(JNIEnv *env, jclass c) {
    jobject made = real.AllocObject(env, c);
    count_by_class(env, made, false);
    return made;
}

static jobject JNICALL new_direct_byte_buffer(JNIEnv *env, void *address, jlong capacity) {
    jobject made = real.NewDirectByteBuffer(env, address, capacity);
    count_by_class(env, made, false);
    return made;
}

/* Exceptions of some classes are counted by their constructors, with the message that the VM makes. */
static jint JNICALL throw_new(JNIEnv *env, jclass c, const char *message) {
    thrown_by_native = false;
    jint result = real.ThrowNew(env, c, message);
    jthrowable made = thrown_by_native ? NULL : real.ExceptionOccurred(env);
    if (made) {
        real.ExceptionClear(env); /* nothing can be asked while one is pending */
        count_by_class(env, made, false);
        real.Throw(env, made);
        (*env)->DeleteLocalRef(env, made);
    }
    return result;
}

static jobjectArray JNICALL new_object_array(JNIEnv *env, jsize length, jclass c, jobject initial) {
    jobjectArray made = real.NewObjectArray(env, length, c, initial);
    count_by_class(env, made, true);
    return made;
}

static jstring JNICALL new_string(JNIEnv *env, const jchar *text, jsize length) {
    jstring made = real.NewString(env, text, length);
    count_string(env, made);
    return made;
}

static jstring JNICALL new_string_utf(JNIEnv *env, const char *text) {
    jstring made = real.NewStringUTF(env, text);
    count_string(env, made);
    return made;
}

#define ARRAY(function, original, type, descriptor)                  \
    static type JNICALL function(JNIEnv *env, jsize length) {        \
        type made = real.original(env, length);                      \
        count_array(env, made, descriptor);                          \
        return made;                                                 \
    }
ARRAY(new_boolean_array, NewBooleanArray, jbooleanArray, "[Z")
ARRAY(new_byte_array, NewByteArray, jbyteArray, "[B")
ARRAY(new_char_array, NewCharArray, jcharArray, "[C")
ARRAY(new_short_array, NewShortArray, jshortArray, "[S")
ARRAY(new_int_array, NewIntArray, jintArray, "[I")
ARRAY(new_long_array, NewLongArray, jlongArray, "[J")
ARRAY(new_float_array, NewFloatArray, jfloatArray, "[F")
ARRAY(new_double_array, NewDoubleArray, jdoubleArray, "[D")

static void replace(jniNativeInterface *functions) {
    functions->NewObject = new_object;
    functions->NewObjectV = new_object_v;
    functions->NewObjectA = new_object_a;
    functions->AllocObject = alloc_object;
    functions->NewDirectByteBuffer = new_direct_byte_buffer;
    functions->ThrowNew = throw_new;
    functions->NewObjectArray = new_object_array;
    functions->NewString = new_string;
    functions->NewStringUTF = new_string_utf;
    functions->NewBooleanArray = new_boolean_array;
    functions->NewByteArray = new_byte_array;
    functions->NewCharArray = new_char_array;
    functions->NewShortArray = new_short_array;
    functions->NewIntArray = new_int_array;
    functions->NewLongArray = new_long_array;
    functions->NewFloatArray = new_float_array;
    functions->NewDoubleArray = new_double_array;
}

void start_watching_natives(JNIEnv *env) {
    jniNativeInterface *functions = NULL;
    if (!agent.natives) return;
    jclass string = (*env)->FindClass(env, "java/lang/String");
    string_value = string ? (*env)->GetFieldID(env, string, "value", "[B") : NULL;
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    if (!string_value || (*agent.jvmti)->GetJNIFunctionTable(agent.jvmti, &functions) != JVMTI_ERROR_NONE) return;
    real = *functions;
    replace(functions);
    (*agent.jvmti)->SetJNIFunctionTable(agent.jvmti, functions); /* or what native code makes has no site */
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)functions);
}
