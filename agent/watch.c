/* Objects that are sampled and watched.
 *
 * Every now and then, at a random distance in bytes, the JVM says that an object was allocated. It is watched in one of
 * two slots, which are fields of $MallardWatch, for a while: code that tells what it reads compares with them. So
 * moving objects do not matter, and nothing is held for long.
 *
 * One half of the objects are the first of a pair. Of what is read of them one read is remembered, each with equal
 * probability: the place, the field or index, the value, and a hash of all contents then. An object that comes later,
 * of the same class, length and site or stack, is watched there alone, with one of those that are remembered, drawn
 * anew each time. When it is read there, values are compared, and contents where these are equal. That uses the first
 * one up.
 *
 * Who finds the lock taken goes on: one sample less, and nobody waits. A thread of the agent's attends to what is held
 * or watched, and lets it go in time, though the program may allocate nothing any more. */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "observers.h"
#include "own_thread.h"

enum {
    WATCHED = 2,        /* slots */
    READER = 3,         /* frames of ours on top of who reads: seen, found, read */
    GROUPS = 1 << 10,   /* sites, or stacks, by class and length, that something is remembered of */
    WAYS = 8,           /* places that a group may be in */
    REMEMBERED = 16,    /* of each */
    MOST_TRIES = 4,     /* objects that are watched in vain for what is remembered of one */
    NEAR = 4,           /* objects of a group between which others are few */
    SECOND_LONGER = 16, /* times that the second of a pair is watched as long as the first was until it was read */
    LONGER = 6,         /* times that objects of a group are watched four times as long as the one before */
    MANY_PAIRS = 16,    /* of a group: those of which there are fewer are better */
    MANY_READS = 64,    /* of an object without a length, after which it is known well enough */
    MOST_READS = 4096,
    LARGEST = 1 << 20,  /* bytes of an object that is watched */
    FIRST_INTERVAL = 1 << 16,
    LEAST_INTERVAL = 1 << 12,
    MOST_INTERVAL = 1 << 26,
    MOST_SAMPLES = 4000, /* in a second, or the interval becomes longer */
    MOST_COUNTED = 200,  /* the same where nothing is watched */
    ANY_PLACE = -1
};

static const moment millisecond = 1000000, second = 1000000000, often = 10000000;

/* What is remembered of an object. */
struct read {
    jmethodID method;
    jint place, index;
    uint64_t value, contents;
    bool is_known;       /* contents are */
    uint8_t tries;
    uint32_t number;     /* of the object in its group */
    uint64_t reads;      /* all that were seen, times the objects that it stands for */
    moment after;        /* it was watched */
};

static struct group {
    uint64_t key; /* 0: free */
    uint32_t count, objects;
    uint32_t vain;  /* objects since the last one that was read, while the same classes told what they read */
    uint32_t pairs; /* that were compared */
    moment used;
    struct said_values said;
    struct read remembered[REMEMBERED];
} *groups;

static struct slot {
    struct group *group; /* NULL: the slot is free */
    uint64_t key;        /* of the group; another one has its place if it differs */
    char signature[WATCH_SIGNATURE];
    uint32_t made;       /* number of the stack */
    uint32_t number;     /* in the group */
    bool is_second;      /* of a pair, with: */
    struct read with;    /* else what is remembered so far */
    uint64_t reads, next, most; /* the next one that is to be remembered */
    uint64_t bytes, objects; /* that it stands for */
    moment since, until;
} slots[WATCHED];

static bool is_wanted; /* by the recorder, and possible */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool on;
static bool attended;          /* the thread runs */
static bool attends;           /* something is held or watched: it looks often */
static pthread_cond_t attention;
static bool code_tells; /* what it reads; else objects are only counted */
static jclass runtime;
static jfieldID objects[WATCHED], places[WATCHED], indexes[WATCHED];
static uint64_t interval = FIRST_INTERVAL, seed = UINT64_C(0x2545F4914F6CDD1D);
static _Atomic uint32_t samples; /* since rated */
static _Atomic moment rated;

static uint64_t random_number(void) { /* xorshift64* (Vigna, 2016) */
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return seed * UINT64_C(2685821657736338717);
}

/* Above 0, up to 1. */
static double random_share(void) { return (double)((random_number() >> 11) + 1) / (double)(UINT64_C(1) << 53); }

static void set_watched(JNIEnv *env, int slot, jobject object, jint place, jint index) {
    (*env)->SetStaticObjectField(env, runtime, objects[slot], NULL);
    (*env)->SetStaticIntField(env, runtime, places[slot], place);
    (*env)->SetStaticIntField(env, runtime, indexes[slot], index);
    if (object) (*env)->SetStaticObjectField(env, runtime, objects[slot], object);
}

