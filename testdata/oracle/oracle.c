/*
 * The oracle: an agent that says what a Java program allocates, slowly and by other means than the product.
 *
 * It asks the JVM for a SampledObjectAlloc event at interval 0, that is, for every object put on the heap, and counts. It rewrites
 * no class and shares no code with Mallard, so agreement of the two is evidence.
 *
 *   java -Xint -agentpath:liboracle.so=classes=FILE[,sites=FILE][,stacks=FILE] ...
 *
 * classes: lines  CLASS <TAB> OBJECTS <TAB> BYTES, sorted. CLASS is what Class.getName prints; a name that several loaders define
 *          has a line for each.
 * sites:   lines  CLASS <TAB> DECLARING CLASS <TAB> METHOD <TAB> DESCRIPTOR <TAB> BCI <TAB> LINE <TAB> INSTRUCTION <TAB> CALLED
 *          <TAB> MAKER <TAB> OBJECTS <TAB> BYTES <TAB> ELEMENTS, sorted. The place is the innermost Java frame and the bytecode it stands at. LINE is -1 where the class file
 *          does not say. INSTRUCTION is new, anewarray, multianewarray, `newarray int` and so on, invokedynamic, or other. Where the
 *          innermost frame is the JDK's, the object has another line, at the innermost frame that is not: there CALLED is the
 *          method (Class.name) that this one called, and MAKER the innermost one; on other lines both are empty. The JVM itself allocates
 *          too (the name it passes to a class loader, for one): at `new Foo` a String may appear beside the Foo, the first time.
 *
 * stacks:  lines  CLASS <TAB> INSTRUCTION <TAB> FRAME;FRAME;... <TAB> OBJECTS <TAB> BYTES, sorted. A FRAME is CLASS.METHOD:LINE, innermost first, LINE as above and -2 of a
 *          native method, hidden classes left out. Only objects made by the program's own code (the innermost frame is not the JDK's) are here.
 *
 * Counting starts before main runs: at VMInit the main thread allocates garbage until the sampling point that was chosen under the
 * default interval is surely behind it, and collects; from then on each object is reported. Threads that started before VMInit
 * (Finalizer, Common-Cleaner) may miss their first objects. The tables are written at VMDeath; a killed JVM leaves none.
 */
#include <jvmti.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum {
  PATH_LIMIT = 4096,
  GARBAGE_ARRAYS = 64,
  GARBAGE_BYTES = 1 << 20, /* each; 64 MB in all lie past any sampling point of the default interval of 512 KB */
  INITIAL_CAPACITY = 1024, /* of both tables; a power of two */
  DEEPEST_CALLER = 48,     /* frames between an allocation and the program's code */
  KNOWN_METHODS = 4096,    /* methods whose origin is remembered */
};

/* A class that was allocated. Its mirror carries the JVMTI tag index + 1. */
typedef struct {
  char *name;
  uint64_t objects, bytes;
} Class;

/* An allocating bytecode and the class it made. */
typedef struct {
  char *place; /* the table's columns up to MAKER, made at once because the class may be gone at the end; NULL: a free slot */
  uint32_t class_index;
  jmethodID method;
  jlocation bci;
  jmethodID called, maker; /* NULL, or the method of the JDK that this place called, and the one in which that ended up making the object */
  uint64_t objects, bytes, elements;
} Site;

/* A stack, and the class that was allocated there. */
typedef struct {
  char *text; /* the table's first three columns; NULL: a free slot */
  uint64_t objects, bytes;
} Stack;

/* A method that was found to be the JDK's or not. */
typedef struct {
  jmethodID method;
  bool of_jdk;
} Origin;

static struct {
  jvmtiEnv *jvmti;
  jrawMonitorID lock; /* guards everything below */
  bool counting;
  char classes_path[PATH_LIMIT], sites_path[PATH_LIMIT], stacks_path[PATH_LIMIT]; /* empty: not wanted */
  Class *classes;
  uint32_t class_count, class_capacity;
  Site *sites; /* open addressing, linear probing, at most half full */
  uint32_t site_count, site_capacity;
  Stack *stacks; /* open addressing as well */
  uint32_t stack_count, stack_capacity;
  Origin origins[KNOWN_METHODS]; /* direct-mapped */
} oracle;

