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
			if n, err := c.Pool.Integer(i); err == nil && n == countersPlaceholder {
				out = binary.BigEndian.AppendUint32(append(out, class[done:at+1]...), counters)
				done = at + 5
			}
		case classfile.TagUtf8:
			s, err := c.Pool.Utf8(i)
			if err != nil {
				return nil, err
			}
			if !strings.Contains(s, compiledPackage) {
				continue
			}
			renamed := strings.ReplaceAll(s, compiledPackage, prefix)
			if len(renamed) > math.MaxUint16 {
				return nil, fmt.Errorf("portable: runtime class: a name of %d bytes", len(renamed))
			}
			out = binary.BigEndian.AppendUint16(append(out, class[done:at+1]...), uint16(len(renamed)))
			out = append(out, renamed...)
			done = at + 3 + len(s)
		}
	}
	return append(out, class[done:]...), nil
}
