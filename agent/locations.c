/* Objects that no bytecode makes: exceptions of the VM's, and what native code makes. They are counted at the
 * instruction that they are made for, which has counters from the first time on. */
#include "agent.h"
#include "hotspot.h"

#include <stdlib.h>
#include <string.h>

static bool starts(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

/* Code that calls methods for others, and reflection besides, whose callers count what it makes. */
static bool calls_for_others(const char *class) {
    return starts(class, "java/lang/invoke/") || starts(class, "java/lang/System$") ||
           starts(class, "java/lang/$Mallard");
}

static bool reflects(const char *class) {
    return starts(class, "jdk/internal/reflect/") || starts(class, "java/lang/reflect/") ||
           strstr(class, "$$InjectedInvoker"); /* which calls for a class by reflection what asks for its caller */
}

static uint32_t line_at(jmethodID m, jlocation at) {
    jint lines = 0;
    jvmtiLineNumberEntry *table = NULL;
    uint32_t line = 0;
    jlocation best = -1;
    (*agent.jvmti)->GetLineNumberTable(agent.jvmti, m, &lines, &table);
    for (jint i = 0; i < lines; i++) {
        if (table[i].start_location <= at && table[i].start_location > best) {
            best = table[i].start_location;
            line = (uint32_t)table[i].line_number;
        }
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)table);
    return line;
}

/* Calls use with an instruction, unless its class is excluded; false then, and where the JVM does not say. */
static bool with_location(bool (*excluded)(const char *class), JNIEnv *env, const jvmtiFrameInfo *frame,
    location_user *use, void *argument) {
    jvmtiEnv *jvmti = agent.jvmti;
    jclass c = NULL;
    char *signature = NULL, *name = NULL, *descriptor = NULL, *source = NULL;
    const char *class = NULL;
    bool found = false;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, frame->method, &c) != JVMTI_ERROR_NONE) return false;
    if ((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE && class_name(signature, &class) &&
        !excluded(class) &&
        (*jvmti)->GetMethodName(jvmti, frame->method, &name, &descriptor, NULL) == JVMTI_ERROR_NONE) {
        jint length = 0;
        unsigned char *code = NULL;
        found = true;
        (*jvmti)->GetSourceFileName(jvmti, c, &source);
        (*jvmti)->GetBytecodes(jvmti, frame->method, &length, &code);
        jobject loader = loader_of(c);
        struct instruction_fields at = {
            .class = {.loader = loader_id(loader), .name = class},
            .source = source, .method = name, .descriptor = descriptor, .code = {code, (size_t)length},
            .pc = (uint32_t)frame->location, .line = line_at(frame->method, frame->location),
        };
        if (loader) (*env)->DeleteLocalRef(env, loader);
        use(&at, argument);
        (*jvmti)->Deallocate(jvmti, code);
    }
    (*env)->DeleteLocalRef(env, c);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)source);
    return found;
}

bool with_code_location(JNIEnv *env, const jvmtiFrameInfo *frame, location_user *use, void *argument) {
    return with_location(calls_for_others, env, frame, use, argument);
}

static bool counts_by_itself(const char *class) { return calls_for_others(class) || reflects(class); }

