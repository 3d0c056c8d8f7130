// Package classpath finds what is on the class path of a JVM's command line, and which of it is the user's own code.
// Relative paths are those of the working folder. A recording may come from somebody else, so that anything may be
// named: what is no folder and no regular file is left out, and how much is read is bounded.
package classpath

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// withValue are options of the java launcher whose value is the next word; see "java --help".
var withValue = []string{"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path",
	"--add-modules", "--add-exports", "--add-opens", "--add-reads", "--limit-modules", "--patch-module",
	"--enable-native-access"}

// maxEntries bounds a class path.
const maxEntries = 5000

// Of gives the folders and jars on the class path of a command line: the last one that it names, or the jar of -jar;
// jars for lib/*; and behind each jar what its manifest names.
func Of(command []string) (entries []string) {
	named, _ := named(command)
	seen := map[string]bool{}
	for _, entry := range named {
		jars := []string{entry}
		if folder, all := strings.CutSuffix(entry, "*"); all {
			jars, _ = filepath.Glob(filepath.Join(EscapeGlob(folder), "*.jar"))
		}
		for _, jar := range jars {
			entries = follow(entries, jar, seen)
		}
	}
	return entries
}

// follow adds an entry that is not there yet, and what its manifest names.
func follow(entries []string, entry string, seen map[string]bool) []string {
	if entry == "" || seen[entry] || len(entries) == maxEntries {
		return entries
	}
	seen[entry] = true
	entries = append(entries, entry)
	for name := range strings.FieldsSeq(readManifest(entry)["Class-Path"]) {
		if next := relative(entry, name); next != "" {
			entries = follow(entries, next, seen)
		}
	}
	return entries
}

// relative is what a manifest's name of a file or folder stands for; empty where it is none.
func relative(jar, name string) string {
	u, err := url.Parse(name)
	if err != nil || u.Scheme != "" && u.Scheme != "file" || u.Path == "" {
		return ""
	}
	path := filepath.FromSlash(u.Path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(jar), path)
	}
	return filepath.Clean(path)
}

// named gives the entries that a command line names, and whether that is the jar that it starts.
func named(command []string) (entries []string, isJar bool) {
	for i := 1; i < len(command) && strings.HasPrefix(command[i], "-"); i++ {
		option, path, whole := strings.Cut(command[i], "=")
		if i+1 < len(command) && option == "-jar" {
			return command[i+1 : i+2], true
		}
		if !whole && slices.Contains(withValue, option) && i+1 < len(command) {
			i++
			path = command[i]
		}
		if slices.Contains(withValue[:3], option) {
			entries = filepath.SplitList(path)
		}
	}
	return entries, false
}

// EscapeGlob gives a pattern that matches a path alone.
func EscapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
