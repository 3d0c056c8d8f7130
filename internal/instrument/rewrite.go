package instrument

import (
	"fmt"
	"sync"

	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// Rewrite instruments a class. Where nothing has to change, Result.Bytes is nil. The result keeps nothing of class.
// An error means that the class as a whole cannot be read or written; what concerns one method is in Result.Skipped.
func Rewrite(class []byte, o Options) (*Result, error) {
	c, err := classfile.Parse(class)
	if err != nil {
		return nil, err
	}
	w, err := newRewriter(c, o)
	if err != nil {
		return nil, err
	}
	if w.code.IsRuntime(w.result.Name) {
		return w.result, nil
	}
	w.result.Unshown = o.Tags && o.Contexts == NoContexts && isUnshown(c, w.result.Name)
	infos := scratch.Get().(*[]byte)
	w.infos = (*infos)[:0]
	defer func() {
		*infos = w.infos
		scratch.Put(infos)
	}()
	fields := w.addedFields()
	changed := len(fields) > 0
	if changed {
		if err := w.check(); err != nil {
			return nil, err
		}
		if err := addFields(c, fields); err != nil {
			return nil, err
		}
	}
	for i := range c.Methods {
		touched, err := w.method(&c.Methods[i])
		if err != nil {
			return nil, err
		}
		changed = changed || touched
	}
	if !changed {
		return w.result, nil
	}
	if w.result.Bytes, err = c.AppendTo(make([]byte, 0, len(class)+len(class)/4+256)); err != nil {
		return nil, err
	}
	w.result.Counters, w.result.Contexts = w.code.Counters(), w.code.Contexts()
	if o.Tags {
		w.result.Counters = max(w.result.Counters, w.sites)
	}
	p := &w.result.patches
	p.Counters, p.Methods, p.Calls = w.code.Patches()
	return w.result, nil
}

// scratch has memory for rewriter.infos that is used again.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// addedFields are those that the runtime classes read of an object of the class.
func (w *rewriter) addedFields() []emit.Field {
	switch {
	case w.options.Attached:
		return nil
	case w.result.Name == emit.ThreadClass:
		return w.traits.ThreadFields
	case w.result.Name == emit.ClassClass && w.traits.Hooks:
		return emit.ClassFields
	case w.result.Name == emit.MemberClass && w.traits.Hooks:
		return emit.MemberFields
	case w.result.Name == emit.StringClass && w.options.marksStrings():
		return emit.StringFields
	case w.result.Name == emit.ContinuationClass && w.traits.Hooks:
		return emit.ContinuationFields
	}
	return nil
}

// addFields gives a class fields. Only one that is being defined for the first time can get some.
func addFields(c *classfile.Class, fields []emit.Field) error {
	const transient, synthetic = 0x0080, 0x1000
	for _, f := range fields {
		if err := c.AddField(transient|synthetic, f.Name, f.Descriptor); err != nil {
			return err
		}
	}
	return nil
}

// method instruments one method; false if it stays as it was.
func (w *rewriter) method(m *classfile.Member) (bool, error) {
	attribute := w.class.Pool.FindAttribute(m.Attributes, classfile.AttrCode)
	if attribute == nil || w.options.Uncounted {
		return false, nil
	}
	name, err := w.class.Pool.Utf8(m.Name)
	if err != nil {
		return false, err
	}
	descriptor, err := w.class.Pool.Utf8(m.Descriptor)
	if err != nil {
		return false, err
	}
	raw, err := classfile.DecodeCode(attribute.Info)
	if err != nil {
		return false, fmt.Errorf("method %s%s: %w", name, descriptor, err)
	}
	contexts := w.wantsContext(m)
	invokes := w.options.Contexts != NoContexts && (mayInvoke(raw.Bytecode) || w.traits.InitializersEnter &&
		name == "<clinit>")
	naming := w.naming(m)
	if !w.mayChange(m.AccessFlags, name, descriptor, raw.Bytecode) && !(contexts && invokes) && naming == nil {
		if !invokes {
			w.addLeaf(m, name, descriptor)
		}
		return false, nil
	}
	if err := w.check(); err != nil {
		return false, err
	}
	hook, last := w.hooks(m.AccessFlags, name, descriptor)
	bytecodes := w.wantsBytecodes(name, raw.Bytecode)
	b := &body{rewriter: w, name: name, descriptor: descriptor, flags: m.AccessFlags, hook: hook, last: last, raw: raw,
		contexts: contexts, bytecodes: bytecodes, naming: naming}
	instrument := b.instrument
	if contexts {
		b.hidden, b.carries, instrument = w.isHidden(m), w.carries(m), b.instrumentInContexts
	}
	info, method, err := instrument()
	if err != nil {
		w.result.Skipped = append(w.result.Skipped, Skipped{name + descriptor, err.Error()})
		return false, nil
	}
	if info == nil {
		if contexts || !invokes {
			w.addLeaf(m, name, descriptor)
		}
		return false, nil
	}
	attribute.Info = info
	if b.isUncounted() && method.Context == nil { // it only tells what it reads
		if contexts || !invokes {
			w.addLeaf(m, name, descriptor)
		}
		return true, nil
	}
	w.result.Methods = append(w.result.Methods, *method)
	w.sites += uint32(len(method.Sites))
	return true, nil
}
