/* The conversation with the recorder: one stream socket, frames of a type, a length and a payload (packages
 * internal/abi and internal/transport). */
#include "agent.h"
#include "observers.h"
#include "hotspot.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors that ride with a frame. */
enum { MAX_DESCRIPTORS = 3 };

struct descriptors {
    size_t count;
    int list[MAX_DESCRIPTORS];
};

static bool write_all(int socket, struct iovec *v, int n, struct descriptors d) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof d.list)];
    } control;
    while (n > 0) {
        struct msghdr h = {.msg_iov = v, .msg_iovlen = (size_t)n};
        if (d.count > 0) { /* they ride with the first bytes */
            memset(&control, 0, sizeof control);
            h.msg_control = &control;
            h.msg_controllen = CMSG_SPACE(d.count * sizeof *d.list);
            control.header.cmsg_level = SOL_SOCKET;
            control.header.cmsg_type = SCM_RIGHTS;
            control.header.cmsg_len = CMSG_LEN(d.count * sizeof *d.list);
            memcpy(CMSG_DATA(&control.header), d.list, d.count * sizeof *d.list);
        }
        ssize_t k = sendmsg(socket, &h, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        d.count = 0;
        for (; n > 0 && (size_t)k >= v->iov_len; v++, n--) k -= (ssize_t)v->iov_len;
        if (n > 0) {
            v->iov_base = (char *)v->iov_base + k;
            v->iov_len -= (size_t)k;
        }
    }
    return true;
}

static bool read_all(int socket, void *p, size_t n) {
    for (char *to = p; n > 0;) {
        ssize_t k = recv(socket, to, n, 0);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        to += k;
        n -= (size_t)k;
    }
    return true;
}

static bool write_frame(int socket, uint32_t type, struct message *m, const void *tail, size_t tail_size,
    struct descriptors d) {
    uint32_t tail_length = (uint32_t)tail_size;
    uint32_t header[2] = {type, (uint32_t)(m->size + (tail ? sizeof tail_length + tail_size : 0))};
    struct iovec v[4] = {{header, sizeof header}, {m->data, m->size}, {&tail_length, sizeof tail_length},
        {(void *)(uintptr_t)tail, tail_size}};
    return write_all(socket, v, tail ? 4 : 2, d);
}

/* What is wanted of an agent whose recorder has gone is nothing: on the control channel that is no misfortune. */
static bool lost(int socket) {
    if (socket == agent.socket) disengage("the recorder went away");
    return false;
}

bool send_message(uint32_t type, struct message *m) {
    bool ok = false;
    pthread_mutex_lock(&agent.wire_lock);
    if (agent.engaged && !m->failed) ok = write_frame(agent.socket, type, m, NULL, 0, (struct descriptors){0}) ||
        lost(agent.socket);
    pthread_mutex_unlock(&agent.wire_lock);
    free_message(m);
    return ok;
}

void send_loss(const char *kind, uint64_t count, const char *detail) {
    struct message m = {0};
    put_loss(&m, &(struct loss_fields){.kind = kind, .count = count, .detail = detail});
    send_message(ABI_LOSS, &m);
}

static void refused(const unsigned char *reason, uint32_t size) {
    char why[1024];
    snprintf(why, sizeof why, "%.*s", (int)(size < 1000 ? size : 1000), reason ? (const char *)reason : "");
    disengage(why);
}

/* A frame that answers, in malloc's memory. */
struct answer {
    uint32_t type, size;
    unsigned char *data;
};

/* No function of JVMTI is called here: on JDK 25 even Allocate stops a thread that is to be suspended, and one that was
 * stopped with the lock held would keep the last snapshot from being sent. */
static bool read_answer(int socket, struct answer *a) {
    uint32_t header[2];
    *a = (struct answer){0};
    if (!read_all(socket, header, sizeof header) || header[1] > ABI_MAX_FRAME) return lost(socket);
    *a = (struct answer){header[0], header[1], malloc(header[1])};
    if (header[1] > 0 && !a->data) disengage("no memory for an answer of the recorder");
    if (header[1] == 0 || (a->data && read_all(socket, a->data, header[1]))) return true;
    free(a->data);
    return lost(socket);
}

/* Moves what was asked for to JVMTI's memory; false with the agent disengaged. */
static bool take_answer(struct answer *a, unsigned char **data, uint32_t *size) {
    bool ok = a->type == ABI_OK;
    if (!ok) refused(a->data, a->size);
    *data = NULL;
    *size = ok ? a->size : 0;
    if (*size > 0) ok = !failed((*agent.jvmti)->Allocate(agent.jvmti, *size, data), "memory");
    if (ok && *size > 0) memcpy(*data, a->data, *size);
    free(a->data);
    return ok;
}

static bool exchange_with(uint32_t type, struct message *m, const void *tail, size_t tail_size, struct descriptors d,
    unsigned char **data, uint32_t *size) {
    bool ok = false;
    struct answer a;
    pthread_mutex_lock(&agent.wire_lock);
    if (agent.engaged && !m->failed) {
        ok = write_frame(agent.socket, type, m, tail, tail_size, d) || lost(agent.socket);
        if (ok) ok = read_answer(agent.socket, &a);
    }
    pthread_mutex_unlock(&agent.wire_lock);
    free_message(m);
    return ok && take_answer(&a, data, size);
}

bool exchange(uint32_t type, struct message *m, const void *tail, size_t tail_size, unsigned char **answer,
    uint32_t *answer_size) {
    return exchange_with(type, m, tail, tail_size, (struct descriptors){0}, answer, answer_size);
}

