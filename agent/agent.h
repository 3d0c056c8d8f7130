/* The agent: the part of Mallard inside the JVM. It hands class bytes to the recorder, gives threads their counter
 * blocks and reports stacks at the end. It decides nothing and parses nothing. Whatever fails, it disengages and the
 * program runs on. */
#ifndef MALLARD_AGENT_H
#define MALLARD_AGENT_H

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "channel.h"

/* Local references that lists of all classes and of all threads may take: the most that JNI promises
 * (MaxJNILocalCapacity). Without the promise -Xcheck:jni warns. */
enum { MANY_REFERENCES = 65536 };

/* Everything the agent knows. Fields above the line are set before any event is delivered. */
struct agent {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    int feature;          /* of the JDK: 17, 21, ... */
    uint32_t first_counter; /* that may be used: an agent that was attached before had those below */
    bool attached;        /* the JVM was started without Mallard: no class has a field of ours */
    struct channel recorder; /* requests, and what needs no answer; under wire_lock */
    bool contexts;        /* are recorded */
    bool commands;        /* the recorder is asked about programs that the program starts */
    bool natives;         /* what native code makes is counted */
    bool uncounted;       /* nothing is: all classes but java.lang.Thread stay as they are */
    bool snapshot_callback;  /* the control channel is for snapshots.c */
    bool bytecode_snapshots; /* snapshots are taken every so many bytecodes */
    bool cache_of_boot_loader; /* the class cache has no other loader's */
    struct channel control; /* of the thread that does what the recorder wants */
    unsigned char *memory; /* that is shared: states of blocks, message ring, tags, blocks, arena */
    unsigned char *shared; /* block 0 a second time, which Thread.$mallard is relative to */
    uint32_t block_count; /* blocks that the mapping has */
    uint32_t block_bytes;
    uint64_t arena_bytes; /* of the memory for contexts, behind the blocks */
    unsigned char *message_ring; /* in the shared memory */
    /* ------------------------------------------------------------------ */
    atomic_bool engaged;        /* false: every callback returns at once */
    atomic_bool leaving;        /* classes are being made as they were before the agent was attached */
    atomic_bool left_behind;    /* classes will go on counting when the agent has left: new threads may run them */
    atomic_bool redefined;      /* some class has been */
    atomic_bool last;           /* class files come to the last environment that there is */
    pthread_mutex_t wire_lock;  /* one conversation at a time */
    pthread_mutex_t state_lock; /* numbering loaders */
    uint32_t loaders;           /* numbers given to class loaders, from 1; 0 is the boot loader */
    jclass runtime;             /* java.lang.$Mallard, a global reference; those it calls are never unloaded either */
    jclass carrier;             /* jdk.internal.misc.CarrierThread or NULL */
    jclass virtual;             /* java.lang.VirtualThread or NULL */
    jmethodID klass_method;     /* $Mallard.klass */
    jfieldID block_field;       /* Thread.$mallard; where Mallard was attached, of the size of a thread's stack */
    jfieldID holder_field;      /* of a thread, what has that size; NULL: the thread itself */
};
extern struct agent agent;

/* state.c. Any phase and thread. */
void find_stderr(void); /* first */
/* One line on stderr. Where that was closed when the agent came, it may be a file of the program's by now: nothing. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void disengage(const char *why);         /* says so once on stderr; safe from any thread, any number of times */
bool failed(jvmtiError e, const char *what); /* true, after disengaging, if e is an error */
/* Local references from here on, MANY_REFERENCES of them or as many as this JVM allows, go with end_frame; false: there
 * is no memory, and nothing to end. From Java threads. */
bool begin_frame(JNIEnv *env);
void end_frame(JNIEnv *env);

/* wire.c: frames, with messages for payloads (message.h). Any phase and any thread once hello was said, with no lock
 * that comes after wire_lock in ARCHITECTURE.md. */
