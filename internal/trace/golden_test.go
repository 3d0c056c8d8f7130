package trace

import (
	"os"
	"testing"
)

// TestOlderVersions reads recordings as earlier versions of the format have them. The files are never written again:
// what they hold stands beside them as text.
func TestOlderVersions(t *testing.T) {
	for _, name := range []string{"v1"} {
		file, err := os.ReadFile("testdata/" + name + ".mallard")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		records, damage := decode(t, file)
		if got := textOf(records); string(got) != string(text) || len(damage) > 0 {
			t.Errorf("%s: damage %v, text:\n%s", name, damage, got)
		}
	}
}