/* A wrong oracle is worse than none: it leaves its tables unwritten, which the test that wants them reports. */
static void give_up(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("oracle: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  oracle.counting = false;
  oracle.classes_path[0] = oracle.sites_path[0] = oracle.stacks_path[0] = '\0';
}

static bool ok(jvmtiError error, const char *call) {
  if (error == JVMTI_ERROR_NONE) return true;
  give_up("%s failed: JVMTI error %d", call, (int)error);
  return false;
}

static void deallocate(void *memory) {
  (*oracle.jvmti)->Deallocate(oracle.jvmti, memory);
}

/* class_name turns a JVM signature into what Class.getName prints; the caller frees it. NULL: out of memory. */
static char *class_name(const char *signature) {
  char *name = strdup(signature);
  if (name == NULL) return NULL;
  /* A hidden class writes its suffix behind a dot in the signature and behind a slash in its name. */
  for (char *c = name; *c != '\0'; c++) {
    if (*c == '/') *c = '.';
    else if (*c == '.') *c = '/';
  }
  size_t length = strlen(name);
  if (name[0] == 'L' && length > 2) {
    memmove(name, name + 1, length - 2);
    name[length - 2] = '\0';
  }
  return name;
}

/* class_index finds or enters a class; UINT32_MAX after giving up. The lock is held. */
static uint32_t class_index(jclass klass) {
  jvmtiEnv *jvmti = oracle.jvmti;
  jlong tag = 0;
  if (!ok((*jvmti)->GetTag(jvmti, klass, &tag), "GetTag")) return UINT32_MAX;
  if (tag != 0) return (uint32_t)(tag - 1);

  if (oracle.class_count == oracle.class_capacity) {
    uint32_t capacity = oracle.class_capacity == 0 ? INITIAL_CAPACITY : 2 * oracle.class_capacity;
    Class *grown = realloc(oracle.classes, capacity * sizeof *grown);
    if (grown == NULL) {
      give_up("out of memory");
      return UINT32_MAX;
    }
    oracle.classes = grown;
    oracle.class_capacity = capacity;
  }
  char *signature = NULL;
  if (!ok((*jvmti)->GetClassSignature(jvmti, klass, &signature, NULL), "GetClassSignature")) return UINT32_MAX;
  char *name = class_name(signature);
  deallocate(signature);
  if (name == NULL) {
    give_up("out of memory");
    return UINT32_MAX;
  }
  uint32_t index = oracle.class_count++;
  oracle.classes[index] = (Class){.name = name};
  if (!ok((*jvmti)->SetTag(jvmti, klass, (jlong)index + 1), "SetTag")) return UINT32_MAX;
  return index;
}

/* site_slot finds the site's slot or the free one to put it into. A method that is unloaded must not share its ID with a later one. */
static Site *site_slot(Site *sites, uint32_t capacity, uint32_t class_index, jmethodID method, jlocation bci, jmethodID called, jmethodID maker) {
  uint64_t hash = (uint64_t)((uintptr_t)method ^ (uintptr_t)called << 7 ^ (uintptr_t)maker << 14) * 0x9e3779b97f4a7c15u + (uint64_t)bci * 0xc2b2ae3d27d4eb4fu + class_index;
  for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
    Site *site = &sites[i & (capacity - 1)];
    if (site->place == NULL || (site->class_index == class_index && site->method == method && site->bci == bci && site->called == called &&
                                site->maker == maker))
      return site;
  }
}

static bool grow_sites(void) {
  uint32_t capacity = oracle.site_capacity == 0 ? INITIAL_CAPACITY : 2 * oracle.site_capacity;
  Site *grown = calloc(capacity, sizeof *grown);
  if (grown == NULL) {
    give_up("out of memory");
    return false;
  }
  for (uint32_t i = 0; i < oracle.site_capacity; i++) {
    Site *site = &oracle.sites[i];
    if (site->place != NULL) *site_slot(grown, capacity, site->class_index, site->method, site->bci, site->called, site->maker) = *site;
  }
  free(oracle.sites);
  oracle.sites = grown;
  oracle.site_capacity = capacity;
  return true;
}

/* line_of returns the source line of a bytecode index, -1 unknown. Among entries of one index it takes the first for just that index and the last
 * for those after it, as stack traces do. */
