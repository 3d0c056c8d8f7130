package portable_test

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/placement"
	"mallard/internal/portable"
	"mallard/internal/profile"
	"mallard/internal/profile/stacktest"
)

// TestPortableContextsAreTrue has every test program record itself with contexts and compares with the oracle's stacks,
// of which only the program's own frames count.
func TestPortableContextsAreTrue(t *testing.T) {
	mallardtest.EachGroup(t, mallardtest.Turn{Tests: 1}, nil, func(t *testing.T, g *mallardtest.Group, _ [][]int) {
		truth, p := g.Oracle(t), recordAgentless(t, g, portable.Options{Placement: placement.Site, Contexts: true})
		if truth == nil || p == nil {
			return
		}
		own := classesOf(t, g.Command.Classpath[0])
		maps.DeleteFunc(own, func(class string, _ bool) bool {
			// see TestContextsAreTrue
			return class == jvmtest.TogetherClass || jvmtest.Program{Name: "Pools"}.Declares(class)
		})
		compareOwnStacks(t, own, *truth, p)
	})
}

// compareOwnStacks compares what a program's classes make by allocation bytecodes.
func compareOwnStacks(t *testing.T, own map[string]bool, truth jvmtest.OracleResult, p *profile.Profile) {
	t.Helper()
	stacktest.CheckCallers(t, p)
	keeps := func(frame string) bool { return own[stacktest.ClassOf(frame)] }
	result := stacktest.Compare(&truth.Stacks, p, stacktest.Options{
		Takes:  func(trace []string) bool { return keeps(trace[0]) },
		Keeps:  keeps,
		Larger: slices.Concat(hiddenFields, mallardtest.Larger),
	})
	for _, difference := range result.Differences {
		t.Error(difference)
	}
	t.Logf("%d stacks, %d objects", result.Stacks, result.Objects)
}

// classesOf lists the classes in a folder.
func classesOf(t *testing.T, folder string) map[string]bool {
	t.Helper()
	classes := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		name, err2 := filepath.Rel(folder, path)
		if name, ok := strings.CutSuffix(filepath.ToSlash(name), ".class"); ok && err2 == nil {
			classes[strings.ReplaceAll(name, "/", ".")] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return classes
}
