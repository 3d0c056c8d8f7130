package portable

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"mallard/internal/classfile"
)

const (
	// compiledPackage is where the runtime's classes are as compiled.
	compiledPackage = "mallard/portable/"

	// countersPlaceholder stands in them for the number of counters, methodsPlaceholder for that of methods with
	// contexts.
	countersPlaceholder = 0x6d616c6c
	methodsPlaceholder  = 0x6d616c6d
)

// constants are what placeholders stand for.
type constants map[int32]uint32

// relocated gives a class of the runtime for a program: names that begin with the package begin with prefix instead.
func relocated(class []byte, prefix string, known constants) ([]byte, error) {
	return renamed(class, map[string]string{compiledPackage: prefix}, known)
}

// renamed replaces parts of a class's names, and constants.
func renamed(class []byte, names map[string]string, known constants) ([]byte, error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return nil, fmt.Errorf("portable: runtime class: %w", err)
	}
	var out []byte
	done := 0 // bytes of class that out has
	for i := classfile.PoolIndex(1); int(i) < c.Pool.Len(); i++ {
		at := c.Pool.Offset(i)
		switch c.Pool.Tag(i) {
		case classfile.TagInteger:
			n, err := c.Pool.Integer(i)
			if err != nil {
				return nil, err
			}
			if value, found := known[n]; found {
				out = binary.BigEndian.AppendUint32(append(out, class[done:at+1]...), value)
				done = at + 5
			}
		case classfile.TagUtf8:
			s, err := c.Pool.Utf8(i)
			if err != nil {
				return nil, err
			}
			name := s
			for from, to := range names {
				name = strings.ReplaceAll(name, from, to)
			}
			if name == s {
				continue
			}
			if len(name) > math.MaxUint16 {
				return nil, fmt.Errorf("portable: runtime class: a name of %d bytes", len(name))
			}
			out = binary.BigEndian.AppendUint16(append(out, class[done:at+1]...), uint16(len(name)))
			out = append(out, name...)
			done = at + 3 + len(s)
		}
	}
	return append(out, class[done:]...), nil
}