static int line_of(jmethodID method, jlocation bci) {
  jint count = 0;
  jvmtiLineNumberEntry *table = NULL;
  if ((*oracle.jvmti)->GetLineNumberTable(oracle.jvmti, method, &count, &table) != JVMTI_ERROR_NONE) return -1;
  int line = -1;
  jlocation best = -1;
  for (jint i = 0; i < count; i++) {
    if (table[i].start_location == bci) {
      line = table[i].line_number;
      break;
    }
    if (table[i].start_location < bci && table[i].start_location >= best) {
      best = table[i].start_location;
      line = table[i].line_number;
    }
  }
  deallocate(table);
  return line;
}

/* instruction_at names the bytecode at an index as far as it allocates. */
static const char *instruction_at(jmethodID method, jlocation bci) {
  static const char *const newarray[] = {
      /* JVMS table 6.5.newarray-A, from 4 on */
      "newarray boolean", "newarray char",  "newarray float", "newarray double",
      "newarray byte",    "newarray short", "newarray int",   "newarray long",
  };
  jint count = 0;
  unsigned char *bytecodes = NULL;
  if ((*oracle.jvmti)->GetBytecodes(oracle.jvmti, method, &count, &bytecodes) != JVMTI_ERROR_NONE) return "other"; /* native */
  unsigned opcode = bci >= 0 && bci + 1 < count ? bytecodes[bci] : 0;
  unsigned element = opcode != 0 ? (bytecodes[bci + 1] - 4u) & 7 : 0;
  deallocate(bytecodes);
  switch (opcode) { /* JVMS 6.5 */
  case 0xbb: return "new";
  case 0xbc: return newarray[element];
  case 0xbd: return "anewarray";
  case 0xc5: return "multianewarray";
  case 0xba: return "invokedynamic";
  default: return "other";
  }
}

/* class_of_method names the class that declares a method; the caller frees it. NULL: out of memory, or JVMTI refused. */
static char *class_of_method(jmethodID method) {
  jclass declaring = NULL;
  char *signature = NULL, *name = NULL;
  if (!ok((*oracle.jvmti)->GetMethodDeclaringClass(oracle.jvmti, method, &declaring), "GetMethodDeclaringClass")) return NULL;
  if (ok((*oracle.jvmti)->GetClassSignature(oracle.jvmti, declaring, &signature, NULL), "GetClassSignature")) name = class_name(signature);
  if (signature != NULL) deallocate(signature);
  return name;
}

/* of_jdk tells whether a method is the JDK's own or a hidden class's. */
static bool of_jdk(jmethodID method) {
  static const char *const packages[] = {"java.", "jdk.", "sun.", "com.sun."};
  Origin *known = &oracle.origins[((uintptr_t)method >> 3) % KNOWN_METHODS];
  if (known->method == method) return known->of_jdk;
  char *name = class_of_method(method);
  bool found = name == NULL || strchr(name, '/') != NULL;
  for (size_t i = 0; !found && i < sizeof packages / sizeof *packages; i++) found = strncmp(name, packages[i], strlen(packages[i])) == 0;
  free(name);
  *known = (Origin){.method = method, .of_jdk = found};
  return found;
}

/* method_name names a method with its class; the caller frees it. "" for none; NULL: out of memory, or JVMTI refused. */
static char *method_name(jmethodID method) {
  if (method == NULL) return strdup("");
  char *name = NULL, *full = NULL, *declaring = class_of_method(method);
  if (declaring != NULL && ok((*oracle.jvmti)->GetMethodName(oracle.jvmti, method, &name, NULL, NULL), "GetMethodName")) {
    size_t size = strlen(declaring) + strlen(name) + 2;
    full = malloc(size);
    if (full != NULL) snprintf(full, size, "%s.%s", declaring, name);
  }
  free(declaring);
  if (name != NULL) deallocate(name);
  return full;
}

