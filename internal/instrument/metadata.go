package instrument

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// Metadata encodes what Bytes are not: names, sites, counters and the table of φ. Together with Bytes, the numbers of
// counters and contexts, and Patches, it is all of a Result but leaves: see [Restore].
func (r *Result) Metadata() ([]byte, error) {
	c := &coder{writing: true, known: map[string]uint64{}}
	c.result(r)
	return c.b, c.err
}

// Restore is the inverse of Metadata, given its Bytes, Counters, Contexts and Patches. The result keeps bytes, which
// nothing has been added to yet ([Result.Add]), and patches; empty bytes mean that nothing was changed. Whatever
// metadata holds, memory is bounded by a multiple of its length.
func Restore(bytes []byte, counters, contexts uint32, patches Patches, metadata []byte) (*Result, error) {
	r, c := restored(bytes, counters, contexts, metadata)
	r.patches = patches
	c.result(r)
	if c.err == nil && len(c.b) > 0 {
		c.err = errors.New("bytes left over")
	}
	return c.complete(r)
}

// Summary is Restore without what only frames ask for: the table of φ, and how far instructions have moved. That is
// more than half of the metadata, and the numbers are not to be patched.
func Summary(bytes []byte, counters, contexts uint32, metadata []byte) (*Result, error) {
	r, c := restored(bytes, counters, contexts, metadata)
	c.summary(r)
	return c.complete(r)
}

func restored(bytes []byte, counters, contexts uint32, metadata []byte) (*Result, *coder) {
	r := &Result{Counters: counters, Contexts: contexts}
	if len(bytes) > 0 {
		r.Bytes = bytes
	}
	return r, &coder{b: metadata}
}

func (c *coder) complete(r *Result) (*Result, error) {
	if c.err != nil {
		return nil, fmt.Errorf("instrument: metadata of a class: %w", c.err)
	}
	return r, nil
}

// coder writes or reads: the same methods describe the encoding for both. Integers are varints; a string is the
// number of an earlier one, or 0, its length and its bytes.
type coder struct {
	writing bool
	b       []byte // written so far, or still to be read
	err     error

	known   map[string]uint64 // writing: numbers of strings, from 1
	strings []string          // reading: strings by number, less 1
}

func (c *coder) result(r *Result) {
	c.summary(r)
	for i := range r.Methods {
		c.frames(&r.Methods[i])
	}
}

func (c *coder) summary(r *Result) {
	c.string(&r.Name)
	c.string(&r.Super)
	c.string(&r.Source)
	boolean(c, &r.Unshown)
	list(c, &r.Methods, c.method)
	list(c, &r.Skipped, func(s *Skipped) {
		c.string(&s.Method)
		c.string(&s.Reason)
	})
}

func (c *coder) method(m *Method) {
	c.string(&m.Name)
	c.string(&m.Descriptor)
	list(c, &m.Sites, c.site)
	list(c, &m.Counters, c.counter)
	c.string(&m.Fallback)
	boolean(c, &m.Crosses)
	boolean(c, &m.Adaptable)
	has := m.Context != nil
	if boolean(c, &has); has && m.Context == nil {
		m.Context = new(Context)
	}
	if has {
		c.context(m.Context)
	}
}

// frames is what a frame means that is in a method.
func (c *coder) frames(m *Method) {
	c.fixed(&m.codeFingerprint)
	list(c, &m.phis, func(o *phiEntry) {
		integer(c, &o.pc)
		boolean(c, &o.relative)
		c.vector(&o.phi)
	})
	list(c, &m.shifts, func(s *shift) {
		integer(c, &s.pc)
		integer(c, &s.by)
	})
}

