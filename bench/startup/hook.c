/*
 * The parts of what a class-rewriting agent costs at start-up, one at a time. Loaded as -agentpath:libhook.so=MODE:
 *
 *   late         class-file load hook without the early capability: class data sharing stays on, the first classes
 *                go unseen
 *   early        with it: all classes are seen, class data sharing is off
 *   socket=PATH  early, and each class goes to the unix socket and comes back (4 bytes of length, big
 *                endian, then the bytes)
 *   define=PATH  the same, and the JVM is given what came back instead of its own bytes
 */
#include <jvmti.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct {
  pthread_mutex_t lock; /* one class at a time on the socket */
  int socket;           /* -1: not used */
  bool define;
} hook = {PTHREAD_MUTEX_INITIALIZER, -1, false};

static bool transfer(bool sending, void *bytes, size_t count) {
  for (char *at = bytes; count > 0;) {
    ssize_t n = sending ? send(hook.socket, at, count, MSG_NOSIGNAL) : recv(hook.socket, at, count, 0);
    if (n <= 0) return false;
    at += n;
    count -= (size_t)n;
  }
  return true;
}

/* round_trip sends a class and receives one, in memory of JVMTI; NULL on failure. */
static unsigned char *round_trip(jvmtiEnv *jvmti, const unsigned char *bytes, jint length, jint *new_length) {
  uint32_t header = htonl((uint32_t)length);
  unsigned char *answer = NULL;
  if (!transfer(true, &header, sizeof header) || !transfer(true, (void *)(uintptr_t)bytes, (size_t)length) ||
      !transfer(false, &header, sizeof header))
    return NULL;
  *new_length = (jint)ntohl(header);
  if ((*jvmti)->Allocate(jvmti, *new_length, &answer) != JVMTI_ERROR_NONE) return NULL;
  if (transfer(false, answer, (size_t)*new_length)) return answer;
  (*jvmti)->Deallocate(jvmti, answer);
  return NULL;
}

static void JNICALL on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
        jobject domain,
                             jint length, const unsigned char *bytes, jint *new_length, unsigned char **new_bytes) {
  (void)jni, (void)redefined, (void)loader, (void)name, (void)domain;
  if (hook.socket < 0) return;
  pthread_mutex_lock(&hook.lock);
  jint answer_length = 0;
  unsigned char *answer = round_trip(jvmti, bytes, length, &answer_length);
  pthread_mutex_unlock(&hook.lock);
  if (answer == NULL) {
    hook.socket = -1;
  } else if (hook.define) {
    *new_length = answer_length;
    *new_bytes = answer;
  } else {
    (*jvmti)->Deallocate(jvmti, answer);
  }
}

static bool open_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return false;
  strcpy(address.sun_path, path);
  hook.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return hook.socket >= 0 && connect(hook.socket, (struct sockaddr *)&address, sizeof address) == 0;
}

__attribute__((visibility("default"))) jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)reserved;
  jvmtiEnv *jvmti = NULL;
  if (options == NULL || (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
  hook.define = strncmp(options, "define=", 7) == 0;
  if ((hook.define || strncmp(options, "socket=", 7) == 0) && !open_socket(options + 7)) {
    fputs("hook: cannot connect\n", stderr);
    return JNI_ERR;
  }
  jvmtiCapabilities wanted = {
      .can_generate_all_class_hook_events = 1,
      .can_retransform_classes = 1,
      .can_generate_early_vmstart = 1,
      .can_generate_early_class_hook_events = strcmp(options, "late") != 0,
  };
  jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = on_class};
  if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE ||
      (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
      (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
              NULL) != JVMTI_ERROR_NONE)
    return JNI_ERR;
  return JNI_OK;
}
