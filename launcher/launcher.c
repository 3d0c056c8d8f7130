/* What the kernel starts for a shim (package internal/shim), with the path of mallard, that of the shim, and the
 * arguments. It becomes mallard, which starts the JDK's launcher that the shim stands for; or that launcher, where
 * mallard could not run: Go's runtime ends the process if it cannot reserve address space. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Go's runtime takes less than a third of it, with the stacks of its threads. */
static const rlim_t enough = (rlim_t)4 << 30;

static int mallard_can_run(void) {
    struct rlimit l;
    return getrlimit(RLIMIT_AS, &l) != 0 || l.rlim_cur == RLIM_INFINITY || l.rlim_cur >= enough;
}

/* The second line of a shim; 0 where there is none. */
static int read_launcher(const char *shim, char *line, int size) {
    FILE *f = fopen(shim, "re");
    int is_there = f && fgets(line, size, f) && fgets(line, size, f) && line[0] == '/';
    if (f) fclose(f);
    if (is_there) line[strcspn(line, "\n")] = 0;
    return is_there;
}

int main(int argc, char **argv) {
    char launcher[PATH_MAX + 2];
    if (argc < 3) return 2;
    char *mallard = argv[1], *shim = argv[2];
    if (mallard_can_run()) {
        argv[0] = mallard;
        argv[1] = "shim";
        execv(mallard, argv);
    }
    if (read_launcher(shim, launcher, sizeof launcher)) {
        argv[2] = launcher;
        execv(launcher, argv + 2);
    }
    perror(shim);
    return 127;
}
