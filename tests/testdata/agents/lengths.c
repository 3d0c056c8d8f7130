/* Says how long the code of each method is that the JVM has: "lengths.so=FILE", attached to it. */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

static void print(FILE *out, jvmtiEnv *jvmti, const char *class, jmethodID m) {
    char *name = NULL, *descriptor = NULL;
    unsigned char *code = NULL;
    jint length = -1;
    (*jvmti)->GetMethodName(jvmti, m, &name, &descriptor, NULL);
    if ((*jvmti)->GetBytecodes(jvmti, m, &length, &code) != JVMTI_ERROR_NONE) length = -1; /* it has none */
    fprintf(out, "%s.%s%s %d\n", class, name, descriptor, (int)length);
    (*jvmti)->Deallocate(jvmti, code);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    jvmtiEnv *jvmti = NULL;
    JNIEnv *env = NULL;
    jvmtiCapabilities c;
    jint n = 0, methods = 0;
    jclass *classes = NULL;
    (void)reserved;
    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2);
    (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8);
    memset(&c, 0, sizeof c);
    c.can_get_bytecodes = 1;
    FILE *out = fopen(options, "w");
    if (!out || (*jvmti)->AddCapabilities(jvmti, &c) != JVMTI_ERROR_NONE) return JNI_ERR;
    (*env)->PushLocalFrame(env, 65536);
    (*jvmti)->GetLoadedClasses(jvmti, &n, &classes);
    for (jint i = 0; i < n; i++) {
        char *signature = NULL;
        jmethodID *list = NULL;
        (*jvmti)->GetClassSignature(jvmti, classes[i], &signature, NULL);
        if ((*jvmti)->GetClassMethods(jvmti, classes[i], &methods, &list) != JVMTI_ERROR_NONE) methods = 0;
        for (jint k = 0; k < methods; k++) print(out, jvmti, signature, list[k]);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)list);
    }
    (*env)->PopLocalFrame(env, NULL);
    (*jvmti)->DisposeEnvironment(jvmti);
    return fclose(out) == 0 ? JNI_OK : JNI_ERR;
}
