package classpath

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// Own is the user's own code, as far as a class path shows it.
type Own struct {
	Main     string   // the class that a jar of -jar starts; empty for none
	Library  bool     // the main class is a library's
	Packages []string // by name; "" is that of classes without one
	From     []string // entries of the class path that have these
}

// repositories are folders in which tools keep libraries.
var repositories = []string{"/.m2/repository/", "/.gradle/caches/", "/.ivy2/", "/.cache/coursier/", "/usr/share/java/",
	"/usr/share/maven-repo/"}

// FindOwn looks for the user's own code: the classes in folders, those that an application's jar has beside its
// libraries, and jars of the same group of Maven's as the one with the main class, as long as that is in no repository.
func FindOwn(command []string, main string) Own {
	f := finding{packages: map[string]bool{}, jars: map[string]*jarContents{}}
	entries := Of(command)
	for _, entry := range entries {
		f.look(entry)
	}
	if _, isJar := named(command); isJar && f.jars[entries[0]] != nil {
		f.own.Main = f.jars[entries[0]].main
	}
	if f.own.Main != "" {
		main = f.own.Main
	}
	f.group(entries, main)
	f.own.Packages = slices.Sorted(maps.Keys(f.packages))
	return f.own
}

type finding struct {
	own      Own
	packages map[string]bool
	jars     map[string]*jarContents // by entry
}

// look looks at an entry by itself.
func (f *finding) look(entry string) {
	packages := packagesIn(entry)
	if jar := readJar(entry); jar != nil {
		f.jars[entry], packages = jar, jar.own
	}
	f.take(entry, packages)
}

// take has packages of an entry be the user's.
func (f *finding) take(entry string, packages map[string]bool) {
	if len(packages) > 0 && !slices.Contains(f.own.From, entry) {
		f.own.From = append(f.own.From, entry)
	}
	maps.Copy(f.packages, packages)
}

// group takes the jars that are of one group with that of the main class.
func (f *finding) group(entries []string, main string) {
	group := ""
	for _, entry := range entries {
		jar := f.jars[entry]
		if jar == nil || !jar.packages[packageOf(strings.ReplaceAll(main, ".", "/"))] {
			continue
		}
		if f.own.Library = isLibrary(entry); !f.own.Library {
			group = jar.group()
		}
		break
	}
	if group == "" {
		return
	}
	for _, entry := range entries {
		if jar := f.jars[entry]; jar != nil && jar.group() == group && !isLibrary(entry) {
			f.take(entry, jar.packages)
		}
	}
}

// group is that of all that a jar was made from; empty where there is none, or are several.
func (c *jarContents) group() string {
	for group := range c.groups {
		if len(c.groups) == 1 {
			return group
		}
	}
	return ""
}

func isLibrary(entry string) bool {
	if path, err := filepath.Abs(entry); err == nil {
		entry = path
	}
	return slices.ContainsFunc(repositories, func(folder string) bool {
		return strings.Contains(filepath.ToSlash(entry), folder)
	})
}

// maxFiles bounds how many files of a folder are looked at.
const maxFiles = 20_000

// packagesIn gives the packages of the classes in a folder.
func packagesIn(folder string) map[string]bool {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil
	}
	packages, files := map[string]bool{}, 0
	_ = fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, _ error) error {
		if files++; files > maxFiles {
			return fs.SkipAll
		}
		if entry != nil && entry.IsDir() && name != "." && !isIdentifier(entry.Name()) {
			return fs.SkipDir
		}
		if isClass(name) {
			packages[packageOf(name)] = true
		}
		return nil
	})
	return packages
}

// isIdentifier reports whether a name may be part of a package's (JLS 3.8); what is in a folder of another name is no
// class of that folder's.
func isIdentifier(name string) bool {
	for i, r := range name {
		if !unicode.IsLetter(r) && r != '_' && r != '$' && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}
