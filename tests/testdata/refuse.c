/* Preloaded into a JVM, refuses what the agent calls in the C library: memory, threads, descriptors, the socket. A call
 * is known by where it returns to, as an offset into the agent's library.
 *
 *   REFUSE_SITE   the call, in hexadecimal; 0: none; "sockets": each call of the socket is cut short, or interrupted
 *   REFUSE_FIRST  the first time that it is refused, from 1 on
 *   REFUSE_LAST   the last time
 *   REFUSE_LIST   the file to which all calls are written at exit: function, offset, times
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

enum { SITES = 1 << 10 };

static struct {
    _Atomic uintptr_t offset; /* 0: none */
    const char *_Atomic function;
    _Atomic uint64_t times;
} sites[SITES];

static bool on; /* in a JVM */
static bool disturbs_sockets;
static uint64_t refused_site, first, last;
static _Atomic uintptr_t agent, agent_end; /* the library */

static uint64_t number(const char *variable, int base) {
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, base) : 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *site = getenv("REFUSE_SITE");
    disturbs_sockets = site && strcmp(site, "sockets") == 0;
    refused_site = disturbs_sockets ? 0 : number("REFUSE_SITE", 16);
    first = number("REFUSE_FIRST", 10);
    last = number("REFUSE_LAST", 10);
    on = strcmp(program_invocation_short_name, "java") == 0;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("REFUSE_LIST");
    FILE *f = on && agent && path ? fopen(path, "we") : NULL;
    if (!f) return;
    for (size_t i = 0; i < SITES; i++)
        if (sites[i].offset)
            fprintf(f, "%s %lx %lu\n", sites[i].function, (unsigned long)sites[i].offset,
                (unsigned long)sites[i].times);
    fclose(f);
}

/* Where a library that is loaded ends. */
static uintptr_t end_of(uintptr_t base) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)base;
    const Elf64_Phdr *part = (const Elf64_Phdr *)(base + header->e_phoff);
    uintptr_t to = base;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (part[i].p_type == PT_LOAD && base + part[i].p_vaddr + part[i].p_memsz > to)
            to = base + part[i].p_vaddr + part[i].p_memsz;
    return to;
}

static bool is_agents(uintptr_t at) {
    static _Thread_local bool looking;
    Dl_info of;
    if (agent) return at >= agent && at < agent_end;
    if (looking) return false;
    looking = true;
    bool is = dladdr((void *)at, &of) && of.dli_fname && strstr(of.dli_fname, "libmallard");
    looking = false;
    if (!is) return false;
    agent_end = end_of((uintptr_t)of.dli_fbase);
    agent = (uintptr_t)of.dli_fbase;
    return true;
}

static bool is_refused(const char *function, void *returns_to) {
    if (!on || !is_agents((uintptr_t)returns_to)) return false;
    uintptr_t offset = (uintptr_t)returns_to - agent;
    for (size_t i = offset * 0x9E3779B97F4A7C15U >> 54;; i = (i + 1) % SITES) {
        uintptr_t there = 0;
        if (!atomic_compare_exchange_strong(&sites[i].offset, &there, offset) && there != offset) continue;
        sites[i].function = function;
        uint64_t time = atomic_fetch_add(&sites[i].times, 1) + 1;
        return offset == refused_site && time >= first && time <= last;
    }
}

#define REFUSED(function) is_refused(function, __builtin_return_address(0))

/* Every other call of a socket is disturbed. */
static bool is_disturbed(void *returns_to) {
    static _Atomic unsigned calls;
    return disturbs_sockets && on && is_agents((uintptr_t)returns_to) && atomic_fetch_add(&calls, 1) % 2 == 0;
}

#define DISTURBED is_disturbed(__builtin_return_address(0))

#define REAL(function) ((__typeof__(&function))(uintptr_t)dlsym(RTLD_NEXT, #function))

static int fails(int why) {
    errno = why;
    return -1;
}

static void *lacks(void) {
    errno = ENOMEM;
    return NULL;
}

/* Memory. */

void *malloc(size_t size) { return REFUSED("malloc") ? lacks() : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return REFUSED("calloc") ? lacks() : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return REFUSED("realloc") ? lacks() : __libc_realloc(old, size); }

