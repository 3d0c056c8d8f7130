/* How large headers of arrays are and what objects are aligned to, from the sizes of arrays that are made for it. So no
 * JVM's rules need be known: they depend on its version, its flags and its heap. */
#include "arrays.h"

#include "agent.h"

enum { MOST_ELEMENTS = 512 }; /* more than fit into what the widest alignment, 256 bytes, leaves over */

typedef jobject (*maker)(JNIEnv *env, jsize length);

static jobject bytes(JNIEnv *env, jsize n) { return (*env)->NewByteArray(env, n); }
static jobject shorts(JNIEnv *env, jsize n) { return (*env)->NewShortArray(env, n); }
static jobject ints(JNIEnv *env, jsize n) { return (*env)->NewIntArray(env, n); }
static jobject longs(JNIEnv *env, jsize n) { return (*env)->NewLongArray(env, n); }

static jobject objects(JNIEnv *env, jsize n) {
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    jobject array = object ? (*env)->NewObjectArray(env, n, object, NULL) : NULL;
    if (object) (*env)->DeleteLocalRef(env, object);
    return array;
}

/* The size of an array in bytes; 0 without memory. */
static uint32_t size_of(JNIEnv *env, maker make, jsize length) {
    jlong size = 0;
    jobject array = make(env, length);
    if (!array) {
        (*env)->ExceptionClear(env);
        return 0;
    }
    if ((*agent.jvmti)->GetObjectSize(agent.jvmti, array, &size) != JVMTI_ERROR_NONE) size = 0;
    (*env)->DeleteLocalRef(env, array);
    return (uint32_t)size;
}

/* Lengthens an array until it grows, by the alignment: the elements before that one fill what an empty one leaves over.
 * Elements are aligned to their width, and to 4 bytes. */
static bool measure(JNIEnv *env, maker make, uint32_t width, uint32_t *header, uint32_t *alignment) {
    uint32_t empty = size_of(env, make, 0), size = empty;
    jsize n = 0;
    while (size == empty && n < MOST_ELEMENTS) size = size_of(env, make, ++n);
    if (empty == 0 || size <= empty) return false;
    *alignment = size - empty;
    *header = (empty - (uint32_t)(n - 1) * width) & ~((width > 4 ? width : 4) - 1);
    return true;
}

bool measure_arrays(JNIEnv *env, struct array_layout *layout) {
    uint32_t wide, many = size_of(env, objects, MOST_ELEMENTS), none = size_of(env, objects, 0);
    layout->reference = none && many > none ? (many - none) / MOST_ELEMENTS : 0;
    return layout->reference && measure(env, bytes, 1, &layout->header[0], &layout->alignment) &&
           measure(env, shorts, 2, &layout->header[1], &wide) && measure(env, ints, 4, &layout->header[2], &wide) &&
           measure(env, longs, 8, &layout->header[3], &wide) && measure(env, objects, layout->reference,
               &layout->header[4], &wide);
}
