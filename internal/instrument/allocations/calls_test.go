package allocations

import (
	"testing"

	"mallard/internal/classfile"
)

// TestMentioned: a constant pool is looked through for every method of the tables.
func TestMentioned(t *testing.T) {
	mentions := func(names ...string) bool {
		pool := classfile.NewPool()
		for _, name := range names {
			if _, err := pool.Append(classfile.Entry{Tag: classfile.TagUtf8, Utf8: name}); err != nil {
				t.Fatal(err)
			}
		}
		return mentionsCalls(pool)
	}
	for m := range methods {
		if !mentions(m.class, m.name) {
			t.Errorf("classes that call %s.%s are not looked at", m.class, m.name)
		}
	}
	for m := range bootstraps {
		if !mentions(m.class, m.name) {
			t.Errorf("classes linked by %s.%s are not looked at", m.class, m.name)
		}
	}
	if mentions("java/lang/Object", "hashCode") {
		t.Error("a class is looked at that calls none")
	}
}
