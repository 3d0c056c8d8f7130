package cli

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// sources are where source files are looked for: folders, and jars or zip files of sources.
type sources []string

// maxSource is the most of a source file that is read, bytes.
const maxSource = 16 << 20

// belowProject are where projects keep their sources.
var belowProject = []string{"", "src/main/java", "src"}

// find gives the lines of a file, such as java/util/HashMap.java, and where it is; false if it is nowhere, or would be
// outside of these.
func (s sources) find(name string) (lines []string, place string, found bool) {
	if !filepath.IsLocal(name) { // a recording may come from somebody else
		return nil, "", false
	}
	for _, at := range s {
		info, err := os.Stat(at)
		switch {
		case err != nil:
			continue
		case info.IsDir():
			for _, folder := range belowProject {
				place = filepath.Join(at, folder, name)
				if file, err := os.Open(place); err == nil {
					lines, found = readLines(file)
				}
				if found {
					return lines, place, true
				}
			}
		default:
			if lines, found = linesInZip(at, name); found {
				return lines, at, true
			}
		}
	}
	return nil, "", false
}

// linesInZip reads a file out of an archive, in which it may be below a folder, as those of modules are.
func linesInZip(archive, name string) ([]string, bool) {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return nil, false
	}
	defer r.Close()
	for _, f := range r.File {
		if f.Name != name && !strings.HasSuffix(f.Name, "/"+name) {
			continue
		}
		if file, err := f.Open(); err == nil {
			return readLines(file)
		}
	}
	return nil, false
}

// readLines reads a file and closes it.
func readLines(file io.ReadCloser) ([]string, bool) {
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSource))
	if err != nil {
		return nil, false
	}
	return strings.Split(strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\r\n", "\n"), "\n"), true
}

// jdkSources are those of the JDK in JAVA_HOME, and of that whose launcher a command names.
func jdkSources(command []string) (list sources) {
	var homes []string
	if len(command) > 0 && filepath.IsAbs(command[0]) {
		if launcher, err := filepath.EvalSymlinks(command[0]); err == nil {
			homes = append(homes, filepath.Dir(filepath.Dir(launcher)))
		}
	}
	if home := os.Getenv("JAVA_HOME"); home != "" {
		homes = append(homes, home)
	}
	for _, home := range homes {
		list = append(list, filepath.Join(home, "lib", "src.zip"))
	}
	return list
}
