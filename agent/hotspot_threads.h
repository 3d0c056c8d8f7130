/* The VM's list of its threads. Only hotspot*.c and death.c include this. */
#ifndef MALLARD_HOTSPOT_THREADS_H
#define MALLARD_HOTSPOT_THREADS_H

#include <stddef.h>
#include <stdint.h>

#include "hotspot.h"

/* Threads of which lists and tables have room. Linux's own limits (vm.max_map_count) allow some 20,000. */
enum { MOST_THREADS = 1 << 16 };

/* The VM's structures for threads, at most so many, and where the list is; 0: there are more, or it is gone. The VM
 * frees it when a thread comes or goes, and its own may at any time: so it is read as if it might not be there. */
uintptr_t read_threads(uintptr_t *to, size_t most, size_t *count);

/* The Thread objects of threads that the VM has for itself and JVMTI does not show, at the end. Visible are those that
 * it shows, the caller among them. None where that is not known. */
struct made_objects own_threads_of_vm(JNIEnv *env, const jthread *visible, jint count);

#endif