bool exchange_control(uint32_t type, struct message *m, unsigned char **answer, uint32_t *answer_size) {
    struct answer a;
    bool ok = agent.engaged && !m->failed && write_frame(agent.control_socket, type, m, NULL, 0,
        (struct descriptors){0}) && read_answer(agent.control_socket, &a);
    free_message(m);
    return ok && take_answer(&a, answer, answer_size);
}

bool drain_message_ring(void) {
    struct message m = {0};
    struct answer a;
    if (!write_frame(agent.socket, ABI_RING_FULL, &m, NULL, 0, (struct descriptors){0})) return lost(agent.socket);
    if (!read_answer(agent.socket, &a)) return false;
    if (a.type != ABI_OK) refused(a.data, a.size);
    free(a.data);
    return a.type == ABI_OK;
}

/* A recorder hands out code that runs as this user: it is this user's, or root's. Nobody else gets a byte. */
static bool trusted(int socket) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && (peer.uid == geteuid() || peer.uid == 0);
}

/* The recorder that `mallard run` opened a socket for: options begin with socket=PATH, up to a comma. */
static int connect_to(const char *path, size_t length) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (length >= sizeof to.sun_path) return -1;
    memcpy(to.sun_path, path, length);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s >= 0 && connect(s, (struct sockaddr *)&to, sizeof to) != 0) {
        close(s);
        s = -1;
    }
    return s;
}

/* In the child of a fork: leaves the program nothing to wait for, neither a stream nor any other descriptor, and
 * becomes the recorder, with the socket at RECORDER_SOCKET. */
enum { RECORDER_SOCKET = 3 };

static _Noreturn void become_recorder(const char *binary, int recorder_end) {
    char *const arguments[] = {"mallard", "record", "3", NULL};
    int null = open("/dev/null", O_RDWR), high = fcntl(recorder_end, F_DUPFD, RECORDER_SOCKET + 1);
    if (null < 0 || high < 0) _exit(127);
    for (int stream = 0; stream < RECORDER_SOCKET; stream++) dup2(null, stream);
    dup2(high, RECORDER_SOCKET);
    if (syscall(SYS_close_range, RECORDER_SOCKET + 1U, ~0U, 0U) != 0) { /* before Linux 5.9 */
        struct rlimit files;
        rlim_t end = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 65536 ? files.rlim_cur : 65536;
        for (int fd = RECORDER_SOCKET + 1; fd < (int)end; fd++) close(fd);
    }
    execv(binary, arguments);
    _exit(127);
}

/* Where nobody opened a socket, the binary beside this library records: in a session of its own, so that no key of the
 * terminal reaches it, and started twice removed, so that the program never sees a child. */
static int start_recorder(void) {
    Dl_info here;
    char binary[PATH_MAX];
    int pair[2];
    if (!dladdr((void *)(uintptr_t)&connect_recorder, &here) ||
        strlen(here.dli_fname) >= sizeof binary - sizeof "/mallard") return -1;
    strcpy(binary, here.dli_fname);
    char *slash = strrchr(binary, '/');
    strcpy(slash ? slash + 1 : binary, "mallard");
    if (access(binary, X_OK) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        become_recorder(binary, pair[1]);
    }
    close(pair[1]);
    if (child < 0) {
        close(pair[0]);
        return -1;
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    return pair[0];
}

const char *connect_recorder(const char *options) {
    if (strncmp(options, "socket=", 7) == 0)
        agent.socket = connect_to(options + 7, strcspn(options + 7, ","));
    else
        agent.socket = start_recorder();
    if (agent.socket < 0) return "the recorder could not be reached";
    return trusted(agent.socket) ? NULL : "the recorder is another user's";
}

bool say_hello(const char *options, int memory_fd, int events_fd) {
    struct message m = {0};
    char *name = NULL, *version = NULL;
    (*agent.jvmti)->GetSystemProperty(agent.jvmti, "java.vm.name", &name);
    (*agent.jvmti)->GetSystemProperty(agent.jvmti, "java.vm.version", &version);
    put_hello(&m, &(struct hello_fields){
        .version = ABI_VERSION, .process = (uint32_t)getpid(), .feature = (uint32_t)agent.feature,
        .memory = (uint64_t)(uintptr_t)agent.memory, .blocks = agent.block_count, .block_bytes = agent.block_bytes,
        .arena_bytes = agent.arena_bytes, .shared = (uint64_t)(uintptr_t)agent.shared,
        .collector = collector(), .vm_name = name, .vm_version = version, .options = options});
    if (name) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    if (version) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)version);
    unsigned char *answer = NULL;
    uint32_t size = 0;
    int pair[2];
    bool two = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
    bool ok = exchange_with(ABI_HELLO, &m, NULL, 0,
        (struct descriptors){two ? 3 : 2, {memory_fd, events_fd, two ? pair[1] : -1}}, &answer, &size);
    close(memory_fd); /* the mapping stays */
    if (two) close(pair[1]);
    struct hello_answer hello = {0};
    ok = ok && get_hello_answer(&(struct bytes){answer, size}, &hello);
    agent.contexts = hello.flags & ABI_CONTEXTS;
    agent.snapshot_callback = hello.flags & ABI_SNAPSHOT_CALLBACK;
    agent.bytecode_snapshots = hello.flags & ABI_BYTECODE_SNAPSHOTS;
    agent.natives = hello.flags & ABI_NATIVES;
    if (two && (hello.flags & (ABI_ADAPTING | ABI_SNAPSHOT_CALLBACK)))
        agent.control_socket = pair[0];
    else if (two)
        close(pair[0]);
    if (ok) open_events(events_fd, &hello);
    close(events_fd);
    if (ok) map_cache(&hello);
    if (ok && !keep_runtime(hello.runtime)) {
        disengage("no memory for the runtime classes");
        ok = false;
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    return ok;
}