bool send_message(uint32_t type, struct message *m);        /* takes and frees m's memory */
void send_loss(const char *kind, uint64_t count, const char *detail); /* a loss, for the end of the recording */
bool send_frame(uint32_t type, const struct message *m);   /* under the wire's lock */
enum reply {
    ANSWERED,
    UNANSWERED, /* the recorder got the question, but nobody waits for its answer any more */
    TREE_KEPT,  /* the same, and it is writing to the thread's tree: leave_block is called for */
    UNASKED     /* it has not answered others, or it is gone: it did not get the question */
};
/* Sends m, waits for the answer and gives its payload in memory of JVMTI's allocator (NULL if empty; the caller's to
 * deallocate). tail may be NULL: bytes appended to the payload with their length, not copied. */
enum reply exchange(uint32_t type, struct message *m, const void *tail, size_t tail_size, unsigned char **answer,
    uint32_t *answer_size);
/* The first message; false with the agent disengaged. */
bool exchange_first(uint32_t type, struct message *m, struct descriptors riding, unsigned char **answer,
    uint32_t *answer_size);
void limit_waits(moment answer_within, moment exit_within); /* nanoseconds for each answer, and at the end */
moment wait_limit(void);                /* what that is */
void limit_last_waits(void); /* the VM ends: from now on there is one limit for all answers together */
void end_conversation(void);            /* the recorder sees that nobody waits for it */
/* on the control channel; one thread's, without a limit */
bool exchange_control(uint32_t type, struct message *m, unsigned char **answer, uint32_t *answer_size);
void send_control(uint32_t type, struct message *m); /* the last word, which is not answered */

/* connect.c. OnLoad. */
const char *connect_recorder(const char *options); /* NULL, or why there is none */
bool say_hello(const char *options, int memory_fd, int events_fd);

/* children.c. OnLoad; start_watching_commands at VMInit, before start_watching_natives. */
void restore_tool_options(const char *options);
void start_watching_commands(JNIEnv *env);

/* message_ring.c. As wire.c. */
bool post_message(uint32_t type, struct message *m); /* takes and frees m's memory; of types that are never answered */
bool post_at_once(uint32_t type, struct message *m); /* the same; false, and nothing, where others are about to */
/* n numbers in a row from a word that has the next one, and above ABI_RESERVED_END_SHIFT where they end; false if they
 * do not suffice */
bool take_numbers(_Atomic uint64_t *from, uint32_t n, uint32_t *first);
bool take_reserved(uint32_t n, uint32_t *first); /* of counters that the recorder has reserved */

/* cache.c. In the class-file hook, any phase. */
void open_cache(const struct hello_answer *answer);
struct cached_class {
    uint64_t at;
    unsigned char *entry; /* malloc's; NULL: the cache does not have it */
};
struct cached_class find_cached_class(uint32_t loader, const unsigned char *data, uint32_t size);
/* Answers for a class that is being defined; NULL in new_data: it stays as it is. False: the recorder has to. */
bool answer_cached_class(const struct cached_class *c, uint32_t loader, const char *name, unsigned char **new_data,
    jint *new_size);
/* Looks whether what the recorder has answered is the class out of the cache, with numbers. */
void recognise_cached_class(const struct cached_class *c, uint32_t loader, const char *name,
    const unsigned char *answer, uint32_t size);

/* again.c. Any phase and thread; no JVMTI, and nobody is asked. */
struct numbered_class { /* one out of the class cache */
    uint64_t entry;
    uint32_t loader;
    uint32_t counter, counters; /* the first one's number, and how many */
    uint32_t method, methods;   /* the same of those with contexts */
};
void class_came(const struct numbered_class *c, const char *name); /* it was given its numbers; NULL: without a name */
void class_changed(uint32_t loader, const char *name);             /* its methods have other numbers */
void loader_went(uint32_t loader);
/* The number of a method with contexts, given its name and descriptor; 0: the recorder has to be asked. */
uint32_t method_of_class(uint32_t loader, const char *class, const char *method);
void learn_method_of_class(uint32_t loader, const char *class, const char *method, uint32_t number);
/* How objects of a type are counted that a call makes, given its first counter; since is how often counters were given
 * back, of before the call was looked for. False: the recorder has to be asked. Else so many counters are to be taken
 * and told of; 0: first has them. */