/* Remembers what was read of the first of a pair. Where there is no room, another one goes, each with the same
 * probability. */
static void remember(struct slot *s) {
    struct group *g = s->group;
    if (s->with.method == NULL || g->key != s->key) return;
    uint32_t at = g->count < REMEMBERED ? g->count++ : (uint32_t)(random_number() % REMEMBERED);
    s->with.number = s->number;
    s->with.reads = s->reads * s->objects;
    g->remembered[at] = s->with;
}

static void forget(struct group *g, const struct read *r, bool used) {
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->remembered[i].number != r->number) continue;
        if (used || ++g->remembered[i].tries == MOST_TRIES) g->remembered[i] = g->remembered[--g->count];
        return;
    }
}

static void release(JNIEnv *env, int slot) {
    struct slot *s = &slots[slot];
    if (s->reads == 0 && s->group->key == s->key) s->group->vain++;
    if (!s->is_second)
        remember(s);
    else if (s->group->key == s->key)
        forget(s->group, &s->with, false);
    s->group = NULL;
    set_watched(env, slot, NULL, 0, 0);
}

/* A slot that is free, or whose object has been watched for long enough; -1: none. */
static int free_slot(JNIEnv *env, moment at) {
    int free = -1;
    for (int i = 0; i < WATCHED; i++) {
        if (slots[i].group && at >= slots[i].until) release(env, i);
        if (!slots[i].group) free = i;
    }
    return free;
}

/* Whoever comes first has a place; one that was not used for a second is the next one's. */
static struct group *group_of(uint64_t key, moment at) {
    struct group *oldest = NULL;
    for (uint64_t i = 0; i < WAYS; i++) {
        struct group *g = &groups[(key + i) % GROUPS];
        if (g->key == key) {
            g->used = at;
            return g;
        }
        if (!oldest || g->used < oldest->used) oldest = g;
    }
    if (oldest->key && at - oldest->used < second) return NULL;
    memset(oldest, 0, sizeof *oldest);
    oldest->key = key;
    oldest->used = at;
    return oldest;
}

/* Most objects are read at once: those of which one has not been are watched for longer, up to a second. */
static moment timeout_of(const struct group *g) { return millisecond << 2 * (g->vain % LONGER); }

/* Whether an object is to be watched: where objects are not read, or much is known, others are better. */
static bool is_worth(const struct group *g) {
    uint64_t less = g->pairs / MANY_PAIRS + (g->vain < LONGER ? 0 : (uint64_t)(g->vain - LONGER));
    return random_number() % (less + 1) == 0;
}

static bool choose_role(struct slot *s) {
    struct group *g = s->group;
    if (g->count == 0 || (g->count < REMEMBERED && random_number() % 2)) return false;
    s->with = g->remembered[random_number() % g->count];
    return true;
}

/* Asks for other distances where there are too many samples, or few. */
static void rate(moment at) {
    uint32_t n = ++samples;
    uint32_t most = code_tells ? MOST_SAMPLES : MOST_COUNTED;
    moment since = at - rated;
    if (since < second / 4 && n < most / 4) return;
    samples = 0;
    rated = at;
    uint64_t next = interval;
    if (since < second / 4)
        next *= 2;
    else if (n < most / 16)
        next /= 4;
    if (next < LEAST_INTERVAL || next > MOST_INTERVAL || next == interval) return;
    interval = next;
    (*agent.jvmti)->SetHeapSamplingInterval(agent.jvmti, (jint)interval);
}

/* How many objects one stands for: of so many bytes one is sampled with probability 1 - e^-x, x bytes by the interval.
 * 1 / (1 - e^-x) by its series; which of two whole numbers is drawn. */
static uint64_t objects_of(uint64_t size) {
    double x = (double)size / (double)interval;
    double objects = x < 3 ? 1 / x + 0.5 + x / 12 - x * x * x / 720 : 1;
    return (uint64_t)(objects + 1 - random_share());
}

static void tell_sampled(uint32_t made, uint64_t size) {
    struct message m = {0};
    put_sampled(&m, &(struct sampled_fields){.made = made, .bytes = size, .objects = objects_of(size)});
    post_at_once(ABI_SAMPLED, &m);
}