/* place_of writes down where an allocation happens, which the caller frees; NULL: out of memory, or JVMTI refused. */
static char *place_of(uint32_t class_index, jmethodID method, jlocation bci, jmethodID called_method, jmethodID maker_method) {
  char *name = NULL, *descriptor = NULL, *place = NULL;
  char *declaring = class_of_method(method), *called = method_name(called_method), *maker = method_name(maker_method);
  if (declaring != NULL && called != NULL && maker != NULL &&
      ok((*oracle.jvmti)->GetMethodName(oracle.jvmti, method, &name, &descriptor, NULL), "GetMethodName")) {
    const char *format = "%s\t%s\t%s\t%s\t%lld\t%d\t%s\t%s\t%s", *class = oracle.classes[class_index].name;
    const char *instruction = instruction_at(method, bci);
    long long index = (long long)bci;
    int line = line_of(method, bci);
    int length = snprintf(NULL, 0, format, class, declaring, name, descriptor, index, line, instruction, called, maker);
    place = malloc((size_t)length + 1);
    if (place != NULL) snprintf(place, (size_t)length + 1, format, class, declaring, name, descriptor, index, line, instruction, called, maker);
  }
  free(declaring);
  free(called);
  free(maker);
  if (name != NULL) deallocate(name);
  if (descriptor != NULL) deallocate(descriptor);
  return place;
}

static void count_at(jvmtiFrameInfo frame, jmethodID called, jmethodID maker, uint32_t class_index, jlong size, jint elements) {
  if (2 * oracle.site_count >= oracle.site_capacity && !grow_sites()) return;
  Site *site = site_slot(oracle.sites, oracle.site_capacity, class_index, frame.method, frame.location, called, maker);
  if (site->place == NULL) {
    char *place = place_of(class_index, frame.method, frame.location, called, maker);
    if (place == NULL) {
      give_up("a site cannot be named");
      return;
    }
    *site = (Site){.place = place, .class_index = class_index, .method = frame.method, .bci = frame.location, .called = called, .maker = maker};
    oracle.site_count++;
  }
  site->objects++;
  site->bytes += (uint64_t)size;
  site->elements += (uint64_t)elements;
}

/* count_site counts at the innermost Java frame and, where that is the JDK's, also at the innermost frame that is not. Objects made with no Java frame
 * belong to no site. The lock is held. */
static void count_site(jthread thread, uint32_t class_index, jlong size, jint elements) {
  jvmtiFrameInfo frames[DEEPEST_CALLER];
  jint count = 0;
  if (!ok((*oracle.jvmti)->GetStackTrace(oracle.jvmti, thread, 0, DEEPEST_CALLER, frames, &count), "GetStackTrace")) return;
  if (count == 0) return;
  count_at(frames[0], NULL, NULL, class_index, size, elements);
  jint caller = 0;
  while (caller < count && of_jdk(frames[caller].method)) caller++;
  if (caller > 0 && caller < count) count_at(frames[caller], frames[caller - 1].method, frames[0].method, class_index, size, elements);
}

static Stack *stack_slot(Stack *stacks, uint32_t capacity, const char *text) {
  uint64_t hash = 0;
  for (const char *c = text; *c != '\0'; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
  for (uint32_t i = (uint32_t)(hash >> 20);; i++) {
    Stack *stack = &stacks[i & (capacity - 1)];
    if (stack->text == NULL || strcmp(stack->text, text) == 0) return stack;
  }
}

static bool grow_stacks(void) {
  uint32_t capacity = oracle.stack_capacity == 0 ? INITIAL_CAPACITY : 2 * oracle.stack_capacity;
  Stack *grown = calloc(capacity, sizeof *grown);
  if (grown == NULL) {
    give_up("out of memory");
    return false;
  }
  for (uint32_t i = 0; i < oracle.stack_capacity; i++)
    if (oracle.stacks[i].text != NULL) *stack_slot(grown, capacity, oracle.stacks[i].text) = oracle.stacks[i];
  free(oracle.stacks);
  oracle.stacks = grown;
  oracle.stack_capacity = capacity;
  return true;
}

/* stack_text writes a stack down, which the caller frees. */
static char *stack_text(const char *class, const jvmtiFrameInfo *frames, jint count) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL) return NULL;
  fprintf(out, "%s\t%s\t", class, instruction_at(frames[0].method, frames[0].location));
  const char *separator = "";
  for (jint i = 0; i < count; i++) {
    char *name = method_name(frames[i].method);
    if (name == NULL) continue;
    if (strchr(name, '/') == NULL) {
      fprintf(out, "%s%s:%d", separator, name, frames[i].location < 0 ? -2 : line_of(frames[i].method, frames[i].location));
      separator = ";";
    }
    free(name);
  }
  fclose(out);
  return text;
}