bool made_of_class(uint32_t call, const char *type, uint64_t since, uint32_t *counters, uint32_t *first);
void learn_made_of_class(uint32_t call, const char *type, uint64_t since, uint32_t counters, uint32_t first);

/* arena.c. In the class-file hook, any phase. */
struct cached_contexts { /* what the class cache has of methods with contexts; see package internal/abi */
    const unsigned char *methods, *calls; /* rows */
    const unsigned char *leaves, *assumed;
    uint32_t method_count, call_count, leaf_count, assumed_count;
    uint32_t overflow;     /* words of overflow nodes */
    bool calls_of_methods; /* what calls announce is the number of their method */
};
bool has_free_shape(const struct cached_contexts *c); /* the recorder may have numbers for it that others had */
bool are_leaves(uint32_t loader, const struct cached_contexts *c); /* all that are assumed to be */
/* Gives methods and calls numbers and rows in the shared memory; false where they do not suffice. */
bool number_contexts(const struct cached_contexts *c, uint32_t *first_method, uint32_t *first_call);
void know_leaves(uint32_t loader, const struct cached_contexts *c);
struct forest;
void find_forest(struct forest *f); /* where contexts are */

/* blocks.c. Any phase and thread, no lock is taken; map_memory in OnLoad. */
int map_memory(void);                       /* the shared file's descriptor, -1 without */
uint32_t take_block(void);
void free_block(uint32_t block);             /* where no recorder is left to fold it */
void end_block(uint32_t block);              /* its counts are final */
unsigned char *block_address(uint32_t block);

/* unloading.c. on_object_free comes in a thread of the VM's, maybe at a safepoint: it calls neither JVMTI nor the
 * recorder. */
void JNICALL on_object_free(jvmtiEnv *, jlong tag);
void send_gone_loaders(void);

/* runtime.c. */
bool keep_runtime(struct bytes classes); /* from the answer to hello; false without memory */
bool define_runtime(JNIEnv *env);        /* at VMStart, once, whether or not there is still a recorder */

/* class_sizes.c */
void JNICALL on_class_prepare(jvmtiEnv *, JNIEnv *, jthread, jclass);
void send_loaded_classes(JNIEnv *env); /* the sizes of all instances, at VMInit */
void send_unknown_sizes(JNIEnv *env);  /* at the end: of classes that JVMTI has said nothing of */

/* classes.c. The hooks in any phase. */
uint32_t loader_id(jobject loader);                   /* 0 if it has no number */
uint32_t number_loader(JNIEnv *env, jobject loader);
void JNICALL on_class_file_load(jvmtiEnv *, JNIEnv *, jclass, jobject, const char *, jobject, jint,
    const unsigned char *, jint *, unsigned char **);
void JNICALL on_class_file_load_last(jvmtiEnv *, JNIEnv *, jclass, jobject, const char *, jobject, jint,
    const unsigned char *, jint *, unsigned char **);
bool has_parameters(jclass c); /* the JVM would lose those of its methods if it is retransformed without a recorder */
void send_missed_class(struct class_missed_fields *class); /* that stays as it is, since nobody has answered */
jobject loader_of(jclass c);                          /* a local reference; NULL is the boot loader */
/* the name between L and ; of a class signature, which it cuts; false for arrays */
bool class_name(char *signature, const char **name);

