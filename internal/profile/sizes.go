package profile

import (
	"strings"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// sizer computes sizes on the heap from the facts in a recording.
type sizer struct {
	process *trace.Process // nil unknown
	types   *symbols.Classes
}

// sized says how a cell of a site becomes an amount.
type sized struct {
	kind     trace.SiteKind
	elements int64 // per object, for ArrayConst
	bytes    int64 // per object, for Instance and ArrayConst; 0 unknown
	unknown  bool  // for ArrayLen: sizes follow from a length in a way that the recording does not give
}

// site returns how large what s allocates is.
func (z sizer) site(s *symbols.Site) sized {
	switch s.Def.Kind {
	case trace.Instance:
		return sized{kind: s.Def.Kind, bytes: z.types.InstanceBytes(s.Def.Type, s.Method.Loader)}
	case trace.ArrayConst:
		length := int64(s.Def.Length)
		return sized{kind: s.Def.Kind, elements: length, bytes: z.arrayBytes(s.Def.Type, length)}
	case trace.ArrayLen:
		base, _ := z.array(s.Def.Type)
		return sized{kind: s.Def.Kind, unknown: base == 0}
	}
	return sized{kind: s.Def.Kind}
}

// arrayBytes returns the size of an array: header and elements, rounded up to
// the object alignment; 0 if the recording does not say.
func (z sizer) arrayBytes(arrayType string, length int64) int64 {
	base, width := z.array(arrayType)
	if base == 0 || z.process.ObjectAlignment == 0 {
		return 0
	}
	alignment := int64(z.process.ObjectAlignment)
	return (base + length*width + alignment - 1) / alignment * alignment
}

// array returns the bytes of an array's header and of an element; 0 if the
// recording does not say.
func (z sizer) array(arrayType string) (base, width int64) {
	if z.process == nil {
		return 0, 0
	}
	width, column := z.elementWidth(strings.TrimPrefix(arrayType, "["))
	base = int64(z.process.ArrayBase[column])
	if base == 0 || width == 0 {
		return 0, 0
	}
	return base, width
}

// elementWidth returns the bytes of an array element of the given descriptor
// and the column of Process.ArrayBase for it.
func (z sizer) elementWidth(descriptor string) (width int64, column int) {
	switch descriptor {
	case "Z", "B":
		return 1, 0
	case "C", "S":
		return 2, 1
	case "I", "F":
		return 4, 2
	case "J", "D":
		return 8, 3
	}
	switch z.process.RefBytes {
	case 4:
		return 4, 2
	case 8:
		return 8, 3
	}
	return 0, 0
}

// amount turns what was counted into what was allocated.
func (z sized) amount(c cell) Amount {
	switch z.kind {
	case trace.Instance, trace.ArrayConst:
		a := Amount{Objects: c.objects, Elements: c.objects * z.elements, Bytes: c.objects * z.bytes}
		if z.bytes == 0 {
			a.Unsized = c.objects
		}
		return a
	case trace.Executed:
		return Amount{Bytecodes: c.objects}
	}
	if z.unknown {
		return Amount{Objects: c.objects, Elements: c.elements, Unsized: c.objects}
	}
	return Amount{Objects: c.objects, Elements: c.elements, Bytes: c.bytes}
}