/* count_stack counts what the program's own code makes, with all its callers. The lock is held. */
static void count_stack(jthread thread, uint32_t class_index, jlong size) {
  jint depth = 0, count = 0;
  if (!ok((*oracle.jvmti)->GetFrameCount(oracle.jvmti, thread, &depth), "GetFrameCount") || depth == 0) return;
  jvmtiFrameInfo *frames = calloc((size_t)depth, sizeof *frames);
  if (frames != NULL && ok((*oracle.jvmti)->GetStackTrace(oracle.jvmti, thread, 0, depth, frames, &count), "GetStackTrace") && count > 0 && !of_jdk(frames[0].method)) {
    char *text = stack_text(oracle.classes[class_index].name, frames, count);
    if (text == NULL || (2 * oracle.stack_count >= oracle.stack_capacity && !grow_stacks())) {
      give_up("out of memory");
    } else {
      Stack *stack = stack_slot(oracle.stacks, oracle.stack_capacity, text);
      if (stack->text == NULL) {
        stack->text = text;
        text = NULL;
        oracle.stack_count++;
      }
      stack->objects++;
      stack->bytes += (uint64_t)size;
    }
    free(text);
  }
  free(frames);
}

static void JNICALL on_allocation(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object, jclass klass, jlong size) {
  if ((*jvmti)->RawMonitorEnter(jvmti, oracle.lock) != JVMTI_ERROR_NONE) return;
  if (oracle.counting) {
    uint32_t index = class_index(klass);
    if (index != UINT32_MAX) {
      oracle.classes[index].objects++;
      oracle.classes[index].bytes += (uint64_t)size;
      jint elements = oracle.classes[index].name[0] == '[' ? (*jni)->GetArrayLength(jni, object) : 0;
      if (oracle.sites_path[0] != '\0') count_site(thread, index, size, elements);
      if (oracle.stacks_path[0] != '\0') count_stack(thread, index, size);
    }
  }
  (*jvmti)->RawMonitorExit(jvmti, oracle.lock);
}

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
  (void)thread;
  if (!ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval")) return;
  if (!ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL),
          "SetEventNotificationMode"))
    return;
  for (int i = 0; i < GARBAGE_ARRAYS; i++) {
    jbyteArray garbage = (*jni)->NewByteArray(jni, GARBAGE_BYTES);
    if (garbage == NULL) {
      (*jni)->ExceptionClear(jni);
      give_up("the heap is too small for %d bytes of garbage", GARBAGE_BYTES);
      return;
    }
    (*jni)->DeleteLocalRef(jni, garbage);
  }
  if (!ok((*jvmti)->ForceGarbageCollection(jvmti), "ForceGarbageCollection")) return;
  if (!ok((*jvmti)->RawMonitorEnter(jvmti, oracle.lock), "RawMonitorEnter")) return;
  oracle.counting = true;
  (*jvmti)->RawMonitorExit(jvmti, oracle.lock);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const Class *)a)->name, ((const Class *)b)->name);
}

static int by_place(const void *a, const void *b) {
  return strcmp(((const Site *)a)->place, ((const Site *)b)->place);
}

static void close_table(FILE *file, const char *path) {
  bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed) {
    fprintf(stderr, "oracle: cannot write %s\n", path);
    remove(path);
  }
}

/* write_sites and write_classes sort their tables in place, after which indexes and hashes no longer fit. */
static void write_sites(void) {
  FILE *file = fopen(oracle.sites_path, "w");
  if (file == NULL) {
    give_up("cannot write %s", oracle.sites_path);
    return;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < oracle.site_capacity; i++)
    if (oracle.sites[i].place != NULL) oracle.sites[count++] = oracle.sites[i];
  qsort(oracle.sites, count, sizeof *oracle.sites, by_place);
  for (uint32_t i = 0; i < count; i++) {
    Site *site = &oracle.sites[i];
    fprintf(file, "%s\t%llu\t%llu\t%llu\n", site->place, (unsigned long long)site->objects, (unsigned long long)site->bytes,
            (unsigned long long)site->elements);
  }
  close_table(file, oracle.sites_path);
}

static int by_text(const void *a, const void *b) {
  return strcmp(((const Stack *)a)->text, ((const Stack *)b)->text);
}

