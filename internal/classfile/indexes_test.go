package classfile

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// poolIndexes gives the indexes in a decoded attribute.
func poolIndexes(v reflect.Value) (found []reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[PoolIndex]():
		return []reflect.Value{v}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		return poolIndexes(v.Elem())
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			found = append(found, poolIndexes(v.Field(i))...)
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		for i := range v.Len() {
			found = append(found, poolIndexes(v.Index(i))...)
		}
	}
	return found
}

// TestIndexesOfAttributes puts an index past the end of the pool into each place of each attribute that has one.
func TestIndexesOfAttributes(t *testing.T) {
	const limit = 0x8000
	indexes := 0
	for _, row := range attributeForms {
		if d, ok := definitions[row.name]; !ok || d.in&row.at == 0 || row.name == AttrLineNumberTable ||
			row.at == InCode && d.in&InClass != 0 {
			continue
		}
		info, err := definitions[row.name].decode(unhex(t, row.bytes))
		if err != nil {
			continue
		}
		c := &Class{Major: MaxMajor, Pool: NewPool()}
		name, err := c.Pool.AddUtf8(row.name)
		if err != nil {
			t.Fatal(err)
		}
		check := func() error {
			b, err := AppendInfo(nil, info)
			if err != nil {
				t.Fatal(err)
			}
			list := []Attribute{{name, b}}
			switch c.Fields, c.Methods, c.Attributes = nil, nil, nil; row.at {
			case InClass:
				c.Attributes = list
			case InField:
				c.Fields = []Member{{Attributes: list}}
			case InMethod:
				c.Methods = []Member{{Attributes: list}}
			default:
				return newIndexCheck(c.Pool, limit, nil).attributes(list, row.at)
			}
			return c.CheckIndexes(limit, func([]byte) error { return nil })
		}
		if err := check(); err != nil {
			t.Errorf("%s %s: %v", row.name, row.bytes, err)
		}
		for _, i := range poolIndexes(reflect.ValueOf(info)) {
			if i.IsZero() {
				continue // none, or a field that this form does not have
			}
			indexes++
			before := i.Uint()
			i.SetUint(limit)
			if err := check(); err == nil || !strings.Contains(err.Error(), "outside the pool") {
				t.Errorf("%s %s with %v past the end: %v", row.name, row.bytes, before, err)
			}
			i.SetUint(before)
		}
	}
	if indexes < 50 {
		t.Errorf("only %d indexes", indexes)
	}
}

// TestIndexesOfClasses does the same with constants, the class itself and its members, and hands out the code.
func TestIndexesOfClasses(t *testing.T) {
	fresh := func() *Class {
		c, err := Parse(sampleBytes(t))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const limit = 0x8000 // some indexes in the sample are nobody's
	code := 0
	count := func([]byte) error { code++; return nil }
	if err := fresh().CheckIndexes(limit, count); err != nil || code == 0 {
		t.Errorf("%v, %d bodies", err, code)
	}
	wrong := errors.New("wrong")
	if err := fresh().CheckIndexes(limit, func([]byte) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("an error of code became %v", err)
	}
	const past PoolIndex = limit
	for name, change := range map[string]func(c *Class){
		"this":       func(c *Class) { c.ThisClass = past },
		"super":      func(c *Class) { c.SuperClass = past },
		"interface":  func(c *Class) { c.Interfaces = append(c.Interfaces, past) },
		"name":       func(c *Class) { c.Methods[0].Name = past },
		"descriptor": func(c *Class) { c.Methods[0].Descriptor = past },
		"attribute":  func(c *Class) { c.Attributes = append(c.Attributes, Attribute{Name: past}) },
	} {
		c := fresh()
		change(c)
		if err := c.CheckIndexes(limit, count); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, e := range []Entry{
		{Tag: TagClass, A: past}, {Tag: TagString, A: past}, {Tag: TagMethodType, A: past}, {Tag: TagModule, A: past},
		{Tag: TagPackage, A: past}, {Tag: TagFieldref, A: past}, {Tag: TagMethodref, B: past},
		{Tag: TagInterfaceMethodref, A: past}, {Tag: TagNameAndType, B: past}, {Tag: TagMethodHandle, A: 1, B: past},
		{Tag: TagDynamic, B: past}, {Tag: TagInvokeDynamic, B: past},
	} {
		c := &Class{Pool: NewPool()}
		if _, err := c.Pool.Append(e); err != nil {
			t.Fatal(err)
		}
		if err := c.CheckIndexes(limit, nil); err == nil {
			t.Errorf("%v: no error", e)
		}
	}
}
