package portable

import (
	"bytes"
	"path"
	"strings"
)

const manifestName = "META-INF/MANIFEST.MF"

// isSignature reports whether a file is part of a jar's signature (JAR file specification, "Signature file").
func isSignature(name string) bool {
	folder, base := path.Split(strings.ToUpper(name))
	if folder != "META-INF/" {
		return false
	}
	switch path.Ext(base) {
	case ".SF", ".RSA", ".DSA", ".EC":
		return true
	}
	return strings.HasPrefix(base, "SIG-")
}

// isIndex reports whether a file lists the jar's packages: class loaders before JDK 22 look for none that is not in it.
func isIndex(name string) bool { return strings.EqualFold(name, "META-INF/INDEX.LIST") }

// withoutDigests gives a manifest without the digests of files. Sections that say nothing else are left out.
func withoutDigests(manifest []byte) []byte {
	var out bytes.Buffer
	for i, section := range sections(manifest) {
		if i == 0 {
			out.Write(bytes.Join(section, nil))
			continue
		}
		var kept [][]byte
		for _, attribute := range section {
			if name, _, _ := bytes.Cut(attribute, []byte(":")); !strings.Contains(strings.ToLower(string(name))+"-",
				"-digest-") {
				kept = append(kept, attribute)
			}
		}
		if len(kept) > 1 || len(kept) == len(section) { // more than the name
			out.WriteString("\r\n")
			out.Write(bytes.Join(kept, nil))
		}
	}
	out.WriteString("\r\n")
	return out.Bytes()
}

// sections takes a manifest apart: sections are separated by empty lines, and each attribute has its continuation
// lines with it.
func sections(manifest []byte) (list [][][]byte) {
	list = [][][]byte{nil}
	for line := range bytes.Lines(manifest) {
		last := len(list) - 1
		switch section := list[last]; {
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			if len(section) > 0 {
				list = append(list, nil)
			}
		case line[0] == ' ' && len(section) > 0:
			section[len(section)-1] = append(section[len(section)-1], line...)
		default:
			list[last] = append(section, bytes.Clone(line))
		}
	}
	if len(list) > 1 && list[len(list)-1] == nil {
		list = list[:len(list)-1]
	}
	return list
}
