/* The way to the recorder, and the first words with it. */
#include "agent.h"
#include "observers.h"
#include "hotspot.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* A recorder hands out code that runs as this user: it is this user's, or root's. Nobody else gets a byte. */
static bool trusted(int socket) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && (peer.uid == geteuid() || peer.uid == 0);
}

/* The recorder that `mallard run` opened a socket for: options begin with socket=PATH, up to a comma. */
static int connect_to(const char *path, size_t length) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const struct timeval limit = {.tv_sec = ABI_ANSWER_SECONDS}; /* where others queue up at it */
    if (length >= sizeof to.sun_path) return -1;
    memcpy(to.sun_path, path, length);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s >= 0) setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    int failed = 0;
    while (s >= 0 && (failed = connect(s, (struct sockaddr *)&to, sizeof to)) != 0 && errno == EINTR) continue;
    if (s >= 0 && failed) {
        int why = errno;
        close(s);
        errno = why;
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
    bool listens = strncmp(options, "socket=", 7) == 0;
    int socket = listens ? connect_to(options + 7, strcspn(options + 7, ",")) : start_recorder();
    static const char others[] = "the recorder is another user's";
    if (!channel_open(&agent.recorder, socket)) return errno == EACCES ? others : "the recorder could not be reached";
    return trusted(agent.recorder.socket) ? NULL : others;
}

bool say_hello(const char *options, int memory_fd, int events_fd) {
    struct message m = {0};
    char *name = NULL, *version = NULL;
    (*agent.jvmti)->GetSystemProperty(agent.jvmti, "java.vm.name", &name);
    (*agent.jvmti)->GetSystemProperty(agent.jvmti, "java.vm.version", &version);
    put_hello(&m, &(struct hello_fields){
        .version = ABI_VERSION, .feature = (uint32_t)agent.feature,
        .memory = (uint64_t)(uintptr_t)agent.memory, .blocks = agent.block_count, .block_bytes = agent.block_bytes,
        .arena_bytes = agent.arena_bytes, .shared = (uint64_t)(uintptr_t)agent.shared,
        .first_counter = agent.first_counter,
        .collector = collector(), .vm_name = name, .vm_version = version, .options = options});
    if (name) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    if (version) (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)version);
    unsigned char *answer = NULL;
    uint32_t size = 0;
    int pair[2];
    bool two = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
    bool ok = exchange_first(ABI_HELLO, &m, (struct descriptors){two ? 3 : 2,
        {memory_fd, events_fd, two ? pair[1] : -1}}, &answer, &size);
    close(memory_fd); /* the mapping stays */
    if (two) close(pair[1]);
    struct hello_answer hello = {0};
    ok = ok && get_hello_answer(&(struct bytes){answer, size}, &hello);
    if (ok) limit_waits((moment)hello.answer_within, (moment)hello.exit_within);
    agent.contexts = hello.flags & ABI_CONTEXTS;
    agent.snapshot_callback = hello.flags & ABI_SNAPSHOT_CALLBACK;
    agent.bytecode_snapshots = hello.flags & ABI_BYTECODE_SNAPSHOTS;
    agent.cache_of_boot_loader = hello.flags & ABI_CACHE_OF_BOOT_LOADER;
    agent.commands = hello.flags & ABI_COMMANDS;
    agent.natives = hello.flags & ABI_NATIVES;
    agent.uncounted = hello.flags & ABI_UNCOUNTED;
    if (two && (hello.flags & (ABI_ADAPTING | ABI_SNAPSHOT_CALLBACK)))
        channel_open(&agent.control, pair[0]);
    else if (two)
        close(pair[0]);
    if (ok) open_events(events_fd, &hello);
    close(events_fd);
    if (ok) open_cache(&hello);
    if (ok && !keep_runtime(hello.runtime)) {
        disengage("no memory for the runtime classes");
        ok = false;
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, answer);
    return ok;
}
