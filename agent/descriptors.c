#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int beyond_streams(int fd) {
    if (fd < 0 || fd > STDERR_FILENO) return fd;
    int other = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), why = errno;
    close(fd);
    errno = why;
    return other;
}

bool identify_descriptor(int fd, struct identity *to) {
    struct stat s;
    if (fstat(fd, &s) != 0) return false;
    *to = (struct identity){s.st_dev, s.st_ino};
    return true;
}

bool is_same_descriptor(int fd, const struct identity *as) {
    struct identity now;
    return identify_descriptor(fd, &now) && now.device == as->device && now.inode == as->inode;
}
