/* The class loader that a class is of, by the number that the recording has for it, where neither JVMTI nor the VM can
 * be asked: while the world is stopped. */
#ifndef MALLARD_HOTSPOT_LOADERS_H
#define MALLARD_HOTSPOT_LOADERS_H

#include <stdbool.h>
#include <stdint.h>

enum { UNKNOWN_LOADER = UINT32_MAX };

/* Whether loaders are known at all. */
bool knows_loaders(void);

/* From any Java thread, when a class is prepared, so before it has objects. Nothing where nobody wants to know. */
void note_loader(uintptr_t klass, uint32_t number);

/* While the world is stopped, by the thread that stops it: loaders that the VM has unloaded are forgotten, where there
 * are many. */
void forget_gone_loaders(void);

/* From any thread; takes no lock. The class may be unloaded, if its Klass is still there. */
uint32_t loader_of_klass(uintptr_t klass);

#endif
