/*
 * Allocations by stack: the table "stacks". Stacks are kept as a tree of calls: a node is a frame and the node of its
 * caller. Frames of hidden classes are not in it.
 */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

/* Numbers things by two words; numbers begin at 1. */
typedef struct {
  void *things; /* by number less 1 */
  size_t size;  /* of each, bytes */
  struct numbered {
    uint64_t a, b;
    uint32_t number; /* 0: a free slot */
  } *slots;          /* open addressing, linear probing, at most half full */
  uint32_t count, capacity;
} Numbers;

/* A method at a bytecode. */
typedef struct {
  char *text;              /* as in the table; NULL: of a hidden class */
  const char *instruction; /* as in the table */
} Frame;

typedef struct {
  uint32_t caller, frame; /* 0: no caller */
} Node;

/* What was made of a class in a frame with all its callers. */
typedef struct {
  uint32_t node, class_index;
  uint64_t objects, bytes;
} Stack;

static uint64_t hidden_objects, hidden_bytes; /* made in frames of hidden classes */

static Numbers frames = {.size = sizeof(Frame)}, nodes = {.size = sizeof(Node)}, stacks = {.size = sizeof(Stack)};

static Frame *frame(uint32_t number) { return (Frame *)frames.things + number - 1; }
static Node *node(uint32_t number) { return (Node *)nodes.things + number - 1; }
static Stack *stack(uint32_t number) { return (Stack *)stacks.things + number - 1; }

static struct numbered *slot_of(const Numbers *n, uint64_t a, uint64_t b) {
  uint64_t hash = (a * 0x9e3779b97f4a7c15u ^ b) * 0xc2b2ae3d27d4eb4fu;
  for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
    struct numbered *slot = &n->slots[i & (n->capacity - 1)];
    if (slot->number == 0 || (slot->a == a && slot->b == b)) return slot;
  }
}

/* grow makes room for twice as many things; false: no memory. */
static bool grow(Numbers *n) {
  Numbers grown = {.size = n->size, .count = n->count, .capacity = n->capacity == 0 ? INITIAL_CAPACITY
          : 2 * n->capacity};
  grown.things = realloc(n->things, grown.capacity / 2 * n->size);
  if (grown.things == NULL) return false;
  n->things = grown.things;
  grown.slots = calloc(grown.capacity, sizeof *grown.slots);
  if (grown.slots == NULL) return false;
  for (uint32_t i = 0; i < n->capacity; i++)
    if (n->slots[i].number != 0) *slot_of(&grown, n->slots[i].a, n->slots[i].b) = n->slots[i];
  free(n->slots);
  *n = grown;
  return true;
}

/* number_of finds the number of a thing; where it has none it gets one, and *is_new says so. 0 after giving up. */
static uint32_t number_of(Numbers *n, uint64_t a, uint64_t b, bool *is_new) {
  *is_new = false;
  if (2 * n->count >= n->capacity && !grow(n)) {
    give_up("out of memory");
    return 0;
  }
  struct numbered *slot = slot_of(n, a, b);
  if (slot->number == 0) {
    *is_new = true;
    *slot = (struct numbered){a, b, ++n->count};
  }
  return slot->number;
}

/* frame_of and the functions after it return the number of a thing, 0 after giving up. */
static uint32_t frame_of(jmethodID method, jlocation bci) {
  bool is_new;
  uint32_t number = number_of(&frames, (uint64_t)(uintptr_t)method, (uint64_t)bci, &is_new);
  if (!is_new) return number;
  char *text = NULL, *name = method_name(method);
  size_t size = name != NULL ? strlen(name) + 16 : 0;
  bool hidden = name != NULL && strchr(name, '/') != NULL;
  if (name != NULL && !hidden) text = malloc(size);
  if (text != NULL) snprintf(text, size, "%s:%d", name, bci < 0 ? -2 : line_of(method, bci));
  free(name);
  if (text == NULL && !hidden) {
    give_up("a frame cannot be named");
    return 0;
  }
  *frame(number) = (Frame){.text = text, .instruction = instruction_at(method, bci)};
  return number;
}

static uint32_t node_of(uint32_t caller, uint32_t frame_number) {
  bool is_new;
  uint32_t number = number_of(&nodes, caller, frame_number, &is_new);
  if (is_new) *node(number) = (Node){.caller = caller, .frame = frame_number};
  return number;
}

