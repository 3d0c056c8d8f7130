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

void name_method(struct method_name *of, JNIEnv *env, jmethodID m) {
    jclass c = NULL;
    jobject loader = NULL;
    *of = (struct method_name){.owner = NULL};
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, m, &c) == JVMTI_ERROR_NONE) {
        (*agent.jvmti)->GetClassLoader(agent.jvmti, c, &loader);
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &of->owner, NULL);
    }
    (*agent.jvmti)->GetMethodName(agent.jvmti, m, &of->name, &of->descriptor, NULL);
    of->class = (struct class_key_fields){.loader = loader_id(loader), .name = of->owner};
    if (loader) (*env)->DeleteLocalRef(env, loader);
    if (c) (*env)->DeleteLocalRef(env, c);
}

void free_method_name(struct method_name *of) {
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)of->owner);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)of->name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)of->descriptor);
}

struct list lines_of(jmethodID m) {
    struct list lines = {0};
    jint count = 0;
    jvmtiLineNumberEntry *table = NULL;
    if ((*agent.jvmti)->GetLineNumberTable(agent.jvmti, m, &count, &table) != JVMTI_ERROR_NONE) count = 0;
    for (jint i = 0; i < count; i++, lines.count++)
        put_line(&lines.records, &(struct line_fields){.pc = (uint32_t)table[i].start_location,
            .line = (uint32_t)table[i].line_number});
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)table);
    return lines;
}

bool find_method(const struct methods *t, jmethodID m, uint32_t *number) {
    if (t->capacity == 0) return false;
    size_t i = slot_of(t, m);
    *number = t->numbers[i];
    return t->keys[i] == m;
}

/* The method's number; described the first time. */
bool method_number(struct methods *t, JNIEnv *env, jmethodID m, uint32_t *number) {
    if (t->count * 2 >= t->capacity && !grow(t)) return false;
    size_t i = slot_of(t, m);
    if (!t->keys[i]) {
        t->keys[i] = m;
        t->numbers[i] = t->count++;
        t->described.count++;
        t->describe(&t->described.records, env, m);
    }
    *number = t->numbers[i];
    return true;
}

void free_methods(struct methods *t) {
    free(t->keys);
    free(t->numbers);
}
