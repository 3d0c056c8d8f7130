/* The native methods of Seizes. */
#include <jni.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 256 };
static int ends[MOST], count; /* the other ends of sockets that stand in others' place */

JNIEXPORT void JNICALL Java_Seizes_seize(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    for (int fd = 3; fd < MOST; fd++) {
        char path[32], to[32] = "";
        int pair[2];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (readlink(path, to, sizeof to - 1) < 0 || strncmp(to, "socket:", 7) != 0) continue;
        for (int i = 0; i < count; i++)
            if (ends[i] == fd) to[0] = 0; /* one of ours */
        if (!to[0] || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) continue;
        dup2(pair[0], fd);
        close(pair[0]);
        ends[count++] = pair[1];
    }
}

JNIEXPORT jint JNICALL Java_Seizes_arrived(JNIEnv *env, jclass c) {
    int bytes = 0;
    (void)env, (void)c;
    for (int i = 0; i < count; i++) {
        int n = 0;
        ioctl(ends[i], FIONREAD, &n);
        bytes += n;
    }
    return bytes;
}

/* At exit, behind all that the JVM does. */
__attribute__((destructor)) static void end(void) {
    int shut = 0;
    char byte;
    for (int i = 0; i < count; i++) shut += recv(ends[i], &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    printf("%d bytes at the end, %d shut down\n", (int)Java_Seizes_arrived(NULL, NULL), shut);
}
