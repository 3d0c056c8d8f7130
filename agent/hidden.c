/* Hidden classes, which the VM shows to no agent: the runtime class gets them from the JDK's code that defines them. */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

/* Frames between a hidden class being defined and the code that it is for: those of java.lang.invoke. */
enum { DEEPEST_DEFINER = 64 };

/* A class without a byte that could be the opcode of new, newarray, anewarray or multianewarray is not worth asking
 * about, unless it names a method whose calls allocate: that of Arrays::copyOf calls it. */
static bool may_allocate(const void *bytes, size_t size) {
    static const char *const methods[] = {"copyOf", "newInstance", "allocateInstance", "clone"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (memmem(bytes, size, methods[i], strlen(methods[i]))) return true;
    return memchr(bytes, 0xbb, size) || memchr(bytes, 0xbc, size) || memchr(bytes, 0xbd, size) ||
           memchr(bytes, 0xc5, size);
}

/* What is to be hidden, and what became of it. */
struct hidden_class {
    uint32_t loader;
    const void *bytes;
    size_t size;
    unsigned char *answer; /* JVMTI's; NULL leaves the class as it is */
    uint32_t answer_size;
};

static void send_hidden(const struct instruction_fields *made_for, void *argument) {
    struct hidden_class *c = argument;
    struct message m = {0};
    put_hidden_class(&m, &(struct hidden_class_fields){.loader = c->loader, .made_for = *made_for});
    if (exchange(ABI_HIDDEN_CLASS, &m, c->bytes, c->size, &c->answer, &c->answer_size) != ANSWERED)
        send_missed_class(&(struct class_missed_fields){.loader = c->loader, .flags = ABI_CLASS_HIDDEN});
}

static jbyteArray rewritten(JNIEnv *env, jobject loader, const void *bytes, size_t size) {
    jvmtiFrameInfo frames[DEEPEST_DEFINER];
    jint n = 0, i = 0;
    struct hidden_class c = {.loader = number_loader(env, loader), .bytes = bytes, .size = size};
    if (!own_stack(env, 0, DEEPEST_DEFINER, frames, &n)) n = 0;
    while (i < n && !with_code_location(env, &frames[i], send_hidden, &c)) i++;
    if (i == n) send_hidden(&(struct instruction_fields){.source = NULL}, &c);
    if (!c.answer) return NULL;
    if (agent.attached) agent.left_behind = true; /* nobody can change it back */
    jbyteArray array = agent.leaving ? NULL : (*env)->NewByteArray(env, (jsize)c.answer_size);
    if (array) (*env)->SetByteArrayRegion(env, array, 0, (jsize)c.answer_size, (const jbyte *)c.answer);
    (*agent.jvmti)->Deallocate(agent.jvmti, c.answer);
    return array; /* or NULL and an OutOfMemoryError, which the runtime class catches */
}

jbyteArray rewrite_hidden_class(JNIEnv *env, jobject loader, jbyteArray file) {
    if (!agent.engaged) return NULL;
    jsize size = (*env)->GetArrayLength(env, file);
    jbyte *bytes = malloc((size_t)size);
    if (!bytes) return NULL;
    (*env)->GetByteArrayRegion(env, file, 0, size, bytes);
    jbyteArray array = may_allocate(bytes, (size_t)size) ? rewritten(env, loader, bytes, (size_t)size) : NULL;
    free(bytes);
    return array;
}