func (c *coder) context(x *Context) {
	integer(c, &x.Number)
	c.string(&x.Name)
	integer(c, &x.Words)
	integer(c, &x.First)
	boolean(c, &x.Hidden)
	list(c, &x.Calls, func(call *Call) {
		integer(c, &call.BCI)
		integer(c, &call.PC)
		integer(c, &call.Line)
		c.string(&call.Callee)
	})
	list(c, &x.Constructions, func(n *Construction) {
		integer(c, &n.Call)
		c.string(&n.Class)
		c.string(&n.Descriptor)
		boolean(c, &n.Chains)
		boolean(c, &n.Counted)
		integer(c, &n.Counter)
		integer(c, &n.Behind)
	})
}

func (c *coder) site(s *allocations.Site) {
	integer(c, &s.BCI)
	integer(c, &s.Line)
	c.string(&s.Type)
	integer(c, &s.Kind)
	integer(c, &s.Length)
	boolean(c, &s.Looped)
	boolean(c, &s.Copied)
	integer(c, &s.PassedTo)
}

func (c *coder) counter(n *Counter) {
	integer(c, &n.Number)
	integer(c, &n.Kind)
	c.vector(&n.Semantics)
	integer(c, &n.Site)
}

func (c *coder) vector(v *placement.Vector) {
	list(c, (*[]placement.Term)(v), func(t *placement.Term) {
		integer(c, &t.Site)
		integer(c, &t.N)
	})
}

func (c *coder) string(s *string) {
	if c.writing {
		if n, found := c.known[*s]; found {
			c.b = binary.AppendUvarint(c.b, n)
			return
		}
		c.known[*s] = uint64(len(c.known) + 1)
		c.b = binary.AppendUvarint(append(c.b, 0), uint64(len(*s)))
		c.b = append(c.b, *s...)
		return
	}
	switch n := c.uvarint(); {
	case n > uint64(len(c.strings)):
		c.fail(fmt.Errorf("string %d of %d", n, len(c.strings)))
	case n > 0:
		*s = c.strings[n-1]
	default:
		length := c.length()
		*s = string(c.b[:length])
		c.b = c.b[length:]
		c.strings = append(c.strings, *s)
	}
}

// length reads a length, which is never beyond what is left.
func (c *coder) length() int {
	n := c.uvarint()
	if n > uint64(len(c.b)) {
		c.fail(io.ErrUnexpectedEOF)
		return 0
	}
	return int(n)
}

func (c *coder) uvarint() uint64 {
	n, size := binary.Uvarint(c.b)
	if size <= 0 {
		c.fail(io.ErrUnexpectedEOF)
		return 0
	}
	c.b = c.b[size:]
	return n
}

// fixed has 8 bytes.
func (c *coder) fixed(v *uint64) {
	if c.writing {
		c.b = binary.LittleEndian.AppendUint64(c.b, *v)
		return
	}
	if len(c.b) < 8 {
		c.fail(io.ErrUnexpectedEOF)
		return
	}
	*v = binary.LittleEndian.Uint64(c.b)
	c.b = c.b[8:]
}

// fail keeps the first error. What is read after it is zero.
func (c *coder) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.b = nil
}

// list has the elements in turn, each at least a byte long.
func list[T any](c *coder, l *[]T, element func(*T)) {
	if c.writing {
		c.b = binary.AppendUvarint(c.b, uint64(len(*l)))
	} else if n := c.length(); n > 0 {
		*l = make([]T, n)
	}
	for i := range *l {
		element(&(*l)[i])
	}
}

func integer[T ~int | ~int32 | ~uint8 | ~uint32](c *coder, p *T) {
	if c.writing {
		c.b = binary.AppendVarint(c.b, int64(*p))
		return
	}
	n, size := binary.Varint(c.b)
	if size <= 0 || int64(T(n)) != n {
		c.fail(io.ErrUnexpectedEOF)
		return
	}
	c.b = c.b[size:]
	*p = T(n)
}

func boolean(c *coder, p *bool) {
	var n uint8
	if *p {
		n = 1
	}
	integer(c, &n)
	*p = n != 0
}
