/* Names of classes, methods and places. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

enum { KNOWN_METHODS = 4096 }; /* methods whose origin is remembered */

/* A method that was found to be the JDK's or not. */
typedef struct {
  jmethodID method;
  bool of_jdk;
} Origin;

static Origin origins[KNOWN_METHODS]; /* direct-mapped */

char *class_name(const char *signature) {
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

/* Among entries of one index it takes the first for just that index and the last for those after it, as stack traces
 * do. */
int line_of(jmethodID method, jlocation bci) {
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

const char *instruction_at(jmethodID method, jlocation bci) {
  static const char *const newarray[] = {
      /* JVMS table 6.5.newarray-A, from 4 on */
      "newarray boolean", "newarray char",  "newarray float", "newarray double",
      "newarray byte",    "newarray short", "newarray int",   "newarray long",
  };
  jint count = 0;
  unsigned char *bytecodes = NULL;
  /* native */
  if ((*oracle.jvmti)->GetBytecodes(oracle.jvmti, method, &count, &bytecodes) != JVMTI_ERROR_NONE) return "other";
  unsigned opcode = bci >= 0 && bci + 1 < count ? bytecodes[bci] : 0;
  unsigned element = opcode != 0 ? (bytecodes[bci + 1] - 4u) & 7 : 0;
  deallocate(bytecodes);
  switch (opcode) { /* JVMS 6.5 */
  case 0xbb: return "new";
  case 0xbc: return newarray[element];
  case 0xbd: return "anewarray";
  case 0xc5: return "multianewarray";
  case 0xba: return "invokedynamic";
  case 0x12: case 0x13: return "ldc";
  case 0x6c: case 0x6d: case 0x70: case 0x71: /* division */
  case 0xbe: case 0xbf: case 0xc2: case 0xc3: /* arraylength, athrow, monitors */
    return "raising";
  }
  bool loads = opcode >= 0x2e && opcode <= 0x35, stores = opcode >= 0x4f && opcode <= 0x56; /* elements of arrays */
  return loads || stores ? "raising" : "other";
}

char *class_of_method(jmethodID method) {
  jclass declaring = NULL;
  char *signature = NULL, *name = NULL;
  if (!ok((*oracle.jvmti)->GetMethodDeclaringClass(oracle.jvmti, method, &declaring),
          "GetMethodDeclaringClass")) return NULL;
  if (ok((*oracle.jvmti)->GetClassSignature(oracle.jvmti, declaring, &signature, NULL),
          "GetClassSignature")) name = class_name(signature);
  if (signature != NULL) deallocate(signature);
  return name;
}

bool of_jdk(jmethodID method) {
  static const char *const packages[] = {"java.", "jdk.", "sun.", "com.sun."};
  Origin *known = &origins[((uintptr_t)method >> 3) % KNOWN_METHODS];
  if (known->method == method) return known->of_jdk;
  char *name = class_of_method(method);
  bool found = name == NULL || strchr(name, '/') != NULL;
  for (size_t i = 0; !found && i < sizeof packages / sizeof *packages; i++) found = strncmp(name, packages[i],
          strlen(packages[i])) == 0;
  free(name);
  *known = (Origin){.method = method, .of_jdk = found};
  return found;
}

char *method_name(jmethodID method) {
  if (method == NULL) return strdup("");
  char *name = NULL, *full = NULL, *declaring = class_of_method(method);
  if (declaring != NULL && ok((*oracle.jvmti)->GetMethodName(oracle.jvmti, method, &name, NULL, NULL),
          "GetMethodName")) {
    size_t size = strlen(declaring) + strlen(name) + 2;
    full = malloc(size);
    if (full != NULL) snprintf(full, size, "%s.%s", declaring, name);
  }
  free(declaring);
  if (name != NULL) deallocate(name);
  return full;
}
