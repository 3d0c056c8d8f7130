/* Native methods that make objects in every way that JNI has. */
#include <jni.h>

JNIEXPORT jobject JNICALL Java_Natives_object(JNIEnv *env, jclass c, jint i) {
    jclass point = (*env)->FindClass(env, "Natives$Point");
    jmethodID constructor = (*env)->GetMethodID(env, point, "<init>", "(I)V");
    jvalue argument = {.i = i};
    (void)c;
    switch (i % 3) {
    case 0: return (*env)->NewObject(env, point, constructor, i);
    case 1: return (*env)->NewObjectA(env, point, constructor, &argument);
    default: return (*env)->AllocObject(env, point);
    }
}

JNIEXPORT jobject JNICALL Java_Natives_array(JNIEnv *env, jclass c, jint i) {
    (void)c;
    switch (i % 4) {
    case 0: return (*env)->NewIntArray(env, i);
    case 1: return (*env)->NewDoubleArray(env, i);
    case 2: return (*env)->NewObjectArray(env, i, (*env)->FindClass(env, "Natives$Point"), NULL);
    default: return (*env)->NewObjectArray(env, i, (*env)->FindClass(env, "java/lang/String"), NULL);
    }
}

JNIEXPORT jstring JNICALL Java_Natives_string(JNIEnv *env, jclass c, jint i) {
    static const jchar text[] = {'t', 0x20ac, 'x', 't'};
    (void)c;
    return i % 2 ? (*env)->NewStringUTF(env, "a text") : (*env)->NewString(env, text, 4);
}

JNIEXPORT void JNICALL Java_Natives_raise(JNIEnv *env, jclass c, jint i) {
    (void)c;
    (*env)->ThrowNew(env, (*env)->FindClass(env, i % 2 ? "Natives$Failure" : "java/lang/NullPointerException"), "raised");
}
