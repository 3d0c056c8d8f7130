package classfile

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestPoolLookups(t *testing.T) {
	p := NewPool()
	must := func(i PoolIndex, err error) PoolIndex {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	show := func(v ...any) string { return strings.TrimSuffix(fmt.Sprintln(v...), "\n") }
	ref := must(p.AddMethodref("a/B", "m", "()V"))
	for _, row := range []struct {
		i    PoolIndex
		tag  Tag
		get  func(PoolIndex) string
		want string
	}{
		{must(p.AddUtf8("text")), TagUtf8, func(i PoolIndex) string { return show(p.Utf8(i)) }, "text <nil>"},
		{must(p.AddUtf8("")), TagUtf8, func(i PoolIndex) string { return show(p.Utf8(i)) }, " <nil>"},
		{must(p.AddInteger(math.MinInt32)), TagInteger, func(i PoolIndex) string { return show(p.Integer(i)) },
			"-2147483648 <nil>"},
		{must(p.AddFloat(-1.5)), TagFloat, func(i PoolIndex) string { return show(p.Float(i)) }, "-1.5 <nil>"},
		{must(p.AddLong(math.MinInt64)), TagLong, func(i PoolIndex) string { return show(p.Long(i)) },
			"-9223372036854775808 <nil>"},
		{must(p.AddDouble(-2.25)), TagDouble, func(i PoolIndex) string { return show(p.Double(i)) }, "-2.25 <nil>"},
		{must(p.AddClass("[[I")), TagClass, func(i PoolIndex) string { return show(p.ClassName(i)) }, "[[I <nil>"},
		{must(p.AddString("text")), TagString, func(i PoolIndex) string { return show(p.StringValue(i)) },
			"text <nil>"},
		{must(p.AddMethodType("()I")), TagMethodType, func(i PoolIndex) string { return show(p.MethodType(i)) },
			"()I <nil>"},
		{must(p.AddModule("a.b")), TagModule, func(i PoolIndex) string { return show(p.ModuleName(i)) }, "a.b <nil>"},
		{must(p.AddPackage("a/b")), TagPackage, func(i PoolIndex) string { return show(p.PackageName(i)) },
			"a/b <nil>"},
		{must(p.AddNameAndType("f", "J")), TagNameAndType, func(i PoolIndex) string { return show(p.NameAndType(i)) },
			"f J <nil>"},
		{must(p.AddFieldref("a/B", "f", "J")), TagFieldref, func(i PoolIndex) string { return show(p.Ref(i)) },
			"a/B f J <nil>"},
		{ref, TagMethodref, func(i PoolIndex) string { return show(p.Ref(i)) }, "a/B m ()V <nil>"},
		{must(p.AddInterfaceMethodref("a/I", "m", "()V")), TagInterfaceMethodref,
			func(i PoolIndex) string { return show(p.Ref(i)) }, "a/I m ()V <nil>"},
		{must(p.AddMethodHandle(RefInvokeVirtual, ref)), TagMethodHandle,
			func(i PoolIndex) string { return show(p.MethodHandle(i)) }, show(5, ref, nil)},
		{must(p.AddDynamic(7, "f", "J")), TagDynamic, func(i PoolIndex) string { return show(p.Dynamic(i)) },
			"7 f J <nil>"},
		{must(p.AddInvokeDynamic(8, "m", "()V")), TagInvokeDynamic,
			func(i PoolIndex) string { return show(p.Dynamic(i)) }, "8 m ()V <nil>"},
	} {
		if got := p.Tag(row.i); got != row.tag {
			t.Errorf("constant %d is %v, want %v", row.i, got, row.tag)
		}
		if got := row.get(row.i); got != row.want {
			t.Errorf("%v: %q, want %q", row.tag, got, row.want)
		}
		e, err := p.Entry(row.i)
		if err != nil {
			t.Error(err)
		}
		if i, err := p.Add(e); i != row.i || err != nil {
			t.Errorf("adding %v again: constant %d, error %v, want %d", e, i, err, row.i)
		}
		for _, wrong := range []PoolIndex{0, PoolIndex(p.Len()), math.MaxUint16, other(p, row.i)} {
			if got := row.get(wrong); strings.HasSuffix(got, "<nil>") {
				t.Errorf("%v of constant %d: %s", row.tag, wrong, got)
			}
		}
	}
}

// other returns a constant of another kind than i, which no lookup of i's kind
// accepts.
func other(p *Pool, i PoolIndex) PoolIndex {
	if p.Tag(i) == TagUtf8 {
		return PoolIndex(p.Len() - 1) // an InvokeDynamic
	}
	return 1 // a Utf8
}

func TestLookupErrors(t *testing.T) {
	p := NewPool()
	long, _ := p.AddLong(1)
	dangling, _ := p.Add(Entry{Tag: TagClass, A: 77})
	loop, _ := p.Add(Entry{Tag: TagClass, A: dangling})
	for _, row := range []struct {
		i    PoolIndex
		want string
	}{
		{0, "constant 0: no constant, want Class"},
		{long, "constant 1: Long, want Class"},
		{long + 1, "constant 2: no constant, want Class"},
		{99, "constant 99: outside the pool of 5, want Class"},
		{dangling, "constant 77: outside the pool of 5, want Utf8"},
		{loop, "constant 3: Class, want Utf8"},
	} {
		if _, err := p.ClassName(row.i); err == nil || err.Error() != "classfile: "+row.want {
			t.Errorf("ClassName(%d): %v, want %s", row.i, err, row.want)
		}
	}
	if _, _, _, err := p.Ref(long); err == nil ||
		!strings.Contains(err.Error(), "want Fieldref or Methodref or InterfaceMethodref") {
		t.Errorf("Ref: %v", err)
	}
	for _, e := range []Entry{{}, {Tag: 2}, {Tag: TagMethodHandle, A: 256},
		{Tag: TagUtf8, Utf8: strings.Repeat("x", 65536)}} {
		if i, err := p.Add(e); err == nil || i != 0 || p.Len() != 5 {
			t.Errorf("Add of %v: constant %d, error %v", e.Tag, i, err)
		}
	}
}

// The lowest of several equal constants is found; what Append adds never is.
func TestFindOrAppend(t *testing.T) {
	made := NewPool()
	for _, s := range []string{"x", "y", "x", "y"} {
		if _, err := made.Append(Entry{Tag: TagUtf8, Utf8: s}); err != nil {
			t.Fatal(err)
		}
	}
	b, err := (&Class{Major: MaxMajor, Pool: made}).AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	p := c.Pool
	mine, err := p.AppendInteger(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		want PoolIndex
		add  func() (PoolIndex, error)
	}{
		{2, func() (PoolIndex, error) { return p.AddUtf8("y") }},
		{1, func() (PoolIndex, error) { return p.AddUtf8("x") }},
		{mine + 1, func() (PoolIndex, error) { return p.AddInteger(0) }},
		{mine + 1, func() (PoolIndex, error) { return p.AddInteger(0) }},
		{mine + 2, func() (PoolIndex, error) { return p.AppendInteger(0) }},
		{mine + 3, func() (PoolIndex, error) { return p.AddFloat(0) }},
		{mine + 4, func() (PoolIndex, error) { return p.AddFloat(float32(math.Copysign(0, -1))) }},
		{mine + 5, func() (PoolIndex, error) { return p.AddLong(0) }},
		{mine + 7, func() (PoolIndex, error) { return p.AddUtf8("xy") }},
	} {
		if got, err := row.add(); got != row.want || err != nil {
			t.Errorf("constant %d, error %v, want %d", got, err, row.want)
		}
	}
}

func TestPoolFull(t *testing.T) {
	p := NewPool()
	for i := range MaxPoolCount - 2 {
		if got, err := p.AddInteger(int32(i)); int(got) != i+1 || err != nil {
			t.Fatalf("constant %d, error %v, want %d", got, err, i+1)
		}
	}
	if _, err := p.AddLong(1); !errors.Is(err, ErrPoolFull) {
		t.Errorf("a Long in the last index: %v", err)
	}
	last, err := p.AddInteger(-1)
	if last != MaxPoolCount-1 || err != nil {
		t.Errorf("constant %d, error %v", last, err)
	}
	if _, err := p.AddInteger(-2); !errors.Is(err, ErrPoolFull) {
		t.Errorf("one more: %v", err)
	}
	if _, err := p.AppendInteger(-1); !errors.Is(err, ErrPoolFull) {
		t.Errorf("one more: %v", err)
	}
	for i := range MaxPoolCount - 2 {
		if got, err := p.AddInteger(int32(i)); int(got) != i+1 || err != nil {
			t.Fatalf("found constant %d, error %v, want %d", got, err, i+1)
		}
	}
	b, err := (&Class{Major: MaxMajor, Pool: p}).AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Parse(b); err != nil || c.Pool.Len() != MaxPoolCount {
		t.Errorf("parsing it: %v", err)
	}
}
