package corpus

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
)

// eachInJar visits the class files of a jar that take takes.
func eachInJar(path string, take func(name string) bool, visit func(name string, class []byte) error) error {
	jar, err := zip.OpenReader(path)
	if err != nil {
		return fmt.Errorf("corpus: %s: %w", path, err)
	}
	defer jar.Close()
	for _, entry := range jar.File {
		if !strings.HasSuffix(entry.Name, ".class") || !take(entry.Name) {
			continue
		}
		class, err := readEntry(entry)
		if err != nil {
			return fmt.Errorf("corpus: %s: %s: %w", path, entry.Name, err)
		}
		if err := visit(entry.Name, class); err != nil {
			return err
		}
	}
	return nil
}

func readEntry(entry *zip.File) ([]byte, error) {
	r, err := entry.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
