/* Where what is read early can be read: where it is, or, where objects may be moved and memory be given back
 * unannounced, in a copy that the system makes. */
#ifndef MALLARD_EARLY_COPIES_H
#define MALLARD_EARLY_COPIES_H

#include <stdbool.h>
#include <stdint.h>

/* What can be read at a time. */
struct view {
    uintptr_t end;   /* objects that begin in front of it can be, but for what is behind all that tells their size */
    uintptr_t shift; /* this far from where they are */
};

/* VMInit, behind find_spaces. False: there is no memory. */
bool make_early_copies(void);

/* Whether views are copies. Then nothing may be written to what is there. */
bool views_are_copies(void);

/* Gives the view of what begins at an address and goes on to another, until the next one is asked for, by one thread.
 * False: it is there no more, or may be something else by now. */
bool view_early(uintptr_t at, uintptr_t to, struct view *is);

#endif
