package classfile

import (
	"fmt"
	"reflect"
)

// CheckIndexes reports an index past the end of a pool of limit constants, or
// an attribute in which no one can tell where indexes are, in all that the JVM
// and core reflection read of a class. Bytecode is handed to code.
//
// Whoever adds constants must not make such an index valid: then the JVM would
// take a class that it refuses.
func (c *Class) CheckIndexes(limit int, code func(bytecode []byte) error) error {
	if err := newIndexCheck(c.Pool, limit, code).class(c); err != nil {
		return fmt.Errorf("classfile: %w", err)
	}
	return nil
}

// An indexCheck looks for indexes that are not below limit.
type indexCheck struct {
	check
	pool  *Pool
	names [8]namedDefinition // what was found for the last names
}

// namedDefinition is the definition that a name stands for.
type namedDefinition struct {
	name PoolIndex // 0 for none
	definition
}

// define gives the definition that a name stands for, an empty one for none.
func (x *indexCheck) define(name PoolIndex) *definition {
	n := &x.names[int(name)%len(x.names)]
	if n.name != name || name == 0 {
		s, _ := x.pool.Utf8(name) // that it is none, the JVM will say
		n.name, n.definition = name, definitions[s]
		if s == AttrLineNumberTable || s == AttrSourceDebugExtension {
			n.definition = definition{}
		}
	}
	return &n.definition
}

func newIndexCheck(p *Pool, limit int, code func(bytecode []byte) error) *indexCheck {
	x := &indexCheck{check: check{limit: limit, code: code}, pool: p}
	x.check.attribute = x.attribute
	return x
}

func (x *indexCheck) class(c *Class) error {
	for i := PoolIndex(1); int(i) < x.limit; i++ {
		if err := x.constant(i); err != nil {
			return err
		}
	}
	if err := x.indexes(c.ThisClass, c.SuperClass); err != nil {
		return err
	}
	if err := x.indexes(c.Interfaces...); err != nil {
		return err
	}
	if err := x.members(c.Fields, InField); err != nil {
		return err
	}
	if err := x.members(c.Methods, InMethod); err != nil {
		return err
	}
	return x.attributes(c.Attributes, InClass)
}

func (x *indexCheck) indexes(list ...PoolIndex) error {
	for _, i := range list {
		if int(i) >= x.limit {
			return fmt.Errorf("constant %d is outside the pool of %d", i, x.limit)
		}
	}
	return nil
}

// constant checks what a constant refers to.
func (x *indexCheck) constant(i PoolIndex) error {
	e := x.pool.entry(i)
	if e == nil {
		return nil
	}
	switch Tag(e[0]) {
	case TagUtf8, TagInteger, TagFloat, TagLong, TagDouble:
		return nil
	case TagMethodHandle:
		return x.indexes(index(e[2:]))
	case TagDynamic, TagInvokeDynamic: // the other operand is an index of another table
		return x.indexes(index(e[3:]))
	case TagFieldref, TagMethodref, TagInterfaceMethodref, TagNameAndType:
		return x.indexes(index(e[1:]), index(e[3:]))
	}
	return x.indexes(index(e[1:]))
}

func (x *indexCheck) members(list []Member, at Location) error {
	for i := range list {
		m := &list[i]
		if err := x.indexes(m.Name, m.Descriptor); err != nil {
			return err
		}
		if err := x.attributes(m.Attributes, at); err != nil {
			return err
		}
	}
	return nil
}

func (x *indexCheck) attributes(list []Attribute, at Location) error {
	for _, a := range list {
		if err := x.indexes(a.Name); err != nil {
			return err
		}
		if err := x.attribute(a, at); err != nil {
			return err
		}
	}
	return nil
}

// attribute checks the contents of an attribute whose name is in the pool. It
// does so in all versions of class files: JVMs read some attributes in older
// ones, too. Of those without indexes nothing is asked, nor of the type
// annotations of code, which nobody reads and compilers have got wrong.
func (x *indexCheck) attribute(a Attribute, at Location) error {
	d := x.define(a.Name)
	if d.in&at == 0 || at == InCode && d.in&InClass != 0 {
		return nil
	}
	c := codec{in: a.Info, check: &x.check}
	info := d.blank()
	if info.layout(&c); c.err == nil && len(c.in) > 0 {
		c.failf("%d bytes follow the attribute", len(c.in))
	}
	if c.err != nil {
		return fmt.Errorf("%s: %w", reflect.TypeOf(info).Elem().Name(), c.err)
	}
	return nil
}
