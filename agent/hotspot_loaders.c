/* The numbers of class loaders, by the VM's structure for what a loader has loaded (ClassLoaderData), which a Klass
 * leads to. A hidden class may have one of its own. When a loader is gone another one may have its structure's address;
 * that has its own number before it has objects, and the objects of the one before are gone. */
#include "hotspot_loaders.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "abi.h"
#include "hotspot_table.h"
#include "observers.h"

enum {
    SLOTS = 1 << 16, /* open addressing */
    MOST = SLOTS / 2, /* that are taken; loaders for which there is no room are unknown */
    SHIFT = 7        /* structures are so far from each other, at least, as a power of two */
};

static struct {
    _Atomic uintptr_t data; /* 0: free */
    _Atomic uint32_t number;
} loaders[SLOTS];
static uint32_t taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of who writes */

bool knows_loaders(void) { return hotspot_entries()->on[USE_LOADERS]; }

static uintptr_t data_of(uintptr_t klass) { return AT(uintptr_t, klass + hotspot_entries()->class_loader_data); }

/* Where a structure's number is, or is to be. */
static size_t slot_of(uintptr_t data) {
    size_t at = data >> SHIFT;
    for (;; at++) {
        uintptr_t there = atomic_load_explicit(&loaders[at % SLOTS].data, memory_order_acquire);
        if (!there || there == data) return at % SLOTS;
    }
}

void note_loader(uintptr_t klass, uint32_t number) {
    if (!klass || !knows_loaders() || !wants_event(ABI_EVENT_HEAP_LOADER) || loader_of_klass(klass) == number) return;
    pthread_mutex_lock(&lock);
    uintptr_t data = data_of(klass);
    size_t at = slot_of(data);
    bool there = atomic_load_explicit(&loaders[at].data, memory_order_relaxed) != 0;
    if (there || taken < MOST) {
        taken += !there;
        atomic_store_explicit(&loaders[at].number, number, memory_order_release);
        atomic_store_explicit(&loaders[at].data, data, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}

uint32_t loader_of_klass(uintptr_t klass) {
    uintptr_t data = knows_loaders() ? data_of(klass) : 0;
    size_t at = data ? slot_of(data) : 0;
    if (!data || !atomic_load_explicit(&loaders[at].data, memory_order_acquire)) return UNKNOWN_LOADER;
    return atomic_load_explicit(&loaders[at].number, memory_order_acquire);
}
