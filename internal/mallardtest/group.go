package mallardtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// A Group is test programs that run one after the other in one JVM, or one that has a JVM of its own.
type Group struct {
	JDK      jvmtest.JDK
	Programs []jvmtest.Program
	Command  jvmtest.Command // runs them, without mallard
	Apart    bool            // it is one program, which could share a JVM, and does so in another group

	truth jvmtest.Command // what the oracles look at
	plain []jvmtest.Output
}

// A Turn says which of the programs that can share a JVM a test runs apart as well, in the short version: one in as
// many as there are tests of a kind, so that each program is apart in one of them. Its test counts from 0.
type Turn struct{ Test, Tests int }

// The tests of what mallard records take turns.
var (
	TurnOfCounts    = Turn{0, 3}
	TurnOfContexts  = Turn{1, 3}
	TurnOfBytecodes = Turn{2, 3}
)

// EachGroup runs a test with each group on each JDK: the programs that can share a JVM, together; each of these apart;
// and each of the others. Sizes has the number of values of each factor that the test has, and rows the values in which
// the group is to run: those that [jvmtest.Combinations] puts together with the JDK, and for the others with program
// and JDK. In the short version a program apart is on one JDK, in one row, if it is the test's turn. What the oracles
// say of a program that can share they say of the run together, apart too: so a test that compares both shows that
// sharing changes nothing.
func EachGroup(t *testing.T, turn Turn, sizes []int, test func(t *testing.T, g *Group, rows [][]int)) {
	jdks, programs := jvmtest.JDKs(t), jvmtest.Programs(t)
	ofAll := jvmtest.Combinations(append([]int{len(jdks)}, sizes...)...)
	ofEach := jvmtest.Combinations(append([]int{len(programs), len(jdks)}, sizes...)...)
	for i, jdk := range jdks {
		t.Run(jdk.String(), func(t *testing.T) {
			t.Parallel()
			sharing, together := jvmtest.Together(t, jdk)
			t.Run(together.Main, func(t *testing.T) {
				t.Parallel()
				all := &Group{JDK: jdk, Programs: sharing, Command: together, truth: together}
				for _, program := range sharing {
					all.plain = append(all.plain, jvmtest.RunPlain(t, jdk, program.Command(t, jdk)))
				}
				test(t, all, rowsOf(ofAll, i))
			})
			for n, program := range programs {
				rows, apart := rowsOf(ofEach, n, i), program.Shares()
				young := program.MinJDK > jdks[0].Feature
				if young || apart { // what an older JDK would have to run is for this one
					rows = rowsOf(ofAll, i)
				}
				if apart && !jvmtest.Long() {
					if n%turn.Tests != turn.Test || n%len(jdks) != i && !young {
						continue
					}
					rows = rows[n/len(jdks)%len(rows):][:1]
				}
				t.Run(program.Name, func(t *testing.T) {
					t.Parallel()
					command := program.Command(t, jdk)
					g := &Group{JDK: jdk, Programs: []jvmtest.Program{program}, Command: command, Apart: apart,
						truth: command, plain: []jvmtest.Output{jvmtest.RunPlain(t, jdk, command)}}
					if apart {
						g.truth = together
					}
					test(t, g, rows)
				})
			}
		})
	}
}

// rowsOf gives the rest of the rows that begin with some values.
func rowsOf(rows [][]int, values ...int) (rest [][]int) {
	for _, row := range rows {
		if n := len(values); slices.Equal(row[:n], values) {
			rest = append(rest, row[n:])
		}
	}
	return rest
}

// Oracle gives what the oracle saw of the programs. Of one that is killed, or does not do the same each time, it says
// nothing.
func (g *Group) Oracle(t *testing.T) *jvmtest.OracleResult {
	t.Helper()
	if len(g.Programs) == 1 && !isComparable(g.Programs[0]) {
		return nil
	}
	truth := jvmtest.RunOracle(t, g.JDK, g.truth)
	return &truth
}

// Bytecodes gives the bytecodes that the programs executed, as Oracle does.
func (g *Group) Bytecodes(t *testing.T) map[jvmtest.ExecutedMethod]int64 {
	t.Helper()
	if len(g.Programs) == 1 && !isComparable(g.Programs[0]) {
		return nil
	}
	_, steps := jvmtest.RunBytecodes(t, g.JDK, g.truth)
	return steps
}

func isComparable(program jvmtest.Program) bool { return program.Deterministic && !program.Killed() }

// RecordAsPlain is a subtest that runs the group under mallard, with options of the JVM: each program has to do what it
// does without. It calls check with what was recorded of all.
func (g *Group) RecordAsPlain(t *testing.T, flags, options []string, check func(t *testing.T, p *profile.Profile)) {
	t.Run(fmt.Sprint(flags, options), func(t *testing.T) {
		command := g.Command
		command.Options = options
		output, p := Record(t, g.JDK, command, flags...)
		shown := strings.Clone
		if slices.Contains(flags, AdaptSoon) {
			shown = withoutLines
		}
		g.CompareOutputs(t, output, shown)
		check(t, p)
	})
}

// CompareOutputs holds a run of the group against what each program does without mallard in a JVM of its own, as far as
// shown leaves standard errors.
func (g *Group) CompareOutputs(t *testing.T, output jvmtest.Output, shown func(stderr string) string) {
	t.Helper()
	outputs := map[string]jvmtest.Output{g.Programs[0].Name: output}
	if len(g.Programs) > 1 {
		outputs = jvmtest.Divide(output)
	}
	for i, program := range g.Programs {
		got, plain := outputs[program.Name], g.plain[i]
		got.Stderr, plain.Stderr = shown(got.Stderr), shown(plain.Stderr)
		CompareOutput(t, plain, got)
		if t.Failed() {
			t.Fatalf("that was %s", program.Name)
		}
	}
}

// Declares tells whether a class is one of the programs', as [jvmtest.Program.Declares] does for one.
func (g *Group) Declares(class string) bool {
	main, _, _ := strings.Cut(class, "$")
	i, found := slices.BinarySearchFunc(g.Programs, strings.TrimRight(main, "[]"),
		func(p jvmtest.Program, name string) int { return strings.Compare(p.Name, name) })
	return found && g.Programs[i].Declares(class)
}

// IsOwnFrame tells the frames that a program has apart from those that it has only where others run before it.
func IsOwnFrame(frame string) bool { return !strings.HasPrefix(frame, jvmtest.TogetherClass+".") }
