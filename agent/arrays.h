/* What arrays take on the heap, measured. */
#ifndef MALLARD_ARRAYS_H
#define MALLARD_ARRAYS_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

struct array_layout {
    uint32_t header[5];  /* bytes before the first element, where elements have 1, 2, 4, 8 bytes or are references */
    uint32_t reference;  /* bytes of a reference */
    uint32_t alignment;  /* of objects, in bytes */
};

/* VMStart and later. Makes a few small arrays. False where JVMTI refuses. */
bool measure_arrays(JNIEnv *env, struct array_layout *layout);

#endif