static void write_stacks(void) {
  FILE *file = fopen(oracle.stacks_path, "w");
  if (file == NULL) {
    give_up("cannot write %s", oracle.stacks_path);
    return;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < oracle.stack_capacity; i++)
    if (oracle.stacks[i].text != NULL) oracle.stacks[count++] = oracle.stacks[i];
  qsort(oracle.stacks, count, sizeof *oracle.stacks, by_text);
  for (uint32_t i = 0; i < count; i++)
    fprintf(file, "%s\t%llu\t%llu\n", oracle.stacks[i].text, (unsigned long long)oracle.stacks[i].objects, (unsigned long long)oracle.stacks[i].bytes);
  close_table(file, oracle.stacks_path);
}

static void write_classes(void) {
  FILE *file = fopen(oracle.classes_path, "w");
  if (file == NULL) {
    give_up("cannot write %s", oracle.classes_path);
    return;
  }
  qsort(oracle.classes, oracle.class_count, sizeof *oracle.classes, by_name);
  for (uint32_t i = 0; i < oracle.class_count; i++) {
    Class *class = &oracle.classes[i];
    fprintf(file, "%s\t%llu\t%llu\n", class->name, (unsigned long long)class->objects, (unsigned long long)class->bytes);
  }
  close_table(file, oracle.classes_path);
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *jni) {
  (void)jni;
  if ((*jvmti)->RawMonitorEnter(jvmti, oracle.lock) != JVMTI_ERROR_NONE) return;
  oracle.counting = false;
  if (oracle.sites_path[0] != '\0') write_sites();
  if (oracle.stacks_path[0] != '\0') write_stacks();
  if (oracle.classes_path[0] != '\0') write_classes();
  (*jvmti)->RawMonitorExit(jvmti, oracle.lock);
}

/* parse_options reads "classes=FILE,sites=FILE,stacks=FILE"; a FILE has no comma. */
static bool parse_options(const char *options) {
  while (options != NULL && *options != '\0') {
    const char *end = strchr(options, ',');
    int length = end != NULL ? (int)(end - options) : (int)strlen(options);
    const char *value = memchr(options, '=', (size_t)length);
    char *path = NULL;
    if (value != NULL && strncmp(options, "classes=", 8) == 0) path = oracle.classes_path;
    if (value != NULL && strncmp(options, "sites=", 6) == 0) path = oracle.sites_path;
    if (value != NULL && strncmp(options, "stacks=", 7) == 0) path = oracle.stacks_path;
    if (path == NULL) return false;
    int value_length = length - (int)(value + 1 - options);
    if (value_length >= PATH_LIMIT) return false;
    snprintf(path, PATH_LIMIT, "%.*s", value_length, value + 1);
    options = end != NULL ? end + 1 : NULL;
  }
  return oracle.classes_path[0] != '\0' || oracle.sites_path[0] != '\0';
}

EXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)reserved;
  if (!parse_options(options)) {
    fputs("oracle: usage: -agentpath:liboracle.so=classes=FILE[,sites=FILE][,stacks=FILE]\n", stderr);
    return JNI_ERR;
  }
  jvmtiEnv *jvmti = NULL;
  if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
  oracle.jvmti = jvmti;

  jvmtiCapabilities potential = {0}, wanted = {0};
  if (!ok((*jvmti)->GetPotentialCapabilities(jvmti, &potential), "GetPotentialCapabilities")) return JNI_ERR;
  wanted.can_generate_sampled_object_alloc_events = 1;
  wanted.can_tag_objects = 1;
  wanted.can_get_line_numbers = 1;
  wanted.can_get_bytecodes = 1;
#ifdef JNI_VERSION_21
  wanted.can_support_virtual_threads = potential.can_support_virtual_threads;
#endif
  jvmtiEventCallbacks callbacks = {
      .VMInit = on_init,
      .VMDeath = on_death,
      .SampledObjectAlloc = on_allocation,
  };
  if (!ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities") ||
      !ok((*jvmti)->CreateRawMonitor(jvmti, "oracle", &oracle.lock), "CreateRawMonitor") ||
      !ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks") ||
      !ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL), "SetEventNotificationMode") ||
      !ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL), "SetEventNotificationMode"))
    return JNI_ERR;
  return JNI_OK;
}
