/* What the files of the oracle share; oracle.c says what it does. */
#ifndef ORACLE_H
#define ORACLE_H

#include <jvmti.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
  PATH_LIMIT = 4096,
  INITIAL_CAPACITY = 1024, /* of tables; a power of two */
};

/* A class that was allocated. Its mirror carries the JVMTI tag index + 1. */
typedef struct {
  char *name;
  uint64_t objects, bytes;
} Class;

struct oracle {
  jvmtiEnv *jvmti;
  jrawMonitorID lock; /* guards everything below, and the tables of the other files */
  bool counting, all_stacks; /* all_stacks: those at which the JDK allocates as well */
  bool new_threads; /* count what threads make that start after the VM's initialisation, and nothing else */
  char classes_path[PATH_LIMIT], sites_path[PATH_LIMIT], stacks_path[PATH_LIMIT]; /* empty: not wanted */
  Class *classes;
  uint32_t class_count, class_capacity;
};

extern struct oracle oracle;

/* A wrong oracle is worse than none: it leaves its tables unwritten, which the test that wants them reports. */
void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ok tells whether a call of JVMTI succeeded, and gives up where it did not. */
bool ok(jvmtiError error, const char *call);
/* The innermost frames of a thread. One that has no Thread yet, as native code is attaching it, has none (JDK 21). */
bool frames_of(jthread thread, jint room, jvmtiFrameInfo *frames, jint *count);

void deallocate(void *memory);

/* open_table gives up and returns NULL where a file cannot be written. */
FILE *open_table(const char *path);
void close_table(FILE *file, const char *path);

/* names.c. What returns a string gives it to the caller to free, and NULL where memory is out or JVMTI refused. */

/* class_name turns a JVM signature into what Class.getName prints. */
char *class_name(const char *signature);

/* class_of_method names the class that declares a method. */
char *class_of_method(jmethodID method);

/* of_jdk tells whether a method is the JDK's own or a hidden class's. */
bool of_jdk(jmethodID method);

/* method_name names a method with its class; "" for NULL. */
char *method_name(jmethodID method);

/* line_of returns the source line of a bytecode index, -1 unknown. */
int line_of(jmethodID method, jlocation bci);

/* instruction_at names the bytecode at an index as far as it allocates. */
const char *instruction_at(jmethodID method, jlocation bci);

/* sites.c. count_site counts at the innermost Java frame and, where that is the JDK's, also at the innermost frame that
 * is not. Objects made with no Java frame belong to no site. The lock is held. */
void count_site(jthread thread, uint32_t class_index, jlong size, jint elements);
void write_sites(void);

/* stacks.c. count_stack counts at the innermost Java frame with all its callers. The lock is held. */
void count_stack(jthread thread, uint32_t class_index, jlong size);
void write_stacks(void);

#endif
