/* What the runtime classes ask of objects and classes where the JVM's own structures are not read (hotspot.h). */
#include "agent.h"

/* $MallardObjects.size, which the VM finds by this name. */
JNIEXPORT jint JNICALL Java_java_lang__00024MallardObjects_size(JNIEnv *env, jclass runtime, jobject object);

JNIEXPORT jint JNICALL Java_java_lang__00024MallardObjects_size(JNIEnv *env, jclass runtime, jobject object) {
    (void)env, (void)runtime;
    jlong size = 0;
    return (*agent.jvmti)->GetObjectSize(agent.jvmti, object, &size) == JVMTI_ERROR_NONE ? (jint)size : 0;
}

/* $MallardObjects.inheritsClone, which the VM finds by this name. A method that is inherited has the ID that it has in
 * the class that declares it. */
JNIEXPORT jboolean JNICALL Java_java_lang__00024MallardObjects_inheritsClone(JNIEnv *env, jclass runtime, jclass from);

JNIEXPORT jboolean JNICALL Java_java_lang__00024MallardObjects_inheritsClone(JNIEnv *env, jclass runtime, jclass from) {
    jclass object = (*env)->GetSuperclass(env, runtime);
    jmethodID clone = (*env)->GetMethodID(env, object, "clone", "()Ljava/lang/Object;");
    jmethodID inherited = clone ? (*env)->GetMethodID(env, from, "clone", "()Ljava/lang/Object;") : NULL;
    (*env)->DeleteLocalRef(env, object);
    return inherited && inherited == clone;
}
