package contexts_test

import (
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/profile/stacktest"
)

// TestContextsAreTrue runs every test program with contexts and compares what its own code allocates with the oracle,
// stack by stack: classes, methods, lines and order of all callers, objects and bytes. The oracle takes the JVM's stack
// at each allocation, in another run. The tree runs compiled only.
func TestContextsAreTrue(t *testing.T) {
	runs := []struct{ representation, options string }{{"hashed", "-Xint"}, {"hashed", ""}, {"encoded", ""}, {"tree",
		""}}
	sizes := []int{len(runs)}
	mallardtest.EachGroup(t, mallardtest.TurnOfContexts, sizes, func(t *testing.T, g *mallardtest.Group, rows [][]int) {
		truth := g.Oracle(t)
		for _, row := range rows {
			run := runs[row[0]]
			g.RecordAsPlain(t, []string{"--track", "contexts", "--contexts", run.representation},
				strings.Fields(run.options),
				func(t *testing.T, p *profile.Profile) {
					stacktest.CheckCallers(t, p)
					if truth != nil {
						compareStacks(t, g, truth, p)
					}
				})
		}
	})
}

// compareStacks compares what the programs' own methods make by allocation bytecodes, and the exceptions that the JVM
// makes because of their bytecodes. Which thread does what in a pool, and from where it helps others, is chance.
func compareStacks(t *testing.T, g *mallardtest.Group, truth *jvmtest.OracleResult, p *profile.Profile) {
	for _, compared := range []struct {
		what string
		site func(jvmtest.Site) bool
		made func(jvmtest.Stack) bool
	}{{"allocations", jvmtest.Site.Allocates, nil}, {"exceptions", jvmtest.Site.Thrown, jvmtest.Stack.Thrown}} {
		type allocation struct {
			mallardtest.CodeLocation
			class string
		}
		allocated := map[allocation]bool{}
		for site := range truth.Sites {
			if site.Called == "" && compared.site(site) {
				allocated[allocation{mallardtest.CodeLocation{Class: site.Declaring,
					Method: site.Method + site.Descriptor,
					BCI:    site.BCI}, site.Class}] = true
			}
		}
		result := stacktest.Compare(&truth.Stacks, p, stacktest.Options{
			Takes: func(trace []string) bool {
				class := stacktest.ClassOf(trace[0])
				return g.Declares(class) && !jvmtest.Program{Name: "Pools"}.Declares(class)
			},
			Keeps: mallardtest.IsOwnFrame,
			Allocates: func(site *profile.Site) bool {
				return allocated[allocation{mallardtest.CodeLocation{Class: site.Class,
					Method: site.Method + site.Descriptor,
					BCI:    int(site.BCI)}, site.Type}]
			},
			Made:   compared.made,
			Larger: mallardtest.Larger,
		})
		for _, difference := range result.Differences {
			t.Errorf("%s: %s", compared.what, difference)
		}
		if n := result.Left[stacktest.Unknown]; n != 0 && compared.what == "exceptions" {
			t.Errorf("the callers of what threw %d exceptions are unknown", n)
		}
	}
}

// TestContextsOfOneRun compares the stacks of programs, those of the JDK's methods below theirs included, with the
// oracle's in the same run: of all programs in the long version, otherwise of those that have a bit of everything and
// many threads.
func TestContextsOfOneRun(t *testing.T) {
	some := []string{"Pools", "VirtualThreads", "BlockedThreads", "NestedExceptions", "Lambdas"}
	programs := slices.DeleteFunc(jvmtest.Programs(t), func(p jvmtest.Program) bool {
		return p.Killed() || !jvmtest.Long() && !slices.Contains(some, p.Name)
	})
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, program := range programs {
			for k, representation := range []string{"hashed", "encoded", "tree"} {
				// each program and each representation is on each JDK
				if !jvmtest.IsTurn(t, jdk, i+k) && program.MinJDK <= jvmtest.JDKs(t)[0].Feature {
					continue
				}
				t.Run(program.Name+" "+representation, func(t *testing.T) {
					stacktest.Run(t, jdk, program.Command(t, jdk), []string{"--contexts", representation},
						func(trace []string) bool {
							return slices.ContainsFunc(trace, func(frame string) bool {
								return program.Declares(stacktest.ClassOf(frame))
							})
						})
				})
			}
		}
	})
}
