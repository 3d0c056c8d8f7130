package portable_test

import (
	"io/fs"
	"path/filepath"
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
	mallardtest.EachProgram(t, func(t *testing.T, jdk jvmtest.JDK, program jvmtest.Program, command jvmtest.Command,
		plain jvmtest.Output) {
		p := recordAlone(t, jdk, program, command, plain, portable.Options{Placement: placement.Site, Contexts: true})
		if p == nil || !program.Deterministic || program.Name == "Pools" { // see TestContextsAreTrue
			return
		}
		checkAnnotations(t, program, p)
		compareOwnStacks(t, classesOf(t, command.Classpath[0]), jvmtest.RunOracle(t, jdk, command), p)
	})
}

// compareOwnStacks compares what a program's classes make by allocation bytecodes.
func compareOwnStacks(t *testing.T, own map[string]bool, truth jvmtest.OracleResult, p *profile.Profile) {
	t.Helper()
	keeps := func(frame string) bool { return own[stacktest.ClassOf(frame)] }
	result := stacktest.Compare(&truth.Stacks, p, stacktest.Options{
		Takes: func(trace []string) bool { return keeps(trace[0]) },
		Keeps: keeps,
		// which have fields that reflection hides
		Larger: append([]string{"UnloadedClasses$OwnLoader", "Loading$Own"}, mallardtest.Larger...),
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
