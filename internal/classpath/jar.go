package classpath

import (
	"archive/zip"
	"bufio"
	"io"
	"os"
	"path"
	"strings"
)

// Bounds of jars.
const (
	maxJar      = 1 << 30 // bytes
	maxManifest = 1 << 20
)

// manifestName is where a jar has its manifest (JAR File Specification).
const manifestName = "META-INF/MANIFEST.MF"

// openJar opens a jar; nil where there is none.
func openJar(file string) *zip.ReadCloser {
	if !isRegular(file, maxJar) {
		return nil
	}
	jar, err := zip.OpenReader(file)
	if err != nil {
		return nil
	}
	return jar
}

// isRegular reports whether a path leads to a file of some bytes at most.
func isRegular(path string, most int64) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() <= most
}

// readManifest gives the main attributes of a jar's manifest; none where there is none.
func readManifest(file string) map[string]string {
	jar := openJar(file)
	if jar == nil {
		return nil
	}
	defer jar.Close()
	return manifestOf(&jar.Reader)
}

func manifestOf(jar *zip.Reader) map[string]string {
	f, err := jar.Open(manifestName)
	if err != nil {
		return nil
	}
	defer f.Close()
	return parseManifest(io.LimitReader(f, maxManifest))
}

// parseManifest reads main attributes, which end with an empty line. A line that begins with a space goes on with the
// one before.
func parseManifest(r io.Reader) map[string]string {
	attributes, last := map[string]string{}, ""
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxManifest)
	for lines.Scan() && lines.Text() != "" {
		if more, is := strings.CutPrefix(lines.Text(), " "); is {
			attributes[last] += more
			continue
		}
		name, value, _ := strings.Cut(lines.Text(), ":")
		last = name
		attributes[name] = strings.TrimPrefix(value, " ")
	}
	return attributes
}

// jarContents are what a jar says of where it comes from.
type jarContents struct {
	main     string          // the class that -jar starts; empty for none
	packages map[string]bool // of its classes
	own      map[string]bool // of classes that an application's jar has apart from its libraries
	groups   map[string]bool // of Maven, of what it was made from
}

// applications are where jars of Spring Boot and web archives have their own classes.
var applications = []string{"BOOT-INF/classes/", "WEB-INF/classes/"}

// readJar is nil where there is none.
func readJar(file string) *jarContents {
	jar := openJar(file)
	if jar == nil {
		return nil
	}
	defer jar.Close()
	manifest := manifestOf(&jar.Reader)
	c := &jarContents{packages: map[string]bool{}, own: map[string]bool{}, groups: map[string]bool{},
		main: manifest["Main-Class"]}
	if start := manifest["Start-Class"]; start != "" { // which Spring Boot's own main class starts
		c.main = start
	}
	for _, f := range jar.File {
		c.add(f.Name)
	}
	return c
}

// add notes an entry.
func (c *jarContents) add(name string) {
	if below, is := strings.CutPrefix(name, "META-INF/maven/"); is {
		if group, _, more := strings.Cut(below, "/"); more {
			c.groups[group] = true
		}
	}
	if !isClass(name) {
		return
	}
	for _, application := range applications {
		if own, is := strings.CutPrefix(name, application); is {
			c.own[packageOf(own)] = true
			return
		}
	}
	if !strings.HasPrefix(name, "META-INF/") { // versions of the same
		c.packages[packageOf(name)] = true
	}
}

// isClass reports whether a file has a class that belongs to a package.
func isClass(name string) bool {
	return strings.HasSuffix(name, ".class") && path.Base(name) != "module-info.class"
}

// packageOf gives the package of a class file, with dots; empty for none.
func packageOf(file string) string {
	folder := path.Dir(file)
	if folder == "." {
		return ""
	}
	return strings.ReplaceAll(folder, "/", ".")
}
