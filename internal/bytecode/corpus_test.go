package bytecode

import (
	"bytes"
	"fmt"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
)

// eachCode calls visit with every Code attribute of a class. Changes that visit
// makes to *code are not kept.
func eachCode(class *classfile.Class, visit func(m *classfile.Member, a *classfile.Attribute) error) error {
	for i := range class.Methods {
		m := &class.Methods[i]
		a := class.Pool.FindAttribute(m.Attributes, classfile.AttrCode)
		if a == nil {
			continue
		}
		if err := visit(m, a); err != nil {
			name, _ := class.Pool.Utf8(m.Name)
			descriptor, _ := class.Pool.Utf8(m.Descriptor)
			return fmt.Errorf("method %s%s: %w", name, descriptor, err)
		}
	}
	return nil
}

// decodeMethod decodes the Code attribute of a class as the instrumenter does.
func decodeMethod(class *classfile.Class, a *classfile.Attribute) (*classfile.Code, *Code, error) {
	raw, err := classfile.DecodeCode(a.Info)
	if err != nil {
		return nil, nil, err
	}
	code, err := Decode(raw, class.Pool)
	if err != nil {
		return nil, nil, err
	}
	code.Version = class.Major
	return raw, code, nil
}

// TestRoundTrip decodes bodies of every installed JDK and jar, destroys the
// bytes that were decoded, and encodes the same bytes from labels: those of one
// class in five, in the long test of every one.
func TestRoundTrip(t *testing.T) {
	for _, archive := range corpus.All(t) {
		t.Run(archive.Name, func(t *testing.T) {
			t.Parallel()
			var found features
			err := archive.EachOf(corpus.Sample(5), func(name string, b []byte) error {
				class, err := classfile.Parse(b)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				if err := eachCode(class, func(_ *classfile.Member, a *classfile.Attribute) error {
					return roundTrip(class, a, &found)
				}); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", found)
		})
	}
}

// features counts what the corpus exercises.
type features struct {
	Bodies, Instructions, Switches, Handlers, Frames, Subroutines, Wide, Annotations, Stray, NotMaxStack int
}

func roundTrip(class *classfile.Class, a *classfile.Attribute, found *features) error {
	original := bytes.Clone(a.Info)
	raw, code, err := decodeMethod(class, a)
	if err != nil {
		return err
	}
	clear(raw.Bytecode)
	clear(raw.Handlers)
	for i, attribute := range code.Attributes {
		if attribute.Kind != Opaque && attribute.Kind != TypeAnnotations {
			clear(raw.Attributes[i].Info)
		}
	}
	encoded, err := code.Encode()
	if err != nil {
		return err
	}
	again, err := encoded.AppendTo(nil)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, original) {
		return fmt.Errorf("encoding gave\n%x, not\n%x", again, original)
	}
	if err := code.Check(class.Pool); err != nil {
		return err
	}
	return found.add(class, code)
}

func (f *features) add(class *classfile.Class, code *Code) error {
	f.Bodies++
	f.Instructions += len(code.Insns)
	f.Switches += len(code.Switches)
	f.Handlers += len(code.Handlers)
	f.Frames += len(code.Frames)
	f.Annotations += len(code.Annotations)
	for _, in := range code.Insns {
		if in.Wide {
			f.Wide++
		}
		if in.Op.IsSubroutineCall() {
			f.Subroutines++
		}
	}
	for _, l := range code.Lines {
		if l.Start < 0 {
			f.Stray++
		}
	}
	for _, v := range code.Variables {
		if v.Start < 0 || v.End < 0 {
			f.Stray++
		}
	}
	depths, err := code.StackDepths(class.Pool)
	if err != nil {
		return err
	}
	deepest := int32(0)
	for i, d := range depths {
		if d == Unreachable {
			continue
		}
		pops, pushes, err := code.Insns[i].StackEffect(class.Pool)
		if err != nil {
			return err
		}
		deepest = max(deepest, d, d-int32(pops)+int32(pushes))
	}
	if deepest != int32(code.MaxStack) {
		f.NotMaxStack++
	}
	return nil
}
