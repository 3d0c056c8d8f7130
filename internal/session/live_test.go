package session

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"mallard/internal/classes"
	"mallard/internal/instrument"
	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

// TestStoppedInsideTheRuntimeClass has a frame at the call of a counter: before the update its φ is what it was, and
// when the callee has only to return it is that behind the call.
func TestStoppedInsideTheRuntimeClass(t *testing.T) {
	jdk := jvmtest.JDKs(t)[0]
	source := filepath.Join(t.TempDir(), "Two.java")
	if err := os.WriteFile(source, []byte("class Two { static void make() { Object a = new int[1]; Object b = new "+
		"int[2]; } }"), 0o600); err != nil {
		t.Fatal(err)
	}
	class, err := os.ReadFile(filepath.Join(jdk.MustJavac(t, nil, source), "Two.class"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := instrument.Rewrite(class, instrument.Options{Placement: placement.Optimal})
	if err != nil {
		t.Fatal(err)
	}
	const nop, ret = 0x00, 0xb1
	runtime := &liveMethod{runtime: []byte{nop, ret}}
	caller := &liveMethod{owned: &classes.Method{Method: &r.Methods[0], Site: 10}}
	call := -1 // the counter's call is where φ is not zero, and three bytes later it is
	for pc := range 64 {
		if len(r.Methods[0].Phi(pc)) == 2 && len(r.Methods[0].PhiAfterCall(pc)) == 0 {
			call = pc
		}
	}
	if call < 0 {
		t.Fatal("no counter of two sites")
	}
	for _, test := range []struct {
		stack []*liveMethod
		pcs   []int
		want  string
	}{
		{[]*liveMethod{caller}, []int{call}, "map[10:-1 11:-1]"},
		{[]*liveMethod{runtime, caller}, []int{0, call}, "map[10:-1 11:-1]"},
		{[]*liveMethod{runtime, caller}, []int{1, call}, "map[]"},
		{[]*liveMethod{runtime, runtime, caller}, []int{1, 0, call}, "map[]"},
		{[]*liveMethod{runtime, caller, caller}, []int{1, call, call}, "map[10:-1 11:-1]"},
		{[]*liveMethod{{}, runtime, caller}, []int{0, 1, call}, "map[10:-1 11:-1]"},
	} {
		stack := liveStack{innermost: true}
		for i, m := range test.stack {
			stack.push(m, test.pcs[i])
		}
		live, _ := stack.phi(nil, 0, 0)
		if got := fmt.Sprint(live); got != test.want {
			t.Errorf("pcs %d: φ is %s, want %s", test.pcs, got, test.want)
		}
	}
}
