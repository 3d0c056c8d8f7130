package instrument

import (
	"slices"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
	"mallard/internal/payload"
)

// TestRuntimeForms looks which runtime classes ask whether the thread is in a transaction: none until one enters the
// first, then those that the agent has the JVM exchange.
func TestRuntimeForms(t *testing.T) {
	classes, err := payload.Runtime()
	if err != nil {
		t.Fatal(err)
	}
	for entered, want := range map[bool][]string{false: nil, true: {emit.RuntimeName, emit.ObjectsName,
		emit.ReflectionName, emit.ReplacedName, emit.TagsName, emit.TransactionsName, emit.TreeName, emit.VMName}} {
		var asking []string
		for name := range classes {
			class, err := RuntimeClass(classes, name, Facts{Feature: 25, Entered: entered})
			if err != nil {
				t.Fatal(err)
			}
			c, err := classfile.Parse(class)
			if err != nil {
				t.Fatal(err)
			}
			for i := classfile.PoolIndex(1); int(i) < c.Pool.Len(); i++ {
				if c.Pool.Tag(i) != classfile.TagNameAndType {
					continue
				}
				if called, _, err := c.Pool.NameAndType(i); err == nil && called == "counted" {
					asking = append(asking, name)
				}
			}
		}
		if slices.Sort(asking); !slices.Equal(asking, want) {
			t.Errorf("entered %v: %v ask, want %v", entered, asking, want)
		}
	}
}
