/* The symbols of libjvm that its file has, but the dynamic linker does not see (elf.h: SHT_SYMTAB). Builds of Debian
 * and of Temurin have them; where one does not, what they are for is not known. */
#include "hotspot_symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    const char *bytes; /* NULL: it cannot be read */
    size_t size;
};

static struct file map_file(const char *path) {
    struct file f = {0};
    struct stat is;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return f;
    if (fstat(fd, &is) == 0 && is.st_size > 0) {
        void *at = mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at != MAP_FAILED) f = (struct file){at, (size_t)is.st_size};
    }
    close(fd);
    return f;
}

/* What is at an offset, of so many bytes; NULL: that is not all in the file. */
static const void *part(const struct file *f, uint64_t offset, uint64_t bytes) {
    return offset <= f->size && bytes <= f->size - offset ? f->bytes + offset : NULL;
}

static const ElfW(Shdr) *section_at(const struct file *f, const ElfW(Ehdr) *header, uint64_t i) {
    return i < header->e_shnum ? part(f, header->e_shoff + i * sizeof(ElfW(Shdr)), sizeof(ElfW(Shdr))) : NULL;
}

/* Whether a text of the file, which has an end there, is a name. */
static bool is_text(const struct file *texts, uint64_t at, const char *name) {
    size_t bytes = strlen(name) + 1;
    const char *text = part(texts, at, bytes);
    return text && memcmp(text, name, bytes) == 0;
}

static void find_in(const struct file *f, uintptr_t base, const char *const *names, uintptr_t *to, size_t n) {
    const ElfW(Ehdr) *header = part(f, 0, sizeof *header);
    const ElfW(Shdr) *s = NULL, *t;
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof *s) return;
    for (uint64_t i = 0; (s = section_at(f, header, i)) && s->sh_type != SHT_SYMTAB; i++) {}
    if (!s || s->sh_entsize != sizeof(ElfW(Sym)) || !(t = section_at(f, header, s->sh_link))) return;
    const ElfW(Sym) *symbols = part(f, s->sh_offset, s->sh_size);
    struct file texts = {part(f, t->sh_offset, t->sh_size), t->sh_size};
    if (!symbols || !texts.bytes) return;
    for (uint64_t i = 0; i < s->sh_size / sizeof *symbols; i++)
        for (size_t k = 0; k < n && symbols[i].st_value; k++)
            if (is_text(&texts, symbols[i].st_name, names[k])) to[k] = base + symbols[i].st_value;
}

void find_symbols(const char *const *names, uintptr_t *to, size_t n) {
    void *library = dlopen("libjvm.so", RTLD_NOLOAD | RTLD_LAZY);
    const void *exported = library ? dlsym(library, "gHotSpotVMStructs") : NULL;
    Dl_info is;
    memset(to, 0, n * sizeof *to);
    if (library) dlclose(library);
    if (!exported || !dladdr(exported, &is)) return;
    struct file f = map_file(is.dli_fname);
    if (!f.bytes) return;
    find_in(&f, (uintptr_t)is.dli_fbase, names, to, n);
    munmap((void *)f.bytes, f.size);
}