static void watch(JNIEnv *env, int slot, jobject object, const char *signature, uint64_t size, moment at) {
    jvmtiFrameInfo frames[WATCH_FRAMES];
    jint n = 0;
    uint64_t class = 0, length = signature[0] == '[' ? (uint64_t)(*env)->GetArrayLength(env, object) : 0;
    struct slot *s = &slots[slot];
    if (strlen(signature) >= sizeof s->signature) return;
    if (!own_stack(env, 0, WATCH_FRAMES, frames, &n) || n == 0) return;
    for (const char *c = signature; *c; c++) class = mix(class, (unsigned char)*c);
    uint32_t made = number_of_stack(env, frames, n, signature, class);
    if (made == 0) return;
    uint64_t key = mix(class, length);
    key = agent.contexts ? mix(key, made) : mix(mix(key, (uintptr_t)frames[0].method), (uint64_t)frames[0].location);
    struct group *g = group_of(key | 1, at);
    tell_sampled(made, size);
    look_later(env, object, signature, made, size > LARGEST, at);
    if (!code_tells || size > LARGEST || !g || !is_worth(g)) return;
    *s = (struct slot){.group = g, .key = g->key, .made = made, .number = ++g->objects, .next = 1, .bytes = size,
        .objects = objects_of(size), .since = at};
    memcpy(s->signature, signature, strlen(signature) + 1);
    s->is_second = choose_role(s);
    s->most = 2 * length < MANY_READS ? MANY_READS : 2 * length > MOST_READS ? MOST_READS : 2 * length;
    moment wait = timeout_of(g);
    if (s->is_second && wait < SECOND_LONGER * (s->with.after + millisecond))
        wait = SECOND_LONGER * (s->with.after + millisecond);
    s->until = at + wait;
    set_watched(env, slot, object, s->is_second ? s->with.place : ANY_PLACE, s->is_second ? s->with.index : -1);
}

static void JNICALL on_sample(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jclass class, jlong size) {
    char *signature = NULL;
    (void)thread;
    if (!on || !agent.engaged || pthread_mutex_trylock(&lock) != 0) return;
    moment at = now();
    rate(at);
    int slot = on && attended ? free_slot(env, at) : -1;
    if (slot >= 0 && (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) == JVMTI_ERROR_NONE) {
        watch(env, slot, object, signature, (uint64_t)size, at);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
        if (!attends) pthread_cond_signal(&attention);
        attends = true;
    }
    pthread_mutex_unlock(&lock);
}

/* With the lock. */
static void attend_once(JNIEnv *env) {
    static bool said;
    moment at = now();
    attends = look_at_due(env, at);
    for (int i = 0; i < WATCHED; i++) {
        if (slots[i].group && at >= slots[i].until) release(env, i);
        attends = attends || slots[i].group;
    }
    if (stacks_are_cut() && !said)
        send_loss("replicas", 1, "samples have more than 8,192 stacks: of others the innermost frame is known");
    said = said || stacks_are_cut();
}

static void JNICALL attend(jvmtiEnv *jvmti, JNIEnv *env, void *unused) {
    (void)jvmti, (void)unused;
    pthread_mutex_lock(&lock);
    attended = true;
    while (on && agent.engaged) {
        attend_once(env);
        const struct timespec end = timespec_of(now() + (attends ? often : second));
        pthread_cond_timedwait(&attention, &lock, &end);
    }
    attended = false;
    let_all_go(env);
    for (int i = 0; i < WATCHED; i++)
        if (slots[i].group) release(env, i);
    pthread_mutex_unlock(&lock);
}

/* Whether an object is the one that is watched. */
static bool is_watched(JNIEnv *env, int slot, jobject object) {
    jobject there = (*env)->GetStaticObjectField(env, runtime, objects[slot]);
    bool same = there && (*env)->IsSameObject(env, there, object);
    if (there) (*env)->DeleteLocalRef(env, there);
    return same;
}

/* One of those read so far is remembered: this one, with the probability that it has among them. */
static void see_first(JNIEnv *env, int slot, jobject from, struct read r) {
    struct slot *s = &slots[slot];
    if (s->group->key == s->key) s->group->vain = 0;
    if (++s->reads >= s->next) {
        s->next = (uint64_t)((double)s->reads / random_share()) + 1;
        r.is_known = contents_of(env, from, s->signature, &r.contents);
        r.after = now() - s->since;
        s->with = r;
    }
    if (s->reads >= s->most) release(env, slot);
}

static void see_second(JNIEnv *env, int slot, jobject from, struct read r) {
    jvmtiFrameInfo frames[WATCH_FRAMES];
    jint n = 0;
    struct slot *s = &slots[slot];
    const struct read *with = &s->with;
    if (r.method != with->method || r.place != with->place || r.index != with->index) return;
    bool equal = r.value == with->value;
    bool known = equal && with->is_known && contents_of(env, from, s->signature, &r.contents);
    uint32_t outcome = (equal ? ABI_PAIR_EQUAL : 0) | (known || !equal ? ABI_PAIR_KNOWN : 0) |
                       (known && r.contents == with->contents ? ABI_PAIR_COPIES : 0) |
                       (s->number - with->number <= NEAR ? ABI_PAIR_NEAR : 0);
    if (own_stack(env, READER, WATCH_FRAMES, frames, &n) && n) {
        uint32_t read = number_of_stack(env, frames, n, NULL, 0);
        struct message m = {0};
        put_sampled_pair(&m, &(struct sampled_pair_fields){.made = s->made, .read = read, .outcome = outcome,
            .bytes = s->bytes, .reads = with->reads});
        bool posted = read && post_at_once(ABI_SAMPLED_PAIR, &m);
        if (!read) free_message(&m);
        if (posted && replica_options.values && (outcome & ABI_PAIR_COPIES)) {
            struct said_values none = {0};
            tell_value(env, from, s->signature, s->made, r.contents, s->group->key == s->key ? &s->group->said : &none);
        }
    }
    if (s->group->key == s->key) {
        s->group->vain = 0;
        s->group->pairs++;
        forget(s->group, with, true);
    }
    s->group = NULL;
    set_watched(env, slot, NULL, 0, 0);
}

