/* Tags for objects whose header was elsewhere when code was to tag them. */
#ifndef MALLARD_LATE_TAGS_H
#define MALLARD_LATE_TAGS_H

#include <stdint.h>

/* In a walk, before it reads: gives objects the tags that they were to have, and says so of each before. Nobody locks
 * any then. */
void give_late_tags(void (*gives)(uintptr_t object));

/* In a thread that may call the VM: forgets those that wait. */
void forget_late_tags(void);

#endif
