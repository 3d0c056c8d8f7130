/* The oracle of executed bytecodes: a JVMTI agent that lets the interpreter stop at every bytecode (SingleStep) and
 * counts those of the program's own classes, method by method, from before main runs to the JVM's end. It shares no
 * code with Mallard. Options: the path of the table, whose lines are
 *
 *	CLASS <tab> METHOD <tab> DESCRIPTOR <tab> BYTECODES
 *
 * HotSpot hides steps while it links what an instruction names (JvmtiHideSingleStepping), and with them the
 * initialisers of classes that a static method or field makes it run.
 */
#define _GNU_SOURCE
#include <jvmti.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1 << 14 }; /* methods; a power of two */

typedef struct {
  jmethodID method; /* NULL: free */
  char *name;       /* the table's first three columns; NULL: the JDK's */
  uint64_t steps;
} Method;

static struct {
  jvmtiEnv *jvmti;
  pthread_mutex_t lock;
  char path[4096];
  Method methods[CAPACITY]; /* open addressing */
  uint32_t count;
  int failed;
} oracle = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int is_jdk(const char *signature) {
  static const char *const packages[] = {"Ljava/", "Ljdk/", "Lsun/", "Lcom/sun/"};
  for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
    if (strncmp(signature, packages[i], strlen(packages[i])) == 0) return 1;
  return strchr(signature, '.') != NULL; /* a hidden class */
}

static char *name_of(jmethodID method) {
  jvmtiEnv *jvmti = oracle.jvmti;
  jclass declaring = NULL;
  char *signature = NULL, *name = NULL, *descriptor = NULL, *text = NULL;
  if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &declaring) != JVMTI_ERROR_NONE ||
      (*jvmti)->GetClassSignature(jvmti, declaring, &signature, NULL) != JVMTI_ERROR_NONE) {
    oracle.failed = 1;
    return NULL;
  }
  if (!is_jdk(signature)) {
    if ((*jvmti)->GetMethodName(jvmti, method, &name, &descriptor, NULL) == JVMTI_ERROR_NONE) {
      size_t length = strlen(signature);
      for (char *c = signature; *c != '\0'; c++)
        if (*c == '/') *c = '.';
      if (asprintf(&text, "%.*s\t%s\t%s", (int)length - 2, signature + 1, name, descriptor) < 0) text = NULL;
    }
    if (text == NULL) oracle.failed = 1;
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
  (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
  (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
  return text;
}

static void JNICALL on_step(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method, jlocation location) {
  (void)jvmti, (void)jni, (void)thread, (void)location;
  pthread_mutex_lock(&oracle.lock);
  for (uint64_t i = ((uintptr_t)method >> 3) * 0x9e3779b97f4a7c15u >> 32;; i++) {
    Method *m = &oracle.methods[i & (CAPACITY - 1)];
    if (m->method == NULL) {
      if (2 * ++oracle.count > CAPACITY) oracle.failed = 1;
      if (oracle.failed) break;
      m->name = name_of(method);
      m->method = method;
    }
    if (m->method == method) {
      m->steps++;
      break;
    }
  }
  pthread_mutex_unlock(&oracle.lock);
}

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
  (void)jni, (void)thread;
  if ((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP,
          NULL) != JVMTI_ERROR_NONE) oracle.failed = 1;
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni) {
  (void)jvmti, (void)jni;
  pthread_mutex_lock(&oracle.lock);
  FILE *table = oracle.failed ? NULL : fopen(oracle.path, "w");
  if (table != NULL) {
    for (uint32_t i = 0; i < CAPACITY; i++)
      if (oracle.methods[i].name != NULL) fprintf(table, "%s\t%llu\n", oracle.methods[i].name,
              (unsigned long long)oracle.methods[i].steps);
    fclose(table);
  }
  oracle.failed = 1;
  pthread_mutex_unlock(&oracle.lock);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)reserved;
  if (options == NULL || strlen(options) >= sizeof oracle.path || (*vm)->GetEnv(vm, (void **)&oracle.jvmti,
          JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
  strcpy(oracle.path, options);
  jvmtiEnv *jvmti = oracle.jvmti;
  jvmtiCapabilities capabilities = {.can_generate_single_step_events = 1};
  jvmtiEventCallbacks callbacks = {.SingleStep = on_step, .VMInit = on_init, .VMDeath = on_death};
  if ((*jvmti)->AddCapabilities(jvmti, &capabilities) != JVMTI_ERROR_NONE ||
      (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
      (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL) != JVMTI_ERROR_NONE ||
      (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL) != JVMTI_ERROR_NONE)
    return JNI_ERR;
  return JNI_OK;
}
