package instrument

import (
	"errors"
	"fmt"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// prepare finds out what the method's own handlers cover, and where a constructor's `this` is uninitialised.
func (c *corrections) prepare() error {
	code := c.plan.code
	boundary := make([]bool, len(code.Insns)+1)
	boundaries := 1
	for _, h := range code.Handlers {
		boundary[h.Start], boundary[h.End] = true, true
		boundaries += 2
	}
	if boundaries*len(code.Handlers) > maxCovered {
		return &catchError{fmt.Errorf("%d handlers", len(code.Handlers))}
	}
	c.covering = make([]int32, len(code.Insns))
	for i := range code.Insns {
		if i == 0 || boundary[i] {
			var list []int32
			for k, h := range code.Handlers {
				if int(h.Start) <= i && i < int(h.End) {
					list = append(list, int32(k))
				}
			}
			c.lists = append(c.lists, list)
		}
		c.covering[i] = int32(len(c.lists) - 1)
	}
	if c.body.name != "<init>" || code.Version < framesVersion {
		return nil
	}
	entry, err := c.body.entryLocals(func(string) (classfile.PoolIndex, error) { return 0, nil })
	if err != nil {
		return err
	}
	if c.this, err = code.UninitializedThis(entry, c.pool); err != nil {
		return &catchError{err}
	}
	return nil
}

// framesVersion is the first major version of class files with frames.
const framesVersion = 50

// frame gives the locals of a catcher's frame.
func (c *corrections) frame(key catcherKey) ([]bytecode.VerificationType, error) {
	uninitializedThis := bytecode.VerificationType{Tag: bytecode.UninitializedThis}
	handlers := c.lists[key.covering]
	if c.plan.code.Version < framesVersion {
		return nil, nil
	}
	if len(handlers) == 0 {
		if key.uninitialized {
			return []bytecode.VerificationType{uninitializedThis}, nil
		}
		return nil, nil
	}
	if c.locals == nil {
		entry, err := c.body.entryLocals(c.plan.emit.ClassConstant)
		if err != nil {
			return nil, err
		}
		c.locals = c.plan.code.NewHandlerLocals(entry, c.pool)
	}
	locals, err := c.locals.Common(handlers)
	if err == nil && key.uninitialized != (len(locals) > 0 && locals[0] == uninitializedThis) {
		err = errors.New("a handler covers code before and after this is initialised")
	}
	if err != nil {
		return nil, &catchError{err}
	}
	return locals, nil
}

// entryLocals gives the types of the locals at the entry of the method (JVMS 4.10.1.6). class gives the constant for
// a class.
func (b *body) entryLocals(class func(name string) (classfile.PoolIndex, error)) ([]bytecode.VerificationType, error) {
	var locals []bytecode.VerificationType
	object := func(name string) error {
		i, err := class(name)
		locals = append(locals, bytecode.VerificationType{Tag: bytecode.Object, Arg: int32(i)})
		return err
	}
	const static = 0x0008 // JVMS table 4.6-A
	switch {
	case b.name == "<init>":
		locals = append(locals, bytecode.VerificationType{Tag: bytecode.UninitializedThis})
	case b.flags&static == 0:
		locals = append(locals, bytecode.VerificationType{Tag: bytecode.Object, Arg: int32(b.rewriter.class.ThisClass)})
	}
	parameters, _, err := classfile.SplitMethodDescriptor(b.descriptor)
	if err != nil {
		return nil, err
	}
	for _, p := range parameters {
		switch p[0] {
		case 'L':
			err = object(p[1 : len(p)-1])
		case '[':
			err = object(p)
		case 'F':
			locals = append(locals, bytecode.VerificationType{Tag: bytecode.Float})
		case 'J':
			locals = append(locals, bytecode.VerificationType{Tag: bytecode.Long})
		case 'D':
			locals = append(locals, bytecode.VerificationType{Tag: bytecode.Double})
		default:
			locals = append(locals, bytecode.VerificationType{Tag: bytecode.Integer})
		}
		if err != nil {
			return nil, err
		}
	}
	return locals, nil
}
