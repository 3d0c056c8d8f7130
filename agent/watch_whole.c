/* Sampled objects that are looked at whole, whether or not code tells what it reads of them.
 *
 * When the JVM says that it has allocated one its constructor has not run. So it is held, and its contents are hashed
 * when the next objects are sampled, some milliseconds later. The recorder counts how many have the same. */
#include "agent.h"
#include "watch.h"

#include <string.h>

enum { HELD = 16 };

static const moment least = 2000000, /* nanoseconds until the constructor has run, mostly */
    between = 1000000;               /* two that are held: to look at one takes some 30,000 */

static struct held {
    jobject object; /* global; NULL: free */
    char signature[WATCH_SIGNATURE];
    uint32_t made;
    moment since;
} held[HELD];
static moment last;

void look_later(JNIEnv *env, jobject object, const char *signature, uint32_t made, moment at) {
    struct held *h = held;
    if (at - last < between) return;
    while (h < held + HELD && h->object) h++;
    if (h == held + HELD || !(h->object = (*env)->NewGlobalRef(env, object))) return;
    memcpy(h->signature, signature, strlen(signature) + 1);
    h->made = made;
    h->since = last = at;
}

static void look(JNIEnv *env, const struct held *h) {
    struct message m = {0};
    struct sampled_whole_fields fields = {.made = h->made};
    if (!contents_of(env, h->object, h->signature, &fields.hash)) return;
    put_sampled_whole(&m, &fields);
    post_message(ABI_SAMPLED_WHOLE, &m);
}

void look_at_due(JNIEnv *env, moment at) {
    for (struct held *h = held; h < held + HELD; h++) {
        if (!h->object || at - h->since < least) continue;
        look(env, h);
        (*env)->DeleteGlobalRef(env, h->object);
        h->object = NULL;
    }
}
