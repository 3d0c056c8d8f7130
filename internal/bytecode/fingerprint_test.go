package bytecode

import (
	"fmt"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
)

// TestFingerprint steps through code of a JDK as Fingerprint does, that of one class in five, in the long test of all,
// and compares with the decoder. Renumbered constants do not change a fingerprint, anything else does.
func TestFingerprint(t *testing.T) {
	err := corpus.JDKs()[0].EachOf(corpus.Sample(5), func(name string, b []byte) error {
		class, err := classfile.Parse(b)
		if err != nil {
			return err
		}
		return eachCode(class, func(_ *classfile.Member, a *classfile.Attribute) error {
			raw, code, err := decodeMethod(class, a)
			if err != nil {
				return err
			}
			pc := 0
			for i := range code.Insns {
				if code.PC(i) != pc {
					return fmt.Errorf("%s: instruction %d is at %d, not %d", name, i, code.PC(i), pc)
				}
				pc += length(raw.Bytecode, pc)
			}
			if pc != len(raw.Bytecode) {
				return fmt.Errorf("%s: the code ends at %d, not %d", name, len(raw.Bytecode), pc)
			}
			return nil
		})
	})
	if err != nil {
		t.Error(err)
	}
	code := []byte{byte(OpInvokestatic), 1, 2, byte(OpLdc), 3, byte(OpPop), byte(OpReturn)}
	same := []byte{byte(OpInvokestatic), 4, 5, byte(OpLdc), 6, byte(OpPop), byte(OpReturn)}
	other := []byte{byte(OpInvokestatic), 1, 2, byte(OpLdc), 3, byte(OpNop), byte(OpReturn)}
	if Fingerprint(code) != Fingerprint(same) || Fingerprint(code) == Fingerprint(other) {
		t.Error("fingerprints do not tell code apart as they should")
	}
	for n := range code { // truncated, and odd
		Fingerprint(code[:n])
		Fingerprint([]byte{byte(OpTableswitch), 0, 0, byte(n), 0xff})
	}
}
