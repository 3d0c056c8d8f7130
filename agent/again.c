/* Classes that come again: loaders of plugins, of tests and of what is generated define the same class files, each
 * anew. Out of the class cache these come from one entry. What the recorder has said about one of them is true of the
 * next, up to where its numbers begin: what its methods are called, and how objects are counted that a call of its
 * makes. So it is not asked again. */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES = 1 << 13, /* that are known to have come; one takes another's place */
    SAID = 1 << 12,    /* the same of what the recorder has said */
    BUCKETS = 1 << 12,
    NOBODY = 0 /* in place of a class: none; others are one more than their index */
};

/* A class that is loaded, from an entry that had come before. */
struct class {
    struct numbered_class is;
    char *name;                 /* NULL: it has none, or was redefined, and its methods have other numbers */
    uint32_t of_loader;         /* the next of the loader's, or of those that are unused */
};

/* What the recorder has said of an entry's method, or of a call with counters and a class that it makes. */
struct said {
    uint64_t entry; /* 0: of a call of any class, as long as no counters have been given back */
    uint64_t since; /* times that they were, then */
    uint32_t call;  /* A_METHOD, or the number of its first counter, relative to the class's; absolute without entry */
    uint32_t number;
    char *text;     /* NULL: nothing */
};
enum { A_METHOD = -1 };

static struct {
    pthread_mutex_t lock;
    uint64_t entries[ENTRIES];
    struct said said[SAID];
    struct class *classes;
    uint32_t count, capacity, unused; /* the list of those of loaders that are gone */
    uint32_t loaders[BUCKETS];        /* lists of classes, by the loader's number */
    uint32_t *counters;               /* whose each is, by its number; NULL before there is one */
} again = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static struct said *place_of(uint64_t entry, uint32_t call, const char *text) {
    uint64_t h = mix(entry, call);
    for (const char *c = text; *c; c++) h = mix(h, (unsigned char)*c);
    return &again.said[h % SAID];
}

static bool is(const struct said *s, uint64_t entry, uint64_t since, uint32_t call, const char *text) {
    return s->text && s->entry == entry && s->since == since && s->call == call && strcmp(s->text, text) == 0;
}

static bool look_up(uint64_t entry, uint64_t since, uint32_t call, const char *text, uint32_t *number) {
    const struct said *s = place_of(entry, call, text);
    if (!is(s, entry, since, call, text)) return false;
    *number = s->number;
    return true;
}

static void keep(uint64_t entry, uint64_t since, uint32_t call, const char *text, uint32_t number) {
    struct said *s = place_of(entry, call, text);
    if (is(s, entry, since, call, text)) return;
    char *copy = strdup(text);
    if (!copy) return;
    free(s->text);
    *s = (struct said){.entry = entry, .since = since, .call = call, .number = number, .text = copy};
}

/* Classes. */

static struct class *class_of_counter(uint32_t counter) {
    if (!again.counters || counter >= agent.block_bytes / sizeof(uint64_t)) return NULL;
    uint32_t owner = again.counters[counter];
    return owner == NOBODY ? NULL : &again.classes[owner - 1];
}

static struct class *class_of_name(uint32_t loader, const char *name) {
    for (uint32_t at = again.loaders[loader % BUCKETS]; at != NOBODY; at = again.classes[at - 1].of_loader) {
        struct class *c = &again.classes[at - 1];
        if (c->is.loader == loader && c->name && strcmp(c->name, name) == 0) return c;
    }
    return NULL;
}

/* NOBODY without memory. */
static uint32_t unused_class(void) {
    uint32_t at = again.unused;
    if (at != NOBODY) {
        again.unused = again.classes[at - 1].of_loader;
        return at;
    }
    if (again.count == again.capacity) {
        uint32_t capacity = again.capacity ? 2 * again.capacity : 256;
        struct class *more = realloc(again.classes, capacity * sizeof *more);
        if (!more) return NOBODY;
        again.classes = more;
        again.capacity = capacity;
    }
    return ++again.count;
}

static void own_counters(const struct numbered_class *c, uint32_t owner) {
    size_t all = agent.block_bytes / sizeof(uint64_t);
    if (!again.counters && c->counters) again.counters = calloc(all, sizeof *again.counters); /* resident as needed */
    for (uint32_t i = 0; again.counters && i < c->counters && c->counter + i < all; i++)
        again.counters[c->counter + i] = owner;
}

void class_came(const struct numbered_class *c, const char *name) {
    pthread_mutex_lock(&again.lock);
    uint64_t *entry = &again.entries[mix(c->entry, 0) % ENTRIES];
    uint32_t at = *entry == c->entry ? unused_class() : NOBODY;
    *entry = c->entry;
    if (at != NOBODY) {
        uint32_t *list = &again.loaders[c->loader % BUCKETS];
        again.classes[at - 1] = (struct class){.is = *c, .name = name ? strdup(name) : NULL, .of_loader = *list};
        *list = at;
        own_counters(c, at);
    }
    pthread_mutex_unlock(&again.lock);
}

void class_changed(uint32_t loader, const char *name) {
    pthread_mutex_lock(&again.lock);
    struct class *c = class_of_name(loader, name);
    if (c) {
        free(c->name);
        c->name = NULL;
    }
    pthread_mutex_unlock(&again.lock);
}

void loader_went(uint32_t loader) {
    pthread_mutex_lock(&again.lock);
    for (uint32_t *link = &again.loaders[loader % BUCKETS]; *link != NOBODY;) {
        uint32_t at = *link;
        struct class *c = &again.classes[at - 1];
        if (c->is.loader != loader) {
            link = &c->of_loader;
            continue;
        }
        *link = c->of_loader;
        own_counters(&c->is, NOBODY);
        free(c->name);
        c->name = NULL;
        c->of_loader = again.unused;
        again.unused = at;
    }
    pthread_mutex_unlock(&again.lock);
}

/* Methods. */

uint32_t method_of_class(uint32_t loader, const char *class, const char *method) {
    uint32_t number = 0;
    pthread_mutex_lock(&again.lock);
    const struct class *c = class_of_name(loader, class);
    bool known = c && look_up(c->is.entry, 0, (uint32_t)A_METHOD, method, &number);
    number = known ? c->is.method + number : 0;
    pthread_mutex_unlock(&again.lock);
    return number;
}

void learn_method_of_class(uint32_t loader, const char *class, const char *method, uint32_t number) {
    pthread_mutex_lock(&again.lock);
    const struct class *c = class_of_name(loader, class);
    if (c && number >= c->is.method && number - c->is.method < c->is.methods)
        keep(c->is.entry, 0, (uint32_t)A_METHOD, method, number - c->is.method);
    pthread_mutex_unlock(&again.lock);
}

/* What calls make. */

bool made_of_class(uint32_t call, const char *type, uint64_t since, uint32_t *counters, uint32_t *first) {
    pthread_mutex_lock(&again.lock);
    const struct class *c = class_of_counter(call);
    bool known = c ? look_up(c->is.entry, 0, call - c->is.counter, type, counters) :
        look_up(0, since, call, type, first);
    if (!c) *counters = 0;
    else if (known && *counters == 0) *first = call;
    pthread_mutex_unlock(&again.lock);
    return known;
}

void learn_made_of_class(uint32_t call, const char *type, uint64_t since, uint32_t counters, uint32_t first) {
    pthread_mutex_lock(&again.lock);
    const struct class *c = class_of_counter(call);
    if (c) keep(c->is.entry, 0, call - c->is.counter, type, counters);
    else keep(0, since, call, type, first);
    pthread_mutex_unlock(&again.lock);
}
