/* Native methods of the runtime classes that agents have which come and go: the VM looks for them once, by their names,
 * in the library of the first agent that there was. That calls whoever is attached. */
#include "agent.h"

struct natives natives = {ABI_VERSION, rewrite_hidden_class, locate_exception, size_of_object,
    see_watched, locate_lost, tag_late};

/* $Mallard.rewrite. NULL leaves the class as it is. */
JNIEXPORT jbyteArray JNICALL Java_java_lang__00024Mallard_rewrite(JNIEnv *env, jclass c, jobject loader,
    jbyteArray file);

JNIEXPORT jbyteArray JNICALL Java_java_lang__00024Mallard_rewrite(JNIEnv *env, jclass c, jobject loader,
    jbyteArray file) {
    (void)c;
    return natives.rewrite(env, loader, file);
}

/* $MallardVM.locate */
JNIEXPORT jint JNICALL Java_java_lang__00024MallardVM_locate(JNIEnv *env, jclass runtime, jthrowable made);

JNIEXPORT jint JNICALL Java_java_lang__00024MallardVM_locate(JNIEnv *env, jclass runtime, jthrowable made) {
    (void)runtime;
    return natives.locate(env, made);
}

/* $MallardReflection.lost */
JNIEXPORT jlong JNICALL Java_java_lang__00024MallardReflection_lost(JNIEnv *env, jclass runtime, jclass made);

JNIEXPORT jlong JNICALL Java_java_lang__00024MallardReflection_lost(JNIEnv *env, jclass runtime, jclass made) {
    (void)runtime;
    return natives.lost(env, made);
}

/* $MallardObjects.size */
JNIEXPORT jint JNICALL Java_java_lang__00024MallardObjects_size(JNIEnv *env, jclass runtime, jobject object);

JNIEXPORT jint JNICALL Java_java_lang__00024MallardObjects_size(JNIEnv *env, jclass runtime, jobject object) {
    (void)runtime;
    return natives.size(env, object);
}

/* $MallardTags.late */
JNIEXPORT void JNICALL Java_java_lang__00024MallardTags_late(JNIEnv *env, jclass runtime, jobject object, jint tag);

JNIEXPORT void JNICALL Java_java_lang__00024MallardTags_late(JNIEnv *env, jclass runtime, jobject object, jint tag) {
    (void)runtime;
    natives.tag(env, object, tag);
}

/* $MallardWatch.seen */
JNIEXPORT void JNICALL Java_java_lang__00024MallardWatch_seen(JNIEnv *env, jclass runtime, jint slot, jobject from,
    jint index, jlong value, jobject reference, jint place);

JNIEXPORT void JNICALL Java_java_lang__00024MallardWatch_seen(JNIEnv *env, jclass runtime, jint slot, jobject from,
    jint index, jlong value, jobject reference, jint place) {
    (void)runtime;
    natives.see(env, slot, from, index, value, reference, place);
}
