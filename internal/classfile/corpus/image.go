package corpus

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// A module image (lib/modules, "jimage") is, in the byte order of the machine:
//
//	header      magic, version, flags, resources, table length n,
//	            size of locations, size of strings   (u4 each)
//	redirect    n x s4, a perfect hash that we do not need
//	offsets     n x u4, where in locations each resource is described
//	locations   for each resource a list of attributes: a byte with the
//	            kind in the upper five bits and the length less one in the
//	            lower three, then the value, most significant byte first
//	strings     NUL-terminated names
//	resources   the contents
const (
	imageMagic      = 0xCAFEDADA
	imageHeaderSize = 7 * 4

	// maxImageIndex is more than the index of any JDK takes.
	maxImageIndex = 64 << 20
)

// Kinds of attributes of a resource.
const (
	attributeEnd = iota
	attributeModule
	attributeParent
	attributeBase
	attributeExtension
	attributeOffset
	attributeCompressed
	attributeSize
	attributeKinds
)

var errImage = errors.New("no module image that can be read")

// eachInImage visits the class files of a module image.
func eachInImage(path string, take func(name string) bool, visit func(name string, class []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("corpus: %w", err)
	}
	defer f.Close()
	header := make([]byte, imageHeaderSize)
	if _, err := io.ReadFull(f, header); err != nil {
		return fmt.Errorf("corpus: %s: %w", path, err)
	}
	order := binary.NativeEndian
	word := func(i int) int { return int(order.Uint32(header[4*i:])) }
	n, locationsSize, stringsSize := word(4), word(5), word(6)
	indexSize := 2*4*n + locationsSize + stringsSize
	if word(0) != imageMagic || indexSize > maxImageIndex {
		return fmt.Errorf("corpus: %s: %w", path, errImage)
	}
	index := make([]byte, indexSize)
	if _, err := io.ReadFull(f, index); err != nil {
		return fmt.Errorf("corpus: %s: %w", path, err)
	}
	offsets, locations := index[4*n:8*n], index[8*n:8*n+locationsSize]
	text := func(at uint64) string {
		s, _, _ := strings.Cut(string(index[8*n+locationsSize+int(at):][:min(512, stringsSize-int(at))]), "\x00")
		return s
	}
	for i := range n {
		a, err := resource(locations[order.Uint32(offsets[4*i:]):])
		if err != nil {
			return fmt.Errorf("corpus: %s: %w", path, err)
		}
		if text(a[attributeExtension]) != "class" {
			continue
		}
		if a[attributeCompressed] != 0 {
			return fmt.Errorf("corpus: %s: %w: it is compressed", path, errImage)
		}
		name := text(a[attributeModule]) + "/" + text(a[attributeParent]) + "/" + text(a[attributeBase]) + ".class"
		if !take(name) {
			continue
		}
		class := make([]byte, a[attributeSize])
		if _, err := f.ReadAt(class, int64(imageHeaderSize+indexSize)+int64(a[attributeOffset])); err != nil {
			return fmt.Errorf("corpus: %s: %w", path, err)
		}
		if err := visit(name, class); err != nil {
			return err
		}
	}
	return nil
}

// resource reads the attributes of one resource.
func resource(b []byte) (a [attributeKinds]uint64, err error) {
	for len(b) > 0 && b[0]>>3 != attributeEnd {
		kind, size := b[0]>>3, int(b[0]&7)+1
		if kind >= attributeKinds || size >= len(b) {
			return a, errImage
		}
		for _, x := range b[1 : 1+size] {
			a[kind] = a[kind]<<8 | uint64(x)
		}
		b = b[1+size:]
	}
	return a, nil
}
