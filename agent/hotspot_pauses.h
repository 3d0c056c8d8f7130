/* What a pause is for, as far as the VM has said it when one begins. */
#ifndef MALLARD_HOTSPOT_PAUSES_H
#define MALLARD_HOTSPOT_PAUSES_H

#include <stdbool.h>

/* VMInit, behind find_spaces. */
void find_pauses(void);

/* As a collection is about to begin, in the thread that stops the world, once for each that is announced. Whether it
 * may be a full one, or have one behind it that is not announced by itself. */
bool may_collect_all(void);

#endif