/* threads.c. From Java threads, once Thread.$mallard is there. */
uint32_t block_of(JNIEnv *env, jthread t); /* the block that t counts in; the overflow block if it has none */
bool is_counting(JNIEnv *env, jthread t); /* it has a block, be it the overflow block, and has not ended */
/* What a thread is and where it counts; the name is malloc's, or NULL. */
struct thread_block_fields describe_thread(JNIEnv *env, jthread t, bool virtual);
/* at the VM's death; self: the calling thread */
struct thread_block_fields describe_stopped_thread(JNIEnv *env, jthread t, bool virtual, bool self);
void leave_block(JNIEnv *env); /* the calling thread counts in the overflow block from now on, and has no tree */
bool find_block_field(JNIEnv *env);
void send_threads(JNIEnv *env); /* all that live and have blocks */
void adopt_threads(JNIEnv *env);   /* in a JVM that was started without Mallard: all that live get blocks */
void abandon_threads(JNIEnv *env); /* all count in vain */
void JNICALL on_thread_start(jvmtiEnv *, JNIEnv *, jthread);
void JNICALL on_thread_end(jvmtiEnv *, JNIEnv *, jthread);

/* virtual.c. Capabilities in OnLoad, the others at VMDeath. */
void want_virtual_threads(jvmtiCapabilities *c);
/* The calling thread's frames, as GetStackTrace gives them; false where it may not be asked for them. */
bool own_stack(JNIEnv *env, jint start, jint most, jvmtiFrameInfo *frames, jint *count);
void suspend_virtual_threads(jthread except); /* NULL: all */
void resume_virtual_threads(void);
bool has_virtual_threads(void); /* there may be some, or were: their class is ready */
jint find_virtual_threads(jthread **threads); /* all there are, JVMTI's to deallocate */

/* adapt.c. VMInit, VMDeath. */
void start_adapting(JNIEnv *env);
void stop_adapting(void);

/* snapshots.c. The agent's own thread. */
void JNICALL call_back(jvmtiEnv *, JNIEnv *, void *unused);

/* bytecodes.c. The live phase; end_calls from any thread, under wire_lock too. */
void start_bytecode_snapshots(JNIEnv *env);
void begin_calls(JNIEnv *env);                                             /* of the user's class, by this thread */
/* gives what to call it with; next is what it returned, 0 before the first call */
bool wait_for_bytecodes(JNIEnv *env, jlong next, struct metrics_answer *metrics);
void end_calls(void);

/* methods.c. Live phase, from Java threads; who has a table guards it. Methods that frames name, each described once:
 * an open-addressing table from jmethodID to its number */
struct methods {
    struct list described; /* that were not sent yet */
    uint32_t count;
    jmethodID *keys;
    uint32_t *numbers;
    size_t capacity;
    void (*describe)(struct message *out, JNIEnv *env, jmethodID m);
};
bool method_number(struct methods *t, JNIEnv *env, jmethodID m, uint32_t *number);
bool find_method(const struct methods *t, jmethodID m, uint32_t *number); /* false: it has none yet */
struct method_name {
    struct class_key_fields class;
    char *owner, *name, *descriptor; /* JVMTI's */
};
void name_method(struct method_name *of, JNIEnv *env, jmethodID m);
void free_method_name(struct method_name *of);
struct list lines_of(jmethodID m); /* empty where there is no table of them */
void free_methods(struct methods *t);

/* stack_cache.c. Any thread, no JVMTI. */
struct stack_key {
    uint64_t high, low;
};
struct stack_key key_of_stack(uint64_t tree, uint64_t transaction, uint32_t method, const jvmtiFrameInfo *frames,
    jint count);
