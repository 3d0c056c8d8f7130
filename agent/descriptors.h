/* Descriptors of the agent's, among those of the program: which may have closed its streams, may close any descriptor
 * that it does not know, and gets the number for what it opens next. */
#ifndef MALLARD_DESCRIPTORS_H
#define MALLARD_DESCRIPTORS_H

#include <stdbool.h>
#include <sys/types.h>

/* One that was just opened, or another one for it, closed by execve, where that has the number of a stream: what the
 * program writes to a stream that is closed must go nowhere. -1 as it is, or without one. */
int beyond_streams(int fd);

/* What a descriptor was opened for. */
struct identity {
    dev_t device;
    ino_t inode;
};

/* False: it is no descriptor. */
bool identify_descriptor(int fd, struct identity *to);

/* Whether it still is what it was. */
bool is_same_descriptor(int fd, const struct identity *as);

#endif
