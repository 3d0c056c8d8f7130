/* Objects that are sampled and watched: which are copies of others, by a few of them (package replica). */
#ifndef MALLARD_WATCH_H
#define MALLARD_WATCH_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi.h"
#include "channel.h"

/* watch.c. OnLoad: the capability, where it is free, and the callback. VMInit; any thread; VMDeath. */
void want_watching(jvmtiCapabilities *c);
void add_watching_callbacks(jvmtiEventCallbacks *on);
void start_watching(JNIEnv *env);
void begin_watching_anew(JNIEnv *env, bool some_tell); /* other classes tell what they read, or none */
void stop_watching(void);

static inline uint64_t mix(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* watch_stacks.c. Under watch.c's lock. */
enum { WATCH_FRAMES = 32, WATCH_SIGNATURE = 128 }; /* that are told of a stack; bytes of a class's that is sampled */
/* The number of a stack, which is told the first time; 0 where there are too many, or the recorder is busy. class: the
 * signature of what it has made, and its hash; NULL where it reads. */
uint32_t number_of_stack(JNIEnv *env, const jvmtiFrameInfo *frames, jint count, const char *class, uint64_t hash);
bool stacks_are_cut(void); /* there are so many that of others only the innermost frame is told */

/* watch_contents.c. A hash of an object's contents; false where it is too large. */
bool contents_of(JNIEnv *env, jobject object, const char *signature, uint64_t *hash);
uint64_t object_identity(jobject object); /* of NULL 0 */

/* For what reads fields and elements one by one. */
typedef void field_user(JNIEnv *env, jobject object, jfieldID field, const char *name, char type, void *argument);
/* Calls with each field that contents are of, superclasses' last; false where not all are known. */
bool each_field(JNIEnv *env, jobject object, bool of_string, field_user *use, void *argument);
uint64_t primitive_field(JNIEnv *env, jobject object, jfieldID field, char type); /* its bytes, the lowest first */
void get_elements(JNIEnv *env, jobject array, char type, jint from, jint n, void *to); /* of an array of numbers */
uint32_t bytes_of_type(char type); /* of a number, or more */

/* watch_whole.c. Under watch.c's lock. Looks at an object's contents a while from now, and holds it until then, if it
 * is not the next one's turn yet; made: the stack that made it; large: too much so to be looked at. */
void look_later(JNIEnv *env, jobject object, const char *signature, uint32_t made, bool large, moment at);
bool look_at_due(JNIEnv *env, moment at); /* at those whose time has come; whether others are held */
void let_all_go(JNIEnv *env);

/* watch_values.c. Contents that were said last of a site or stack. */
struct said_values {
    uint64_t values[ABI_REPLICA_VALUES];
    uint32_t next; /* that is forgotten */
};
/* Two objects were equal whole, with that hash: tells what this one of them has in it, or, where that was said lately,
 * that it was met again. */
void tell_value(JNIEnv *env, jobject object, const char *signature, uint32_t made, uint64_t hash,
                struct said_values *said);

#endif
