package instrument

import (
	"errors"
	"fmt"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// maxCovered bounds the product of handlers and boundaries of their ranges.
const maxCovered = 1 << 20

// catchFrames knows where the catchers of a method may be, and the frames they have there.
type catchFrames struct {
	plan     *plan
	body     *body
	covering []int32 // by instruction: index in lists; nil before the first use
	lists    [][]int32
	this     []bool // by instruction of a constructor: `this` is uninitialised; nil elsewhere

	handlers *bytecode.HandlerLocals // nil before the first use
}

// A catchScope is what a catcher has to know of where its instructions are: an index in lists, and whether `this` is
// uninitialised.
type catchScope struct {
	covering      int32
	uninitialized bool
}

// scopeOf says where an instruction is.
func (f *catchFrames) scopeOf(i int) (catchScope, error) {
	if f.covering == nil {
		if err := f.prepare(); err != nil {
			return catchScope{}, err
		}
	}
	return catchScope{f.covering[i], f.this != nil && f.this[i]}, nil
}

// prepare finds out what the method's own handlers cover, and where a constructor's `this` is uninitialised.
func (f *catchFrames) prepare() error {
	code := f.plan.code
	boundary := make([]bool, len(code.Insns)+1)
	boundaries := 1
	for _, h := range code.Handlers {
		boundary[h.Start], boundary[h.End] = true, true
		boundaries += 2
	}
	if boundaries*len(code.Handlers) > maxCovered {
		return &catchError{fmt.Errorf("%d handlers", len(code.Handlers))}
	}
	f.covering = make([]int32, len(code.Insns))
	for i := range code.Insns {
		if i == 0 || boundary[i] {
			var list []int32
			for k, h := range code.Handlers {
				if int(h.Start) <= i && i < int(h.End) {
					list = append(list, int32(k))
				}
			}
			f.lists = append(f.lists, list)
		}
		f.covering[i] = int32(len(f.lists) - 1)
	}
	if f.body.name != "<init>" || code.Version < framesVersion {
		return nil
	}
	entry, err := f.body.entryLocals(func(string) (classfile.PoolIndex, error) { return 0, nil })
	if err != nil {
		return err
	}
	if f.this, err = code.UninitializedThis(entry, f.body.rewriter.class.Pool); err != nil {
		return &catchError{err}
	}
	return nil
}

// alike reports whether the instructions from start on have the handlers and the `this` of instruction i.
func (f *catchFrames) alike(start, i int) bool {
	for ; start < i; start++ {
		if f.covering[start] != f.covering[i] || f.this != nil && f.this[start] != f.this[i] {
			return false
		}
	}
	return true
}

// locals gives the locals of a catcher's frame.
func (f *catchFrames) locals(scope catchScope) ([]bytecode.VerificationType, error) {
	uninitializedThis := bytecode.VerificationType{Tag: bytecode.UninitializedThis}
	handlers := f.lists[scope.covering]
	if f.plan.code.Version < framesVersion {
		return nil, nil
	}
	if len(handlers) == 0 {
		if scope.uninitialized {
			return []bytecode.VerificationType{uninitializedThis}, nil
		}
		return nil, nil
	}
	if f.handlers == nil {
		entry, err := f.body.entryLocals(f.plan.emit.ClassConstant)
		if err != nil {
			return nil, err
		}
		f.handlers = f.plan.code.NewHandlerLocals(entry, f.body.rewriter.class.Pool)
	}
	locals, err := f.handlers.Common(handlers)
	if err == nil && scope.uninitialized != (len(locals) > 0 && locals[0] == uninitializedThis) {
		err = errors.New("a handler covers code before and after this is initialised")
	}
	if err != nil {
		return nil, &catchError{err}
	}
	return locals, nil
}