/* What is known of an instruction: an open-addressing table. */
struct location {
    jmethodID method;     /* NULL: no entry */
    jlocation at;
    const void *kind;     /* of what is made */
    /* hash of the method's, once a class was redefined: a jmethodID stands for all versions, and instructions move from
     * one to the next */
    uint64_t code;
    int32_t counter;      /* or NO_COUNTER */
};
enum { UNKNOWN = -2, FIRST_CAPACITY = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the table; JVMTI is not called under it */
static struct location *locations;
static size_t capacity, count;

static bool same(const struct location *a, const struct location *b) {
    return a->method == b->method && a->at == b->at && a->kind == b->kind && a->code == b->code;
}

static struct location *slot_of(struct location *table, size_t size, const struct location *p) {
    size_t i = (((uintptr_t)p->method >> 3) + (uintptr_t)p->at * 31 +
        ((uintptr_t)p->kind >> 3) * 17) * 0x9E3779B97F4A7C15U >> 16 & (size - 1);
    while (table[i].method && !same(&table[i], p)) i = (i + 1) & (size - 1);
    return &table[i];
}

static int32_t find(const struct location *p) {
    int32_t counter = UNKNOWN;
    pthread_mutex_lock(&lock);
    struct location *slot = capacity ? slot_of(locations, capacity, p) : NULL;
    if (slot && slot->method) counter = slot->counter;
    pthread_mutex_unlock(&lock);
    return counter;
}

static bool grow(void) {
    size_t size = capacity ? 2 * capacity : FIRST_CAPACITY;
    struct location *bigger = calloc(size, sizeof *bigger);
    if (!bigger) return false;
    for (size_t i = 0; i < capacity; i++)
        if (locations[i].method) *slot_of(bigger, size, &locations[i]) = locations[i];
    free(locations);
    locations = bigger;
    capacity = size;
    return true;
}

static void keep_location(const struct location *p) {
    pthread_mutex_lock(&lock);
    if (2 * count < capacity || grow()) {
        struct location *slot = slot_of(locations, capacity, p);
        if (!slot->method) count++;
        *slot = *p;
    }
    pthread_mutex_unlock(&lock);
}

/* The opcode at a location, and a hash of the method's code. */
static int opcode_at(const jvmtiFrameInfo *frame, uint64_t *hash) {
    jint length = 0;
    unsigned char *code = NULL;
    int opcode = -1;
    *hash = 14695981039346656037U;
    if ((*agent.jvmti)->GetBytecodes(agent.jvmti, frame->method, &length, &code) != JVMTI_ERROR_NONE) return -1;
    for (jint i = 0; i < length; i++) *hash = (*hash ^ code[i]) * 1099511628211U;
    if (frame->location >= 0 && frame->location < length) opcode = code[frame->location];
    (*agent.jvmti)->Deallocate(agent.jvmti, code);
    return opcode;
}

/* A class as the recorder has it: its name, or an array's descriptor. Cuts the signature. */
const char *type_of(char *signature) {
    const char *name = signature;
    return class_name(signature, &name) ? name : signature;
}

/* A question about what is made at an instruction. */
struct question {
    struct message *types; /* that are made there; NULL: nobody is asked */
    int32_t counter;
};

static void ask_at(const struct instruction_fields *at, void *argument) {
    struct question *q = argument;
    struct message m = {0};
    unsigned char *answer = NULL;
    uint32_t size = 0;
    struct code_location_answer given;
    q->counter = 0;
    if (!q->types) return;
    put_code_location(&m, &(struct code_location_fields){.at = *at, .types = q->types});
    bool answered = exchange(ABI_CODE_LOCATION, &m, NULL, 0, &answer, &size) == ANSWERED;
    bool known = answered && get_code_location_answer(&(struct bytes){answer, size}, &given);
    q->counter = !answered ? UNKNOWN : known ? (int32_t)given.first : NO_COUNTER;
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
}

static int32_t ask(JNIEnv *env, const struct made_at *by) {
    struct message types = {0};
    char *signature = NULL;
    jclass c = by->made ? (*env)->GetObjectClass(env, by->made) : by->of;
    bool known = (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE;
    if (by->made) (*env)->DeleteLocalRef(env, c);
    struct question q = {.types = by->in_node ? NULL : &types};
    if (known && !by->in_node) {
        put_made_type(&types, &(struct made_type_fields){.name = type_of(signature)});
        for (const char *const *more = by->more; *more; more++) put_made_type(&types,
            &(struct made_type_fields){.name = *more});
    }
    known = known && with_location(counts_by_itself, env, &by->frame, ask_at, &q);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    free_message(&types);
    return known ? q.counter : NO_COUNTER;
}

/* Whether the frame's method was redefined since the frame was looked at: the jmethodID stands for the new code then,
 * and the frame has another. */
static bool has_moved(JNIEnv *env, struct made_at *by) {
    jvmtiFrameInfo now;
    jint n = 0;
    if (!own_stack(env, by->depth, 1, &now, &n) || n != 1 || now.method == by->frame.method) return false;
    by->frame = now;
    return true;
}

int32_t counter_at(JNIEnv *env, const struct made_at *made) {
    enum { INVOKESPECIAL = 0xb7 };
    struct made_at by = *made;
    struct location p = {.kind = by.kind};
    do {
        p.method = by.frame.method;
        p.at = by.frame.location;
        if (agent.redefined) opcode_at(&by.frame, &p.code);
    } while (agent.redefined && has_moved(env, &by));
    if ((p.counter = find(&p)) != UNKNOWN) return p.counter;
    do {
        p.method = by.frame.method;
        p.at = by.frame.location;
        int opcode = opcode_at(&by.frame, &p.code);
        p.counter = by.unless_constructed && opcode == INVOKESPECIAL ? NO_COUNTER : ask(env, &by);
    } while (has_moved(env, &by));
    if (p.counter == UNKNOWN) return NO_COUNTER; /* it is asked for again */
    if (!agent.redefined) p.code = 0;
    keep_location(&p);
    return p.counter;
}

_Thread_local bool thrown_by_native;
_Thread_local jmethodID constructing;

/* $MallardVM.locate. It is called by two methods thrown of $MallardVM, and these by a constructor. */
jint locate_exception(JNIEnv *env, jthrowable made) {
    enum { CONSTRUCTOR = 3, THROWING, CALLER, FRAMES };
    static const char *const message[] = {"java/lang/String", "[B", NULL};
    jvmtiFrameInfo frames[FRAMES];
    jint n = 0;
    if (!agent.engaged || !own_stack(env, 0, FRAMES, frames, &n) || n <= THROWING) return NO_COUNTER;
    bool native = frames[THROWING].location < 0; /* that belongs to who calls it */
    if (native && (n <= CALLER || frames[CALLER].location < 0 ||
        frames[CONSTRUCTOR].method == constructing)) return NO_COUNTER;
    int32_t counter = counter_at(env, &(struct made_at){.frame = frames[native ? CALLER : THROWING],
        .depth = native ? CALLER : THROWING, .kind = frames[CONSTRUCTOR].method, .made = made, .more = message,
                                                        .unless_constructed = !native, .in_node = agent.contexts});
    thrown_by_native = native && counter != NO_COUNTER;
    return counter;
}

const void *kind_of_type(const char *signature) {
    uint64_t hash = 14695981039346656037U;
    for (const char *s = signature; *s; s++) hash = (hash ^ (unsigned char)*s) * 1099511628211U;
    return (const void *)(uintptr_t)hash;
}

/* Whether a method is one of java.lang.Class. */
static bool is_of_class(JNIEnv *env, jmethodID m, jclass class) {
    jclass c = NULL;
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, m, &c) != JVMTI_ERROR_NONE) return false;
    bool same = (*env)->IsSameObject(env, c, class);
    (*env)->DeleteLocalRef(env, c);
    return same;
}

