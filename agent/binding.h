/* Native methods of the JDK that the agent puts its own in front of. */
#ifndef MALLARD_BINDING_H
#define MALLARD_BINDING_H

#include <jvmti.h>

/* A native method's code, of whatever type. */
typedef void native_code(void);

/* OnLoad, before events are set. */
void listen_to_binding(jvmtiEventCallbacks *on);

/* VMStart and VMInit, one thread at a time. Has the code of a native method replaced once the VM finds it, which may be
 * several times, in any thread. The words, of JVMTI's form, stay the caller's, and have to last. */
void replace_native(const char *class, const char *name, const char *descriptor,
    native_code *(*replace)(native_code *found));

#endif
