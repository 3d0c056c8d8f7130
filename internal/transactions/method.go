package transactions

import (
	"slices"
	"strings"

	"mallard/internal/classfile"
	"mallard/internal/instrument"
)

// A method is one of a class file.
type method struct {
	class            *classfile.Class
	member           *classfile.Member
	owner            string // the class, in internal form
	name, descriptor string
}

// describe gives the names of a method; false where the class file is damaged.
func describe(c *classfile.Class, m *classfile.Member) (*method, bool) {
	owner, err := c.Name()
	if err != nil {
		return nil, false
	}
	name, err := c.Pool.Utf8(m.Name)
	if err != nil {
		return nil, false
	}
	descriptor, err := c.Pool.Utf8(m.Descriptor)
	return &method{c, m, owner, name, descriptor}, err == nil
}

func (m *method) title() string { return strings.ReplaceAll(m.owner, "/", ".") + "." + m.name }

// shortTitle is without the package.
func (m *method) shortTitle() string {
	return m.owner[strings.LastIndexByte(m.owner, '/')+1:] + "." + m.name
}

// byArgument names transactions by an argument; nil where there is no such argument, or its value is no name.
func (m *method) byArgument(argument int, calls []string) *instrument.Naming {
	parameters, _, err := classfile.SplitMethodDescriptor(m.descriptor)
	if err != nil || argument > len(parameters) {
		return nil
	}
	b := &instrument.Naming{Type: parameters[argument-1], Calls: slices.Clone(calls)}
	const static = classfile.AccStatic
	if m.member.AccessFlags&static == 0 {
		b.Slot++
	}
	for _, p := range parameters[:argument-1] {
		b.Slot++
		if p == "J" || p == "D" {
			b.Slot++
		}
	}
	switch b.Type[0] {
	case 'F', 'D':
		return nil
	case 'L', '[':
		return b
	}
	if len(calls) > 0 {
		return nil
	}
	return b
}