/* The counters of the line that has called a Constructor, or Class.newInstance, through whatever reflection. */
static int32_t counter_of_caller(JNIEnv *env, jclass made, const void *kind) {
    enum { LOST = 2, MOST = 16 }; /* $MallardReflection.lost, twice */
    jvmtiFrameInfo frames[MOST];
    jint n = 0;
    int32_t counter = NO_COUNTER;
    if (!own_stack(env, LOST, MOST, frames, &n)) return NO_COUNTER;
    jclass class = (*env)->GetObjectClass(env, made);
    for (jint i = 0; i < n && counter == NO_COUNTER; i++)
        if (frames[i].location >= 0 && !is_of_class(env, frames[i].method, class))
            counter = counter_at(env, &(struct made_at){.frame = frames[i], .depth = LOST + i, .kind = kind, .of = made,
                .more = (const char *const[]){NULL}});
    (*env)->DeleteLocalRef(env, class);
    return counter;
}

/* $MallardReflection.lost */
jlong locate_lost(JNIEnv *env, jclass made) {
    int32_t counter = NO_COUNTER;
    char *signature = NULL;
    uint32_t bytes = agent.engaged ? instance_bytes(env, made) : 0;
    if (bytes && !agent.contexts &&
        (*agent.jvmti)->GetClassSignature(agent.jvmti, made, &signature, NULL) == JVMTI_ERROR_NONE)
        counter = counter_of_caller(env, made, kind_of_type(signature));
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return (jlong)((uint64_t)bytes << 32 | (uint32_t)counter);
}

/* From now on $MallardVM.locate may be called. */
void start_locating(JNIEnv *env) {
    jmethodID answers = (*env)->GetStaticMethodID(env, agent.runtime, "answers", "()V");
    if (answers) (*env)->CallStaticVoidMethod(env, agent.runtime, answers);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
}
