/* The numbers of class loaders, by the VM's structure for what a loader has loaded (ClassLoaderData), which a Klass
 * leads to. A hidden class may have one of its own. When a loader is gone another one may have its structure's address;
 * that has its own number before it has objects, and the objects of the one before are gone. */
#include "hotspot_loaders.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "abi.h"
#include "hotspot_table.h"
#include "observers.h"

enum {
    SLOTS = 1 << 16,  /* open addressing */
    MOST = SLOTS / 2, /* that are taken; loaders for which there is no room are unknown */
    MANY = MOST / 4,  /* from so many on, what is gone is forgotten */
    SHIFT = 7         /* structures are so far from each other, at least, as a power of two */
};

struct slot {
    _Atomic uintptr_t data; /* 0: free */
    _Atomic uint32_t number;
};
static struct slot tables[2][SLOTS];
static struct slot *_Atomic loaders = tables[0];
static uint32_t taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of who writes */

bool knows_loaders(void) { return hotspot_entries()->on[USE_LOADERS]; }

static uintptr_t data_of(uintptr_t klass) { return AT(uintptr_t, klass + hotspot_entries()->class_loader_data); }

/* Where a structure's number is, or is to be. */
static struct slot *slot_of(struct slot *table, uintptr_t data) {
    for (size_t at = data >> SHIFT;; at++) {
        struct slot *s = &table[at % SLOTS];
        uintptr_t there = atomic_load_explicit(&s->data, memory_order_acquire);
        if (!there || there == data) return s;
    }
}

static uint32_t number_of(uintptr_t data) {
    struct slot *s = slot_of(atomic_load_explicit(&loaders, memory_order_acquire), data);
    if (!atomic_load_explicit(&s->data, memory_order_acquire)) return UNKNOWN_LOADER;
    return atomic_load_explicit(&s->number, memory_order_acquire);
}

/* With the lock. */
static void put(struct slot *table, uintptr_t data, uint32_t number) {
    struct slot *s = slot_of(table, data);
    bool there = atomic_load_explicit(&s->data, memory_order_relaxed) != 0;
    if (!there && taken == MOST) return;
    taken += !there;
    atomic_store_explicit(&s->number, number, memory_order_release);
    atomic_store_explicit(&s->data, data, memory_order_release);
}

void note_loader(uintptr_t klass, uint32_t number) {
    if (!klass || !knows_loaders() || !wants_event(ABI_EVENT_HEAP_LOADER) || loader_of_klass(klass) == number) return;
    pthread_mutex_lock(&lock);
    put(atomic_load_explicit(&loaders, memory_order_relaxed), data_of(klass), number);
    pthread_mutex_unlock(&lock);
}

uint32_t loader_of_klass(uintptr_t klass) {
    uintptr_t data = knows_loaders() ? data_of(klass) : 0;
    return data ? number_of(data) : UNKNOWN_LOADER;
}

/* Threads that run native code, and so may note a loader now, read the table from before or the new one. */
void forget_gone_loaders(void) {
    const struct hotspot *vm = hotspot_entries();
    if (!vm->on[USE_CLASS_OBJECTS] || !knows_loaders() || pthread_mutex_trylock(&lock) != 0) return;
    if (taken >= MANY) {
        struct slot *other = atomic_load_explicit(&loaders, memory_order_relaxed) == tables[0] ? tables[1] : tables[0];
        memset((void *)other, 0, sizeof tables[0]);
        taken = 0;
        for (uintptr_t l = AT(uintptr_t, vm->loaders); l; l = AT(uintptr_t, l + vm->next_loader)) {
            uint32_t number = number_of(l);
            if (number != UNKNOWN_LOADER) put(other, l, number);
        }
        atomic_store_explicit(&loaders, other, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}
