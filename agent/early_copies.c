/* Copies of what may be gone. */
#include "early_copies.h"

#include <sys/uio.h>
#include <unistd.h>

#include "hotspot_spaces.h"
#include "pages.h"

enum {
    COPIED = 1 << 16, /* bytes at a time, which processors have close by when they are read */
    BEGINNING = 512   /* bytes of an object that have all that its size is known from */
};

static unsigned char *copy; /* COPIED; NULL: objects are read where they are */

bool make_early_copies(void) { return !may_be_moved_unannounced() || (copy = zero_pages(COPIED)); }

bool views_are_copies(void) { return copy; }

bool view_early(uintptr_t at, uintptr_t to, struct view *is) {
    size_t bytes = to - at < COPIED ? to - at : COPIED;
    const struct iovec here = {copy, bytes}, there = {(void *)at, bytes};
    *is = (struct view){.end = to};
    if (!copy) return true;
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)bytes || !nothing_collected()) return false;
    *is = (struct view){.end = bytes == to - at ? to : at + bytes - BEGINNING, .shift = (uintptr_t)copy - at};
    return true;
}