void see_watched(JNIEnv *env, jint slot, jobject from, jint index, jlong value, jobject reference, jint place) {
    struct read r = {.place = place, .index = index, .value = (uint64_t)value};
    jlocation unused;
    if (!on || !agent.engaged || slot < 0 || slot >= WATCHED || pthread_mutex_trylock(&lock) != 0) return;
    if (slots[slot].group && is_watched(env, slot, from) &&
        (*agent.jvmti)->GetFrameLocation(agent.jvmti, NULL, READER, &r.method, &unused) == JVMTI_ERROR_NONE) {
        if (reference) r.value = object_identity(reference);
        if (slots[slot].is_second)
            see_second(env, slot, from, r);
        else
            see_first(env, slot, from, r);
    }
    pthread_mutex_unlock(&lock);
}

/* With the lock, or not at all: what has it is done in a moment, or is stopped by a debugger. */
static bool wait_for_lock(void) {
    const struct timespec one = timespec_of(millisecond);
    for (int tries = 0; tries < 1000; tries++) {
        if (pthread_mutex_trylock(&lock) == 0) return true;
        nanosleep(&one, NULL);
    }
    return false;
}

void begin_watching_anew(JNIEnv *env, bool some_tell) {
    if (!on || !wait_for_lock()) return;
    for (int i = 0; i < WATCHED; i++)
        if (slots[i].group && !some_tell) release(env, i);
    code_tells = some_tell;
    for (size_t i = 0; i < GROUPS; i++) groups[i].vain = 0;
    pthread_mutex_unlock(&lock);
}

void want_watching(jvmtiCapabilities *c) {
    jvmtiCapabilities there;
    memset(&there, 0, sizeof there);
    if (!replica_options.sampled) return;
    if ((*agent.jvmti)->GetPotentialCapabilities(agent.jvmti, &there) == JVMTI_ERROR_NONE &&
        there.can_generate_sampled_object_alloc_events) {
        c->can_generate_sampled_object_alloc_events = 1;
        is_wanted = true;
    } else {
        send_loss("replicas", 1, "nothing was sampled: another agent samples allocations, which one can do at a time");
    }
}

void add_watching_callbacks(jvmtiEventCallbacks *callbacks) {
    if (is_wanted) callbacks->SampledObjectAlloc = on_sample;
}

static bool find_runtime(JNIEnv *env) {
    static const char *const fields[WATCHED][3] = {{"first", "firstPlace", "firstIndex"},
        {"second", "secondPlace", "secondIndex"}};
    jclass c = (*env)->FindClass(env, "java/lang/$MallardWatch");
    if (!c || !(runtime = (*env)->NewGlobalRef(env, c))) return false;
    for (int i = 0; i < WATCHED; i++) {
        objects[i] = (*env)->GetStaticFieldID(env, c, fields[i][0], "Ljava/lang/Object;");
        places[i] = (*env)->GetStaticFieldID(env, c, fields[i][1], "I");
        indexes[i] = (*env)->GetStaticFieldID(env, c, fields[i][2], "I");
        if (!objects[i] || !places[i] || !indexes[i]) return false;
    }
    return true;
}

void start_watching(JNIEnv *env) {
    if (!is_wanted) return;
    groups = calloc(GROUPS, sizeof *groups);
    seed ^= (uint64_t)now() | 1;
    rated = now();
    if (groups && find_runtime(env) && make_condition(&attention) &&
        (*agent.jvmti)->SetHeapSamplingInterval(agent.jvmti, (jint)interval) == JVMTI_ERROR_NONE &&
        (*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC,
            NULL) == JVMTI_ERROR_NONE) {
        on = true;
        start_agent_thread(env, "mallard samples", attend);
        return;
    }
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    send_loss("replicas", 1, "nothing was sampled: this JVM does not say which objects it allocates");
}

void stop_watching(void) {
    if (!on) return;
    on = false;
    pthread_cond_signal(&attention); /* the VM waits for threads that are in native code when it exits */
    (*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);
}
