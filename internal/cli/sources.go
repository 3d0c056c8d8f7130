package cli

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mallard/internal/classpath"
	"mallard/internal/profile"
)

// sources are where source files are looked for: folders, and jars or zip files of sources.
type sources []string

// sourcesOf are where a program's sources are looked for: in these paths, or the working folder, then where its command
// line leads to.
func sourcesOf(p *profile.Profile, paths []string) sources {
	list := sources(paths)
	if len(list) == 0 {
		list = sources{"."}
	}
	if p.Process == nil {
		return list
	}
	return slices.Concat(list, classPathSources(p.Process.Command), jdkSources(p.Process.Command))
}

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
		case err != nil || !info.IsDir() && !info.Mode().IsRegular():
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

// classPathSources are the jars of sources that Maven and Gradle keep for the jars on a JVM's command line, and what is
// beside its folders of classes where projects are laid out as theirs. Relative paths are those of the working folder.
func classPathSources(command []string) (list sources) {
	for _, entry := range classpath.Of(command) {
		name, is := strings.CutSuffix(entry, ".jar")
		if !is {
			for _, above := range []string{"../..", "../../../.."} { // target/classes, build/classes/java/main
				list = append(list, filepath.Join(entry, above, "src", "main", "java"))
			}
			continue
		}
		// Gradle has each file in a folder of its own, beside the others of the same version
		elsewhere, _ := filepath.Glob(filepath.Join(classpath.EscapeGlob(filepath.Dir(filepath.Dir(name))), "*",
			classpath.EscapeGlob(filepath.Base(name))+"-sources.jar"))
		list = append(append(list, name+"-sources.jar"), elsewhere...)
	}
	return list
}
