package profile

// Amount is what was allocated.
type Amount struct {
	Objects  int64 // objects, arrays among them
	Elements int64 // array elements
	Bytes    int64 // bytes on the heap, headers and alignment included, of the Objects less Unsized
	Unsized  int64 // objects whose size the recording does not give

	Bytecodes int64 // executed; not of types, nor of sites that allocate
}

// Add adds b to a.
func (a *Amount) Add(b Amount) {
	a.Objects += b.Objects
	a.Elements += b.Elements
	a.Bytes += b.Bytes
	a.Unsized += b.Unsized
	a.Bytecodes += b.Bytecodes
}

// BytesKnown reports whether Bytes says anything: false if not one of the
// objects has a known size.
func (a Amount) BytesKnown() bool { return a.Unsized == 0 || a.Unsized != a.Objects }

// IsZero reports whether nothing was allocated.
func (a Amount) IsZero() bool { return a == Amount{} }
