package instrument

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
	"mallard/internal/instrument/emit"
	"mallard/internal/jvmtest"
)

// FuzzRewrite: whatever the bytes, there is an error or a class that can be read, and what its methods owe is true of
// every instruction.
func FuzzRewrite(f *testing.F) {
	jdk := jvmtest.JDKs(f)[0]
	classes := jdk.MustJavac(f, []string{"--release", "11"}, filepath.Join("testdata", "Positions.java"))
	b, err := os.ReadFile(filepath.Join(classes, "Positions.class"))
	if err != nil {
		f.Fatal(err)
	}
	for v := range variants {
		f.Add(b, uint8(v))
	}
	f.Fuzz(func(t *testing.T, class []byte, v uint8) {
		options := variants[int(v)%len(variants)]
		result, err := Rewrite(class, options)
		if err != nil {
			if result != nil {
				t.Error("a result and an error")
			}
			return
		}
		if result.Bytes == nil {
			return
		}
		if _, err := classfile.Parse(result.Bytes); err != nil {
			t.Fatal(err)
		}
		if _, err := executeClass(class, options, 5); err != nil {
			t.Fatal(err)
		}
		if err := checkContexts(class, options); err != nil {
			t.Fatal(err)
		}
	})
}

// TestNothingToDo: classes without code, and the runtime class itself, stay as they are.
func TestNothingToDo(t *testing.T) {
	modules := 0
	for _, archive := range corpus.JDKs() {
		err := archive.Each(func(name string, b []byte) error {
			if !strings.HasSuffix(name, "module-info.class") {
				return nil
			}
			modules++
			r, err := Rewrite(b, Options{})
			if err == nil && (r.Bytes != nil || r.Name != "module-info" || r.Counters != 0) {
				t.Errorf("%s: %+v", name, r)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if modules == 0 {
		t.Error("no module")
	}
	for _, name := range emit.RuntimeNames {
		b := newClassBuilder(t, name, 61)
		b.garbageMethod("count", 1)
		if r := skips(t, b.bytes(), strategies[0]); r.Bytes != nil {
			t.Errorf("%s counts itself", name)
		}
	}
}
