package classfile

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzParse: whatever the bytes, Parse fails with nil or yields a class that
// encodes to the same bytes, and nothing that can be asked of it panics.
func FuzzParse(f *testing.F) {
	f.Add(sampleBytes(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Parse(b)
		if err != nil {
			if c != nil {
				t.Error("a class beside an error")
			}
			return
		}
		again, err := c.AppendTo(nil)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("encoded again, error %v:\n%x, want\n%x", err, again, b)
		}
		askPool(t, c.Pool)
		c.Name()
		c.SuperName()
		askAttributes(t, c, c.Attributes, InClass)
		for _, m := range c.Fields {
			askAttributes(t, c, m.Attributes, InField)
		}
		for _, m := range c.Methods {
			askAttributes(t, c, m.Attributes, InMethod)
		}
		addConstants(t, c)
	})
}

// askPool calls all lookups with all indexes, and with some outside the pool.
func askPool(t *testing.T, p *Pool) {
	for n := range p.Len() + 2 {
		i := PoolIndex(n)
		if e, err := p.Entry(i); (err == nil) != (p.Tag(i) != 0) || (err == nil) != (p.Offset(i) != 0) {
			t.Errorf("constant %d: %v, error %v, tag %v, offset %d", i, e, err, p.Tag(i), p.Offset(i))
		}
		if s, err := p.Utf8(i); err == nil {
			askText(t, s)
		}
		p.ClassName(i)
		p.StringValue(i)
		p.MethodType(i)
		p.ModuleName(i)
		p.PackageName(i)
		p.NameAndType(i)
		p.Ref(i)
		p.Dynamic(i)
		p.MethodHandle(i)
		p.Integer(i)
		p.Float(i)
		p.Long(i)
		p.Double(i)
	}
}

// askText calls everything that takes text out of a pool.
func askText(t *testing.T, s string) {
	JavaName(s)
	CheckFieldDescriptor(s)
	SplitMethodDescriptor(s)
	shown := Display(s)
	if !utf8.ValidString(shown) {
		t.Errorf("%q is shown as %q", s, shown)
	}
	if text, err := DecodeModifiedUTF8(s); err == nil && text != shown {
		t.Errorf("%q is %q and is shown as %q", s, text, shown)
	}
}

// askAttributes decodes each attribute and encodes it again.
func askAttributes(t *testing.T, c *Class, list []Attribute, at Location) {
	for _, a := range list {
		info, err := c.DecodeAttribute(a, at)
		if err != nil {
			if info != nil {
				t.Errorf("%T beside an error", info)
			}
			continue
		}
		again, err := AppendInfo(nil, info)
		if err != nil || !bytes.Equal(again, a.Info) {
			t.Fatalf("%T encoded again, error %v:\n%x, want\n%x", info, err, again, a.Info)
		}
		switch x := info.(type) {
		case *Code:
			askAttributes(t, c, x.Attributes, InCode)
		case *Record:
			for _, r := range x.Components {
				askAttributes(t, c, r.Attributes, InRecordComponent)
			}
		case *StackMapTable:
			x.PCs()
		}
	}
}

// addConstants adds constants and expects them where it was told they are.
func addConstants(t *testing.T, c *Class) {
	ref, err := c.Pool.AddMethodref("a/B", "m", "()V")
	if err != nil {
		return // full
	}
	own, err := c.Pool.AppendInteger(-2)
	if err != nil {
		return
	}
	b, err := c.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if class, name, descriptor, err := again.Pool.Ref(ref); class != "a/B" || name != "m" || descriptor != "()V" {
		t.Errorf("constant %d is %s.%s%s, error %v", ref, class, name, descriptor, err)
	}
	if v, err := again.Pool.Integer(own); v != -2 || err != nil || again.Pool.Offset(own) != c.Pool.Offset(own) {
		t.Errorf("constant %d is %d, error %v", own, v, err)
	}
}

// FuzzAttribute decodes the same bytes as every predefined attribute.
func FuzzAttribute(f *testing.F) {
	for _, row := range attributeForms {
		f.Add(unhex(f, row.bytes))
	}
	names := slices.Sorted(maps.Keys(definitions))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &Class{Major: MaxMajor, Pool: NewPool()}
		for _, name := range names {
			i, err := c.Pool.AddUtf8(name)
			if err != nil {
				t.Fatal(err)
			}
			askAttributes(t, c, []Attribute{{i, b}}, definitions[name].in)
		}
	})
}

// FuzzModifiedUTF8: every Go string comes back from modified UTF-8.
func FuzzModifiedUTF8(f *testing.F) {
	f.Add("java/lang/String")
	f.Add("\x00ä€😀\U0010FFFF")
	f.Add("\xED\xA0\x80\xC0\x80\x80")
	f.Fuzz(func(t *testing.T, s string) {
		askText(t, s)
		if !utf8.ValidString(s) {
			return
		}
		if got, err := DecodeModifiedUTF8(EncodeModifiedUTF8(s)); got != s || err != nil {
			t.Errorf("%q became %q, error %v", s, got, err)
		}
	})
}
