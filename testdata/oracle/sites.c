/* Allocations by place: the table "sites". */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST_CALLER = 48 }; /* frames between an allocation and the program's code */

/* An allocating bytecode and the class it made. */
typedef struct {
  /* the table's columns up to MAKER, made at once because the class may be gone at the end; NULL: a free slot */
  char *place;
  uint32_t class_index;
  jmethodID method;
  jlocation bci;
  /* NULL, or the method of the JDK that this place called, and the one in which that ended up making the object */
  jmethodID called, maker;
  uint64_t objects, bytes, elements;
} Site;

static Site *sites; /* open addressing, linear probing, at most half full */
static uint32_t site_count, site_capacity;

/* site_slot finds the site's slot or the free one to put it into. A method that is unloaded must not share its ID with
 * a later one. */
static Site *site_slot(Site *table, uint32_t capacity, uint32_t class_index, jmethodID method, jlocation bci,
        jmethodID called, jmethodID maker) {
  uint64_t hash = (uint64_t)((uintptr_t)method ^ (uintptr_t)called << 7 ^ (uintptr_t)maker << 14) * 0x9e3779b97f4a7c15u + (uint64_t)bci * 0xc2b2ae3d27d4eb4fu + class_index;
  for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
    Site *site = &table[i & (capacity - 1)];
    if (site->place == NULL || (site->class_index == class_index && site->method == method && site->bci == bci &&
            site->called == called &&
                                site->maker == maker))
      return site;
  }
}

static bool grow_sites(void) {
  uint32_t capacity = site_capacity == 0 ? INITIAL_CAPACITY : 2 * site_capacity;
  Site *grown = calloc(capacity, sizeof *grown);
  if (grown == NULL) {
    give_up("out of memory");
    return false;
  }
  for (uint32_t i = 0; i < site_capacity; i++) {
    Site *site = &sites[i];
    if (site->place != NULL) *site_slot(grown, capacity, site->class_index, site->method, site->bci, site->called,
            site->maker) = *site;
  }
  free(sites);
  sites = grown;
  site_capacity = capacity;
  return true;
}

/* place_of writes down where an allocation happens, which the caller frees; NULL: out of memory, or JVMTI refused. */
static char *place_of(uint32_t class_index, jmethodID method, jlocation bci, jmethodID called_method,
        jmethodID maker_method) {
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
    if (place != NULL) snprintf(place, (size_t)length + 1, format, class, declaring, name, descriptor, index, line,
            instruction, called, maker);
  }
  free(declaring);
  free(called);
  free(maker);
  if (name != NULL) deallocate(name);
  if (descriptor != NULL) deallocate(descriptor);
  return place;
}

static void count_at(jvmtiFrameInfo frame, jmethodID called, jmethodID maker, uint32_t class_index, jlong size,
        jint elements) {
  if (2 * site_count >= site_capacity && !grow_sites()) return;
  Site *site = site_slot(sites, site_capacity, class_index, frame.method, frame.location, called, maker);
  if (site->place == NULL) {
    char *place = place_of(class_index, frame.method, frame.location, called, maker);
    if (place == NULL) {
      give_up("a site cannot be named");
      return;
    }
    *site = (Site){.place = place, .class_index = class_index, .method = frame.method, .bci = frame.location, .called = called, .maker = maker};
    site_count++;
  }
  site->objects++;
  site->bytes += (uint64_t)size;
  site->elements += (uint64_t)elements;
}

void count_site(jthread thread, uint32_t class_index, jlong size, jint elements) {
  jvmtiFrameInfo frames[DEEPEST_CALLER];
  jint count = 0;
  if (!frames_of(thread, DEEPEST_CALLER, frames, &count) || count == 0) return;
  count_at(frames[0], NULL, NULL, class_index, size, elements);
  jint caller = 0;
  while (caller < count && of_jdk(frames[caller].method)) caller++;
  if (caller > 0 && caller < count) count_at(frames[caller], frames[caller - 1].method, frames[0].method, class_index,
          size, elements);
}

static int by_place(const void *a, const void *b) {
  return strcmp(((const Site *)a)->place, ((const Site *)b)->place);
}

/* The table is sorted in place, after which hashes no longer fit. */
void write_sites(void) {
  FILE *file = open_table(oracle.sites_path);
  if (file == NULL) return;
  uint32_t count = 0;
  for (uint32_t i = 0; i < site_capacity; i++)
    if (sites[i].place != NULL) sites[count++] = sites[i];
  qsort(sites, count, sizeof *sites, by_place);
  for (uint32_t i = 0; i < count; i++) {
    Site *site = &sites[i];
    fprintf(file, "%s\t%llu\t%llu\t%llu\n", site->place, (unsigned long long)site->objects,
            (unsigned long long)site->bytes,
            (unsigned long long)site->elements);
  }
  close_table(file, oracle.sites_path);
}
