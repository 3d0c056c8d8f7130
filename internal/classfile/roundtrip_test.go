package classfile

import (
	"bytes"
	"fmt"
	"testing"

	"mallard/internal/classfile/corpus"
)

// TestRoundTrip takes classes of every installed JDK and jar apart, down to
// single values, and puts them together from these values alone: one in five,
// in the long test every one.
func TestRoundTrip(t *testing.T) {
	for _, archive := range corpus.All(t) {
		t.Run(archive.Name, func(t *testing.T) {
			t.Parallel()
			classes, typed := 0, 0
			err := archive.EachOf(corpus.Sample(5), func(name string, b []byte) error {
				n, err := roundTrip(b)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				classes++
				typed += n
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d classes, %d attributes", classes, typed)
		})
	}
}

// roundTrip checks one class and returns how many attributes it has that are
// predefined.
func roundTrip(b []byte) (typed int, err error) {
	original := bytes.Clone(b)
	c, err := Parse(b)
	if err != nil {
		return 0, err
	}
	again, err := c.AppendTo(nil)
	if err != nil {
		return 0, err
	}
	if !bytes.Equal(again, original) {
		return 0, fmt.Errorf("re-encoding a class that was only parsed changed it")
	}
	var r rebuilder
	rebuilt, err := r.class(c)
	if err != nil {
		return 0, err
	}
	clear(b)
	again, err = rebuilt.AppendTo(nil)
	if err != nil {
		return 0, err
	}
	if !bytes.Equal(again, original) {
		return 0, fmt.Errorf("re-encoding a class that was decoded changed it")
	}
	return r.typed, nil
}

// A rebuilder makes a copy of a class out of decoded values.
type rebuilder struct {
	from  *Class
	typed int
}

func (r *rebuilder) class(from *Class) (*Class, error) {
	r.from = from
	to := &Class{
		Minor: from.Minor, Major: from.Major,
		AccessFlags: from.AccessFlags, ThisClass: from.ThisClass, SuperClass: from.SuperClass,
		Interfaces: from.Interfaces,
	}
	var err error
	if to.Pool, err = rebuildPool(from.Pool); err != nil {
		return nil, err
	}
	if to.Fields, err = r.members(from.Fields, InField); err != nil {
		return nil, err
	}
	if to.Methods, err = r.members(from.Methods, InMethod); err != nil {
		return nil, err
	}
	if to.Attributes, err = r.attributes(from.Attributes, InClass); err != nil {
		return nil, err
	}
	return to, nil
}

func rebuildPool(from *Pool) (*Pool, error) {
	to := NewPool()
	for i := 1; i < from.Len(); i = to.Len() {
		e, err := from.Entry(PoolIndex(i))
		if err != nil {
			return nil, err
		}
		at, err := to.Append(e)
		if err != nil {
			return nil, err
		}
		if int(at) != i || to.Offset(at) != from.Offset(at) {
			return nil, fmt.Errorf("constant %d became %d", i, at)
		}
	}
	return to, nil
}

func (r *rebuilder) members(from []Member, at Location) ([]Member, error) {
	to := make([]Member, len(from))
	for i, m := range from {
		attributes, err := r.attributes(m.Attributes, at)
		if err != nil {
			return nil, fmt.Errorf("member %d: %w", i, err)
		}
		to[i] = Member{m.AccessFlags, m.Name, m.Descriptor, attributes}
	}
	return to, nil
}

func (r *rebuilder) attributes(from []Attribute, at Location) ([]Attribute, error) {
	to := make([]Attribute, len(from))
	for i, a := range from {
		info, err := r.from.DecodeAttribute(a, at)
		if err != nil {
			return nil, err
		}
		switch x := info.(type) {
		case *Code:
			if x.Attributes, err = r.attributes(x.Attributes, InCode); err != nil {
				return nil, err
			}
		case *Record:
			for k := range x.Components {
				rc := &x.Components[k]
				if rc.Attributes, err = r.attributes(rc.Attributes, InRecordComponent); err != nil {
					return nil, err
				}
			}
		}
		if _, unknown := info.(*Unknown); !unknown {
			r.typed++
		}
		to[i].Name = a.Name
		if to[i].Info, err = AppendInfo(nil, info); err != nil {
			return nil, err
		}
	}
	return to, nil
}
