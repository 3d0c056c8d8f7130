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

	// countersPlaceholder stands in them for the number of counters.
	countersPlaceholder = 0x6d616c6c
)

// moved gives a class of the runtime for a program with so many counters: names that begin with the package begin with prefix instead.
func moved(class []byte, prefix string, counters uint32) ([]byte, error) {
	return renamed(class, map[string]string{compiledPackage: prefix}, counters)
}

// renamed replaces parts of a class's names, and the number of counters if that is not 0.
func renamed(class []byte, names map[string]string, counters uint32) ([]byte, error) {
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
			if n, err := c.Pool.Integer(i); err == nil && n == countersPlaceholder && counters != 0 {
				out = binary.BigEndian.AppendUint32(append(out, class[done:at+1]...), counters)
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