char *strdup(const char *s) {
    size_t n = strlen(s) + 1;
    char *copy = REFUSED("strdup") ? lacks() : __libc_malloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

char *strndup(const char *s, size_t most) {
    size_t n = strnlen(s, most);
    char *copy = REFUSED("strndup") ? lacks() : __libc_malloc(n + 1);
    if (!copy) return NULL;
    copy[n] = 0;
    return memcpy(copy, s, n);
}

int asprintf(char **to, const char *format, ...) {
    if (REFUSED("asprintf")) return fails(ENOMEM);
    va_list values;
    va_start(values, format);
    int n = vasprintf(to, format, values);
    va_end(values);
    return n;
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset) {
    static __typeof__(&mmap) real;
    if (REFUSED("mmap")) return errno = ENOMEM, MAP_FAILED;
    if (!real) real = REAL(mmap);
    return real(at, n, protection, flags, fd, offset);
}

int madvise(void *at, size_t n, int advice) {
    return REFUSED("madvise") ? fails(EAGAIN) : REAL(madvise)(at, n, advice);
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long n, const struct iovec *there,
    unsigned long m, unsigned long flags) {
    return REFUSED("process_vm_readv") ? fails(EPERM) : REAL(process_vm_readv)(pid, here, n, there, m, flags);
}

/* Threads, processes, limits. */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    return REFUSED("pthread_create") ? EAGAIN : REAL(pthread_create)(thread, attributes, run, argument);
}

pid_t fork(void) { return REFUSED("fork") ? fails(EAGAIN) : REAL(fork)(); }
int getrlimit(__rlimit_resource_t what, struct rlimit *to) {
    return REFUSED("getrlimit") ? fails(EPERM) : REAL(getrlimit)(what, to);
}

/* Files. */

int memfd_create(const char *name, unsigned flags) {
    return REFUSED("memfd_create") ? fails(EMFILE) : REAL(memfd_create)(name, flags);
}

int ftruncate(int fd, off_t n) { return REFUSED("ftruncate") ? fails(EFBIG) : REAL(ftruncate)(fd, n); }
int fstat(int fd, struct stat *to) { return REFUSED("fstat") ? fails(EIO) : REAL(fstat)(fd, to); }

ssize_t pread(int fd, void *to, size_t n, off_t at) {
    return REFUSED("pread") ? fails(EIO) : REAL(pread)(fd, to, n, at);
}

int open(const char *path, int flags, ...) {
    va_list values;
    va_start(values, flags);
    int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(values, int) : 0;
    va_end(values);
    return REFUSED("open") ? fails(EMFILE) : REAL(open)(path, flags, mode);
}

int fcntl(int fd, int command, ...) {
    va_list values;
    va_start(values, command);
    long value = va_arg(values, long);
    va_end(values);
    return REFUSED("fcntl") ? fails(EMFILE) : REAL(fcntl)(fd, command, value);
}

/* The socket. */

int socket(int domain, int type, int protocol) {
    return REFUSED("socket") ? fails(EMFILE) : REAL(socket)(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int pair[2]) {
    return REFUSED("socketpair") ? fails(EMFILE) : REAL(socketpair)(domain, type, protocol, pair);
}

int connect(int fd, const struct sockaddr *to, socklen_t n) {
    return REFUSED("connect") ? fails(ECONNREFUSED) : REAL(connect)(fd, to, n);
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *n) {
    return REFUSED("getsockopt") ? fails(ENOBUFS) : REAL(getsockopt)(fd, level, name, value, n);
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags) {
    static _Atomic unsigned disturbed;
    struct msghdr part = *m;
    struct iovec one;
    if (REFUSED("sendmsg")) return fails(EPIPE);
    if (DISTURBED) {
        if (disturbed++ % 2) return fails(EINTR);
        one = (struct iovec){m->msg_iov->iov_base, m->msg_iov->iov_len ? 1 : 0};
        if (one.iov_len) part.msg_iov = &one, part.msg_iovlen = 1;
    }
    return REAL(sendmsg)(fd, &part, flags);
}

ssize_t recv(int fd, void *to, size_t n, int flags) {
    static _Atomic unsigned disturbed;
    if (REFUSED("recv")) return fails(ECONNRESET);
    if (DISTURBED) {
        if (disturbed++ % 2) return fails(EINTR);
        if (n > 1) n = 1;
    }
    return REAL(recv)(fd, to, n, flags);
}

int ppoll(struct pollfd *list, nfds_t n, const struct timespec *most, const sigset_t *signals) {
    if (REFUSED("ppoll")) return fails(ENOMEM);
    if (DISTURBED) return fails(EINTR);
    return REAL(ppoll)(list, n, most, signals);
}
