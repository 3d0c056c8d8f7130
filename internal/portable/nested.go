package portable

import (
	"bytes"
	"slices"
	"strings"
)

// webClasses is where a web application has its classes: a server shows them nothing that is elsewhere in the archive.
const webClasses = "WEB-INF/classes/"

// libraries are the folders in which archives that run have jars, for class loaders that see the runtime as well,
// since they see the classes beside these. Jars elsewhere may be anything.
var libraries = []string{"BOOT-INF/lib/", "WEB-INF/lib/", "WEB-INF/lib-provided/"}

// isLibrary reports whether a file is a jar whose classes are to count.
func isLibrary(name string) bool {
	return strings.HasSuffix(name, ".jar") && slices.ContainsFunc(libraries, func(folder string) bool {
		return strings.HasPrefix(name, folder)
	})
}

// openLibrary reads a jar inside a jar, into memory.
func (e entry) openLibrary() (*input, error) {
	contents, err := e.read(maxLibrary)
	if err != nil {
		return nil, err
	}
	return openJar(bytes.NewReader(contents), int64(len(contents)))
}
