package adapt

import (
	"os"
	"path/filepath"
	"testing"

	"mallard/internal/instrument"
	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

const skewed = `
class Skewed {
    static int run(int n, int[] numbers) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (numbers[i] >= 0) {
                sum += new int[1].length;
            }
            if (numbers[i + 1] >= 0) {
                sum += new char[2].length;
            }
        }
        return sum;
    }

    static Object single(boolean b) {
        return b ? new Object() : null;
    }
}`

// compiled gives the class file of a source.
func compiled(t *testing.T) []byte {
	t.Helper()
	source := filepath.Join(t.TempDir(), "Skewed.java")
	if err := os.WriteFile(source, []byte(skewed), 0o600); err != nil {
		t.Fatal(err)
	}
	jdks, err := jvmtest.FindJDKs()
	if err != nil {
		t.Fatal(err)
	}
	class, err := os.ReadFile(filepath.Join(jdks[0].MustJavac(t, nil, source), "Skewed.class"))
	if err != nil {
		t.Fatal(err)
	}
	return class
}

// TestDecide: heuristics expect numbers that are compared with zero not to be negative, so both sites owe each other.
// Counters that say otherwise move; those that agree, that belong to other methods or that have counted little do
// not.
func TestDecide(t *testing.T) {
	class := &Class{Bytes: compiled(t), Strategy: placement.Optimal}
	var counters []instrument.Counter
	result, err := instrument.Rewrite(class.Bytes,
		instrument.Options{Placed: func(m *instrument.Method, pl *placement.Plan) {
			if m.Name == "run" {
				counters = m.Counters
				t.Log(pl)
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	class.Counters = result.Counters
	counted := func(often, seldom int64) func(uint32) int64 {
		return func(number uint32) int64 {
			for _, c := range counters {
				if c.Number != number || c.Kind != instrument.Path || len(c.Semantics) == 0 {
					continue
				}
				if len(c.Semantics) > 1 || c.Semantics[0].Site == 1 {
					return seldom // both, or the second alone
				}
				return often
			}
			return 0
		}
	}
	for _, test := range []struct {
		name          string
		often, seldom int64
		hot           int64
		methods       int
	}{
		{"misjudged", 1_000_000, 1000, Hot, 1},
		{"as expected", 1000, 1_000_000, Hot, 0},
		{"seldom run", 1000, 1, Hot, 0},
		{"hot sooner", 1000, 1, 10, 1},
		{"never run", 0, 0, Hot, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			class.Count = counted(test.often, test.seldom)
			d, err := class.Decide(test.hot, false)
			if err != nil || len(d.Methods) != test.methods || len(d.Frequencies) != test.methods {
				t.Fatalf("%v, %+v", err, d)
			}
			if test.methods > 0 && (d.Methods[0] != "run(I[I)I" || d.Expected > 0.1*float64(d.Executed)) {
				t.Errorf("%+v", d)
			}
		})
	}
	class.Counters++
	if _, err := class.Decide(Hot, false); err == nil {
		t.Error("a class with other counters is decided about")
	}
}
