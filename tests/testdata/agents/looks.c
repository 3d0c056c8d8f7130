/* Looks at the heap whenever the program asks for it, as other agents do: at each object, dead ones included, and at
 * each that there is a way to. */
#include <jvmti.h>
#include <string.h>

static jvmtiEnv *jvmti;

static jint JNICALL each(jlong class_tag, jlong size, jlong *tag, jint length, void *count) {
    (void)class_tag, (void)size, (void)tag, (void)length;
    ++*(jlong *)count;
    return 0;
}

static jint JNICALL reached(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
    jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *count) {
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size, (void)referrer_tag, (void)length;
    if (*tag == 0) ++*(jlong *)count;
    *tag = 1;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL forget(jlong class_tag, jlong size, jlong *tag, jint length, void *unused) {
    (void)class_tag, (void)size, (void)length, (void)unused;
    *tag = 0;
    return 0;
}

static jlong look(jvmtiHeapCallbacks callbacks, jclass of) {
    jlong count = 0;
    jvmtiError error = callbacks.heap_reference_callback
        ? (*jvmti)->FollowReferences(jvmti, 0, of, NULL, &callbacks, &count)
        : (*jvmti)->IterateThroughHeap(jvmti, 0, of, &callbacks, &count);
    return error == JVMTI_ERROR_NONE ? count : -1;
}

/* How many objects of a class are in the heap. */
JNIEXPORT jlong JNICALL Java_Looked_iterate(JNIEnv *env, jclass self, jclass of) {
    (void)env, (void)self;
    return look((jvmtiHeapCallbacks){.heap_iteration_callback = each}, of);
}

/* How many objects of a class there is a way to; each gets a tag of JVMTI's, which is taken from it again. */
JNIEXPORT jlong JNICALL Java_Looked_follow(JNIEnv *env, jclass self, jclass of) {
    (void)env, (void)self;
    jlong count = look((jvmtiHeapCallbacks){.heap_reference_callback = reached}, of);
    look((jvmtiHeapCallbacks){.heap_iteration_callback = forget}, of);
    return count;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities c;
    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    memset(&c, 0, sizeof c);
    c.can_tag_objects = 1;
    return (*jvmti)->AddCapabilities(jvmti, &c) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}