static uint32_t stack_of(uint32_t node_number, uint32_t class_index) {
  bool is_new;
  uint32_t number = number_of(&stacks, node_number, class_index, &is_new);
  if (is_new) *stack(number) = (Stack){.node = node_number, .class_index = class_index};
  return number;
}

/* take gives a thread's stack, in memory that the next call uses again, and the number of its frames; 0 after giving
 * up. To ask how many there are first would walk the stack twice. */
static jint take(jthread thread, jvmtiFrameInfo **trace) {
  static jvmtiFrameInfo *memory;
  static jint room;
  for (;;) {
    jint count = 0;
    if (room > 0 && !frames_of(thread, room, memory, &count)) return 0;
    *trace = memory;
    if (count < room) return count;
    jint more = room == 0 ? INITIAL_CAPACITY : 2 * room;
    jvmtiFrameInfo *grown = realloc(memory, (size_t)more * sizeof *grown);
    if (grown == NULL) {
      give_up("out of memory");
      return 0;
    }
    memory = grown;
    room = more;
  }
}

/* node_of_trace finds the node of a stack whose frames are given innermost first; 0 after giving up, and where the
 * innermost is hidden. What it has in common with the last one at its outer end need not be looked up. */
static uint32_t node_of_trace(const jvmtiFrameInfo *trace, jint count) {
  static struct step {
    jvmtiFrameInfo frame;
    uint32_t node; /* of the innermost frame so far that is shown; 0: none */
    bool shown;
  } *steps; /* of the last stack, outermost first */
  static jint known, room;
  if (count > room) {
    room = 2 * count;
    struct step *more = realloc(steps, (size_t)room * sizeof *steps);
    if (more == NULL) {
      give_up("out of memory");
      return 0;
    }
    steps = more;
  }
  jint depth = 0;
  while (depth < known && depth < count && steps[depth].frame.method == trace[count - 1 - depth].method &&
          steps[depth].frame.location == trace[count - 1 - depth].location)
    depth++;
  for (known = depth; depth < count; known = ++depth) {
    uint32_t innermost = depth > 0 ? steps[depth - 1].node : 0, number = frame_of(trace[count - 1 - depth].method,
            trace[count - 1 - depth].location);
    if (number == 0) return 0;
    bool shown = frame(number)->text != NULL;
    if (shown && (innermost = node_of(innermost, number)) == 0) return 0;
    steps[depth] = (struct step){trace[count - 1 - depth], innermost, shown};
  }
  return count > 0 && steps[count - 1].shown ? steps[count - 1].node : 0;
}

void count_stack(jthread thread, uint32_t class_index, jlong size) {
  jvmtiFrameInfo innermost, *trace = NULL;
  jint count = 0;
  if (!oracle.all_stacks && (!frames_of(thread, 1, &innermost, &count) || count == 0 || of_jdk(innermost.method)))
    return;
  count = take(thread, &trace);
  uint32_t node_number = node_of_trace(trace, count);
  uint32_t number = node_number != 0 ? stack_of(node_number, class_index) : 0;
  if (number == 0) {
    hidden_objects++;
    hidden_bytes += (uint64_t)size;
    return;
  }
  stack(number)->objects++;
  stack(number)->bytes += (uint64_t)size;
}

void write_stacks(void) {
  FILE *file = open_table(oracle.stacks_path);
  if (file == NULL) return;
  fprintf(file, "hidden\t%llu\t%llu\n", (unsigned long long)hidden_objects, (unsigned long long)hidden_bytes);
  for (uint32_t i = 1; i <= nodes.count; i++) fprintf(file, "frame\t%u\t%s\n", node(i)->caller,
          frame(node(i)->frame)->text);
  for (uint32_t i = 1; i <= stacks.count; i++) {
    const Stack *s = stack(i);
    fprintf(file, "stack\t%u\t%s\t%s\t%llu\t%llu\n", s->node, oracle.classes[s->class_index].name,
            frame(node(s->node)->frame)->instruction,
            (unsigned long long)s->objects, (unsigned long long)s->bytes);
  }
  close_table(file, oracle.stacks_path);
}
