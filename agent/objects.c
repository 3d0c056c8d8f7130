/* What the runtime classes ask of objects and classes where the JVM's own structures are not read (hotspot.h). */
#include "agent.h"

/* $MallardObjects.size */
jint size_of_object(JNIEnv *env, jobject object) {
    (void)env;
    jlong size = 0;
    if (agent.leaving || (*agent.jvmti)->GetObjectSize(agent.jvmti, object, &size) != JVMTI_ERROR_NONE) return 0;
    return (jint)size;
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
