package portable

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
)

// libraries are the folders in which archives that run have jars, for class loaders that see the runtime as well,
// since they see the classes beside these. Jars elsewhere may be anything.
var libraries = []string{"BOOT-INF/lib/", "WEB-INF/lib/", "WEB-INF/lib-provided/"}

// isLibrary reports whether a file is a jar whose classes are to count.
func isLibrary(name string) bool {
	return strings.HasSuffix(name, ".jar") && slices.ContainsFunc(libraries, func(folder string) bool {
		return strings.HasPrefix(name, folder)
	})
}

// library adds a jar inside the jar, whose classes count. One with which something is wrong stays as it is.
func (p *producer) library(e entry) error {
	contents, err := p.counting(e)
	if err != nil {
		p.result.Skipped = append(p.result.Skipped, Skipped{e.name, err.Error()})
		return e.copyAs(p.out)
	}
	return e.replace(p.out, contents)
}

// counting gives a jar inside the jar with classes that count.
func (p *producer) counting(e entry) ([]byte, error) {
	in, err := e.openLibrary()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	out, signed := p.out, p.signed
	p.out, p.within = zip.NewWriter(&b), e.name+"!/"
	defer func() { p.out, p.signed, p.within = out, signed, "" }()
	if err := p.entries(in.entries); err != nil {
		return nil, err
	}
	err = p.out.Close()
	return b.Bytes(), err
}

// openLibrary reads a jar inside a jar, into memory.
func (e entry) openLibrary() (*input, error) {
	contents, err := e.read(maxLibrary)
	if err != nil {
		return nil, err
	}
	return openJar(bytes.NewReader(contents), int64(len(contents)))
}