uint64_t cached_node(struct stack_key key); /* the node; 0: ask */
void cache_node(struct stack_key key, uint64_t node);
/* locations.c. The live phase, from Java threads, with no lock. */
typedef void location_user(const struct instruction_fields *at, void *argument);
/* calls use with an instruction; false if it calls methods for others */
bool with_code_location(JNIEnv *env, const jvmtiFrameInfo *frame, location_user *use, void *argument);
void start_locating(JNIEnv *env);
const char *type_of(char *signature); /* as the recorder has it; cuts the signature */
enum { NO_COUNTER = -1 };
struct made_at {
    jvmtiFrameInfo frame;    /* the instruction that something is made for */
    jint depth;              /* of that frame in the running thread */
    const void *kind;        /* which of the things that are made there */
    jobject made;            /* NULL: an object of the class `of` */
    jclass of;
    const char *const *more; /* types of what else is made each time, up to NULL */
    bool unless_constructed; /* by the instruction itself */
    bool in_node;            /* it is counted there: no counters are asked for */
};
/* the first of three counters for each type: objects, elements, bytes; in_node: any; NO_COUNTER where nothing is to be
 * counted */
int32_t counter_at(JNIEnv *env, const struct made_at *by);
const void *kind_of_type(const char *signature); /* tells things by their type */
extern _Thread_local bool thrown_by_native; /* the last exception that was counted was thrown by native code */
extern _Thread_local jmethodID constructing; /* that native code calls, which counts what it makes; NULL for none */

/* made.c. VMInit, before start_locating. */
void find_class_number(JNIEnv *env);

/* runtime_natives.c. */
struct natives {
    uint32_t version; /* ABI_VERSION, or it is another mallard's */
    jbyteArray (*rewrite)(JNIEnv *env, jobject loader, jbyteArray file);
    jint (*locate)(JNIEnv *env, jthrowable made);
    jint (*size)(JNIEnv *env, jobject object);
    void (*see)(JNIEnv *env, jint slot, jobject from, jint index, jlong value, jobject reference, jint place);
    jlong (*lost)(JNIEnv *env, jclass made);
    void (*tag)(JNIEnv *env, jobject object, jint tag);
};
extern struct natives natives;
jbyteArray rewrite_hidden_class(JNIEnv *env, jobject loader, jbyteArray file); /* hidden.c */
jint locate_exception(JNIEnv *env, jthrowable made);                           /* locations.c */
jlong locate_lost(JNIEnv *env, jclass made);                                   /* locations.c */
jint size_of_object(JNIEnv *env, jobject object);                              /* objects.c */
void tag_late(JNIEnv *env, jobject object, jint tag);                          /* late_tags.c */
/* watch.c: an object was read that is in a slot of $MallardWatch, or was */
void see_watched(JNIEnv *env, jint slot, jobject from, jint index, jlong value, jobject reference, jint place);

/* natives.c. VMInit. */
void start_watching_natives(JNIEnv *env);

/* resolve.c. VMInit. */
void start_resolving(JNIEnv *env);
/* Methods may have other numbers than the recorder has said. */
void forget_numbers(void);
void stop_writing_trees(void); /* at the VM's death: no native method does from now on */

/* death.c. VMDeath: with all threads stopped, nothing may allocate in the Java heap. */
void JNICALL on_vm_death(jvmtiEnv *, JNIEnv *);
void take_last_snapshot(JNIEnv *env); /* the conversation ends with it, unless the agent is leaving */

/* attach.c. OnAttach; note_changed in the class-file hook, under no lock; detach from the agent's own thread. */
/* Whether no agent is there; finds out what others have left that were attached before. */
bool may_attach(JNIEnv *env);
/* The VM unloads the library of an agent that says that it could not attach, and calls what it was told to call. From
 * here on it stays; false: it may go. */
bool stay_loaded(void);
bool attach(JNIEnv *env);
bool begin_attached(JNIEnv *env); /* classes begin to count; in the agent's own thread */
void note_changed(uint32_t loader, const char *name); /* a class that counts from now on */
void close_environment(void); /* once it has: others may have what belongs to one agent at a time */
/* how many classes could not be made as they were; counters: the numbers that counters have had, 0 unknown */
uint32_t detach(JNIEnv *env, uint32_t counters);

#endif
