/* Sampled objects that are looked at whole, whether or not code tells what it reads of them.
 *
 * When the JVM says that it has allocated one its constructor has not run. So it is held, and its contents are hashed
 * by the thread that attends to samples, some milliseconds later, when the thread that made it has made others. The
 * recorder counts how many have the same. */
#include "agent.h"
#include "watch.h"

#include <string.h>

enum { HELD = 32 };

static const moment least = 2000000, /* nanoseconds until the constructor has run, mostly */
    longest = 100000000,             /* for which one is held */
    between = 1000000;               /* two that are held: to look at one takes some 30,000 */

static struct held {
    jobject object; /* global; NULL: free */
    char signature[WATCH_SIGNATURE];
    uint32_t made;
    moment since;
    const void *by; /* who made it: a JNIEnv */
    bool gone_on;   /* that has made others */
} held[HELD];
static moment last;

static void tell_whole(uint32_t made, uint64_t hash) {
    struct message m = {0};
    put_sampled_whole(&m, &(struct sampled_whole_fields){.made = made, .hash = hash});
    post_at_once(ABI_SAMPLED_WHOLE, &m);
}

/* What nobody looks at is taken to be no copy: so copies are not said to be more than there are. */
static void tell_none(uint32_t made) {
    static uint64_t looked;
    tell_whole(made, mix((uint64_t)now(), ++looked));
}

void look_later(JNIEnv *env, jobject object, const char *signature, uint32_t made, bool large, moment at) {
    struct held *h;
    for (h = held; h < held + HELD; h++) h->gone_on = h->gone_on || h->by == env;
    if (at - last < between) return;
    if (large) {
        last = at;
        tell_none(made);
        return;
    }
    for (h = held; h < held + HELD && h->object;) h++;
    if (h == held + HELD || !(h->object = (*env)->NewGlobalRef(env, object))) return;
    memcpy(h->signature, signature, strlen(signature) + 1);
    h->made = made;
    h->since = last = at;
    h->by = env;
    h->gone_on = false;
}

static void let_go(JNIEnv *env, struct held *h) {
    (*env)->DeleteGlobalRef(env, h->object);
    h->object = NULL;
}

bool look_at_due(JNIEnv *env, moment at) {
    bool more = false;
    for (struct held *h = held; h < held + HELD; h++) {
        uint64_t hash;
        if (!h->object) continue;
        if (at - h->since < (h->gone_on ? least : longest)) {
            more = true;
            continue;
        }
        if (contents_of(env, h->object, h->signature, &hash))
            tell_whole(h->made, hash);
        else
            tell_none(h->made);
        let_go(env, h);
    }
    return more;
}

void let_all_go(JNIEnv *env) {
    for (struct held *h = held; h < held + HELD; h++)
        if (h->object) let_go(env, h);
}
