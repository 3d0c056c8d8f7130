/* Hidden classes, which the VM shows to no agent: the runtime class gets them from the JDK's code that defines them. */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

/* Frames between a hidden class being defined and the code that it is for: those of java.lang.invoke. */
enum { DEEPEST_DEFINER = 64 };

static void put_no_location(struct message *m) {
    put_u32(m, 0);
    for (int i = 0; i < 4; i++) put_string(m, NULL);
    put_bytes(m, NULL, 0);
    put_u32(m, 0);
    put_u32(m, 0);
}

/* A class without a byte that could be the opcode of new, newarray, anewarray or multianewarray is not worth asking about. */
static bool may_allocate(const void *bytes, size_t size) {
    return memchr(bytes, 0xbb, size) || memchr(bytes, 0xbc, size) || memchr(bytes, 0xbd, size) || memchr(bytes, 0xc5, size);
}

static jbyteArray rewritten(JNIEnv *env, jobject loader, const void *bytes, size_t size) {
    jvmtiFrameInfo frames[DEEPEST_DEFINER];
    jint n = 0, i = 0;
    struct message m = {0};
    unsigned char *answer;
    uint32_t answer_size;
    put_u32(&m, number_loader(env, loader));
    put_u32(&m, WIRE_CLASS_HIDDEN);
    put_string(&m, NULL);
    if ((*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, DEEPEST_DEFINER, frames, &n) != JVMTI_ERROR_NONE) n = 0;
    while (i < n && !put_location(&m, env, &frames[i])) i++;
    if (i == n) put_no_location(&m);
    if (!exchange(WIRE_CLASS, &m, bytes, size, &answer, &answer_size) || !answer) return NULL;
    jbyteArray array = (*env)->NewByteArray(env, (jsize)answer_size);
    if (array) (*env)->SetByteArrayRegion(env, array, 0, (jsize)answer_size, (const jbyte *)answer);
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    return array; /* or NULL and an OutOfMemoryError, which the runtime class catches */
}

/* The runtime class's rewrite. NULL leaves the class as it is. */
JNIEXPORT jbyteArray JNICALL Java_java_lang__00024Mallard_rewrite(JNIEnv *env, jclass c, jobject loader, jbyteArray file) {
    (void)c;
    if (!agent.engaged) return NULL;
    jsize size = (*env)->GetArrayLength(env, file);
    jbyte *bytes = malloc((size_t)size);
    if (!bytes) return NULL;
    (*env)->GetByteArrayRegion(env, file, 0, size, bytes);
    jbyteArray array = may_allocate(bytes, (size_t)size) ? rewritten(env, loader, bytes, (size_t)size) : NULL;
    free(bytes);
    return array;
}
