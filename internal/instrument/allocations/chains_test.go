package allocations_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/jvmtest"
)

// chained is a class with a method for each way to use a builder. The name of a method says how many chains it has, and
// how many builders in none.
const chained = `
class Chained {
    String concat_1_0(String a, int b) { return a + b; }
    String constant_1_0(String a) { return "(" + a + ")"; }
    String choice_1_0(String a, boolean b) { return a + (b ? "x" : "y") + b; }
    String argument_1_0(String a, boolean b) { return new StringBuilder(b ? a : "n").append(a).toString(); }
    String ends_1_0(Object a) { return "" + switch (a.hashCode()) { case 1 -> "one"; case 2 -> "two"; default -> a; }; }
    String nested_2_0(String a, int b) { return a + new StringBuilder().append(b).toString() + a; }
    String nestedArgument_2_0(String a, int b) { return new StringBuilder(a + b).append(b).toString(); }
    String loop_1_0(String a) { for (int i = 0; i < 3; i++) { a += i; } return a; }
    String buffer_1_0(String a) { return new StringBuffer(a).append(1L).reverse().toString(); }
    String caught_1_0(String a) { try { return a + hashCode(); } catch (RuntimeException e) { return a; } }
    void dropped_1_0(String a) { new StringBuilder(a).append(a).toString(); }
    String local_1_0(String a) { StringBuilder b = new StringBuilder(); b = b.append(a); return b.toString(); }
    String either_1_0(String a, boolean c) {
        StringBuilder b = new StringBuilder(a);
        return c ? b.toString() : b.append(a).toString();
    }
    String left_1_0(String a) {
        StringBuilder b = new StringBuilder(a);
        if (a.isEmpty()) {
            return a;
        }
        return b.append(a).toString();
    }
    String reused_1_2(String a) {
        String s;
        { StringBuilder b = new StringBuilder(a); s = b.append(a).toString(); }
        { StringBuilder b = new StringBuilder(s); b.append(s); s = b.toString(); }
        { int b = 1; long c = 2; s += b + c; }
        return s;
    }

    String popped_0_1(String a) { StringBuilder b = new StringBuilder(); b.append(a); return b.toString(); }
    String twice_1_1(String a) { StringBuilder b = new StringBuilder(a); a = b.toString(); return a + b.toString(); }
    String kept_0_1(String a) { StringBuilder b, c; b = c = new StringBuilder(a); return b.append(a).toString(); }
    String given_0_1(String a, StringBuilder b) {
        if (a.isEmpty()) {
            b = new StringBuilder(a);
        }
        return b.append(a).toString();
    }
    String handled_0_1(String a) {
        StringBuilder b = new StringBuilder(a);
        try {
            return b.append(hashCode()).toString();
        } catch (RuntimeException e) {
            return b.toString();
        }
    }
    String again_0_1(String a) {
        StringBuilder b = new StringBuilder(a);
        for (int i = 0; i < 3; i++) {
            b = b.append(i);
            a = b.toString();
        }
        return a;
    }
    String asParameter_0_1(String a) { StringBuilder b = new StringBuilder(a); return b.append(b).toString(); }
    StringBuilder returned_0_1(String a) { return new StringBuilder().append(a); }
    String asObject_0_1(String a) { Object b = new StringBuilder(a); return b.toString(); }
    String valueOf_0_1(String a) { return String.valueOf(new StringBuilder(a)); }
    int length_0_1(String a) { return new StringBuilder(a).append(a).length(); }
    String substring_0_1(String a) { return new StringBuilder(a).append(a).substring(1); }
    String either_0_2(String a, boolean b) {
        return (b ? new StringBuilder(a) : new StringBuilder()).append(1).toString();
    }
    String both_1_1(String a, StringBuilder[] b) {
        b[0] = new StringBuilder(a);
        return a + b[0].append("x").toString();
    }
    int unused_0_1() { new StringBuilder(); return 1; }
    String given_0_0(StringBuilder b) { return b.append("x").toString(); }
}
`

// TestFindChains looks for chains in what javac makes of many ways to use builders.
func TestFindChains(t *testing.T) {
	source := filepath.Join(t.TempDir(), "Chained.java")
	if err := os.WriteFile(source, []byte(chained), 0o600); err != nil {
		t.Fatal(err)
	}
	classes := jvmtest.JDKs(t)[0].MustJavac(t, []string{"-XDstringConcat=inline"}, source)
	file, err := os.ReadFile(filepath.Join(classes, "Chained.class"))
	if err != nil {
		t.Fatal(err)
	}
	class, err := classfile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range class.Methods {
		name, err := class.Pool.Utf8(m.Name)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := classfile.DecodeCode(class.Pool.FindAttribute(m.Attributes, classfile.AttrCode).Info)
		if err != nil {
			t.Fatal(err)
		}
		code, err := bytecode.Decode(raw, class.Pool)
		if err != nil {
			t.Fatal(err)
		}
		checkChains(t, name, code, class.Pool)
	}
}

func checkChains(t *testing.T, name string, code *bytecode.Code, pool *classfile.Pool) {
	t.Helper()
	words := strings.Split(name, "_")
	if len(words) != 3 {
		return // the constructor
	}
	chains := allocations.FindChains(code, pool)
	builders := 0
	for _, in := range code.Insns {
		if in.Op == bytecode.OpNew {
			if made, err := pool.ClassName(in.Pool()); err == nil && allocations.IsBuilder(made) {
				builders++
			}
		}
	}
	if want := int(words[1][0] - '0'); len(chains) != want {
		t.Errorf("%s: %d chains, want %d", name, len(chains), want)
	}
	if want := int(words[2][0] - '0'); builders-len(chains) != want {
		t.Errorf("%s: %d builders in no chain, want %d", name, builders-len(chains), want)
	}
	for _, chain := range chains {
		if chain.New < 0 || len(chain.Ends) == 0 {
			t.Errorf("%s: %+v", name, chain)
		}
		for _, end := range chain.Ends {
			if code.Insns[end].Op != bytecode.OpInvokevirtual {
				t.Errorf("%s: instruction %d ends a chain", name, end)
			}
		}
	}
}
