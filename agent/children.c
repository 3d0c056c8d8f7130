/* Programs that the program starts: the agent gets into their JVMs as it got into this one. */
#include "agent.h"
#include "binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A shim gives this JVM the agent as an argument, and takes it out of JAVA_TOOL_OPTIONS, so that the JVM has nothing to
 * say (internal/shim). It goes back there before the program can see its environment; options say so. */
void restore_tool_options(const char *options) {
    const char *variable = "JAVA_TOOL_OPTIONS", *ours = getenv("MALLARD_TOOL_OPTIONS"), *theirs = getenv(variable);
    char *both = NULL;
    if (!ours || !strstr(options, ",restore")) return;
    if (asprintf(&both, "%s%s%s", ours, theirs ? " " : "", theirs ? theirs : "") < 0) return;
    setenv(variable, both, 1);
    free(both);
}

/* java.lang.ProcessImpl.forkAndExec, by which the JDK starts programs. Names and lists end with a 0 byte. */
typedef jint JNICALL start_program(JNIEnv *, jobject process, jint mode, jbyteArray helper, jbyteArray program,
    jbyteArray arguments, jint argument_count, jbyteArray environment, jint variable_count, jbyteArray directory,
    jintArray streams, jboolean merged);
static start_program *start_as_is;
static jbyteArray(JNICALL *new_bytes)(JNIEnv *, jsize); /* which nobody counts */

static void put_array(struct message *m, JNIEnv *env, jbyteArray array, bool name) {
    jsize n = array ? (*env)->GetArrayLength(env, array) : 0;
    jbyte *data = n > 0 ? (*env)->GetByteArrayElements(env, array, NULL) : NULL;
    if (n > 0 && !data) { /* no memory: nobody is asked */
        (*env)->ExceptionClear(env);
        m->failed = true;
    }
    put_bytes(m, (struct bytes){data, data ? (size_t)(name ? n - 1 : n) : 0});
    if (data) (*env)->ReleaseByteArrayElements(env, array, data, JNI_ABORT);
}

static void put_environment(struct message *m) {
    struct message all = {0};
    for (char **v = environ; v && *v; v++) put_data(&all, *v, strlen(*v) + 1);
    put_bytes(m, (struct bytes){all.data, all.size});
    m->failed |= all.failed;
    free_message(&all);
}

/* Replaces a list by another one; it stays where the JVM has no memory. */
static void take_list(JNIEnv *env, struct bytes from, jbyteArray *list, jint *count) {
    jbyteArray made = new_bytes(env, (jsize)from.size);
    if (!made) return (*env)->ExceptionClear(env);
    (*env)->SetByteArrayRegion(env, made, 0, (jsize)from.size, from.data);
    *list = made;
    *count = 0;
    for (size_t i = 0; i < from.size; i++) *count += ((const char *)from.data)[i] == 0;
}

static jint JNICALL start_recorded(JNIEnv *env, jobject process, jint mode, jbyteArray helper, jbyteArray program,
    jbyteArray arguments, jint argument_count, jbyteArray environment, jint variable_count, jbyteArray directory,
    jintArray streams, jboolean merged) {
    struct message m = {0};
    unsigned char *data = NULL;
    uint32_t size = 0;
    struct command_answer answer = {0};
    put_array(&m, env, program, true);
    put_array(&m, env, directory, true);
    put_string(&m, getenv("PATH"));
    put_array(&m, env, arguments, false);
    if (environment)
        put_array(&m, env, environment, false);
    else
        put_environment(&m); /* which is what the program gets */
    if (exchange(ABI_COMMAND, &m, NULL, 0, &data, &size) == ANSWERED &&
        get_command_answer(&(struct bytes){data, size}, &answer)) {
        if (answer.flags & ABI_COMMAND_ARGUMENTS) take_list(env, answer.arguments, &arguments, &argument_count);
        if (answer.flags & ABI_COMMAND_ENVIRONMENT) take_list(env, answer.environment, &environment, &variable_count);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, data);
    return start_as_is(env, process, mode, helper, program, arguments, argument_count, environment, variable_count,
        directory, streams, merged);
}

static native_code *replace_start(native_code *found) {
    start_as_is = (start_program *)found;
    return (native_code *)&start_recorded;
}

void start_watching_commands(JNIEnv *env) {
    if (!agent.commands) return;
    new_bytes = (*env)->NewByteArray;
    replace_native("Ljava/lang/ProcessImpl;", "forkAndExec", "(I[B[B[BI[BI[B[IZ)I", replace_start);
}
