/* Numbers for the methods that frames name, so that each is described once. */
#include "agent.h"

#include <stdlib.h>

static size_t slot_of(const struct methods *t, jmethodID m) {
    size_t i = ((uintptr_t)m >> 3) * 0x9E3779B97F4A7C15U & (t->capacity - 1);
    while (t->keys[i] && t->keys[i] != m) i = (i + 1) & (t->capacity - 1);
    return i;
}

static bool grow(struct methods *t) {
    struct methods bigger = *t;
    bigger.capacity = t->capacity ? t->capacity * 2 : 1024;
    bigger.keys = calloc(bigger.capacity, sizeof *bigger.keys);
    bigger.numbers = calloc(bigger.capacity, sizeof *bigger.numbers);
    if (!bigger.keys || !bigger.numbers) {
        free(bigger.keys);
        free(bigger.numbers);
        return false;
    }
    for (size_t i = 0; i < t->capacity; i++)
        if (t->keys[i]) {
            size_t to = slot_of(&bigger, t->keys[i]);
            bigger.keys[to] = t->keys[i];
            bigger.numbers[to] = t->numbers[i];
        }
    free(t->keys);
    free(t->numbers);
    *t = bigger;
    return true;
}

void put_method_name(struct message *out, JNIEnv *env, jmethodID m) {
    jclass c = NULL;
    jobject loader = NULL;
    char *owner = NULL, *name = NULL, *descriptor = NULL;
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, m, &c) == JVMTI_ERROR_NONE) {
        (*agent.jvmti)->GetClassLoader(agent.jvmti, c, &loader);
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &owner, NULL);
    }
    (*agent.jvmti)->GetMethodName(agent.jvmti, m, &name, &descriptor, NULL);
    put_u32(out, loader_id(loader));
    put_string(out, owner);
    put_string(out, name);
    put_string(out, descriptor);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)owner);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)descriptor);
    if (loader) (*env)->DeleteLocalRef(env, loader);
    if (c) (*env)->DeleteLocalRef(env, c);
}

void put_lines(struct message *out, jmethodID m) {
    jint lines = 0;
    jvmtiLineNumberEntry *table = NULL;
    if ((*agent.jvmti)->GetLineNumberTable(agent.jvmti, m, &lines, &table) != JVMTI_ERROR_NONE) lines = 0;
    put_u32(out, (uint32_t)lines);
    for (jint i = 0; i < lines; i++) {
        put_u32(out, (uint32_t)table[i].start_location);
        put_u32(out, (uint32_t)table[i].line_number);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)table);
}

bool find_method(const struct methods *t, jmethodID m, uint32_t *number) {
    if (t->capacity == 0) return false;
    size_t i = slot_of(t, m);
    *number = t->numbers[i];
    return t->keys[i] == m;
}

/* The method's number; described in t->out the first time. */
bool method_number(struct methods *t, JNIEnv *env, jmethodID m, uint32_t *number) {
    if (t->count * 2 >= t->capacity && !grow(t)) return false;
    size_t i = slot_of(t, m);
    if (!t->keys[i]) {
        t->keys[i] = m;
        t->numbers[i] = t->count++;
        t->undescribed++;
        t->describe(&t->out, env, m);
    }
    *number = t->numbers[i];
    return true;
}

void free_methods(struct methods *t) {
    free(t->keys);
    free(t->numbers);
}
