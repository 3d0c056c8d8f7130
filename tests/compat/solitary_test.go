package compat_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestSolitaryCapabilities has an agent beside ours, before it and behind it, that takes and uses the capabilities of
// JVMTI that HotSpot gives to one agent only, or all that there are: it sees what it sees without us, and counts are
// the oracle's.
func TestSolitaryCapabilities(t *testing.T) {
	t.Parallel()
	programs := []string{"ExitMidPath"}
	if jvmtest.Long() {
		programs = append(programs, "DaemonAtExit", "NestedExceptions", "VirtualThreads", "Finally", "Loading")
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library, err := jdk.Agent(mallardtest.Source(t, "agents", "solitary.c"))
		if err != nil {
			t.Fatal(err)
		}
		for _, program := range jvmtest.Programs(t) {
			if !slices.Contains(programs, program.Name) || jdk.Feature < program.MinJDK {
				continue
			}
			command := program.Command(t, jdk)
			truth := jvmtest.RunOracle(t, jdk, command)
			want := mallardtest.OracleSites(program, truth)
			for _, takes := range []string{"breakpoints", "fields", "samples", "suspend", "early", "all"} {
				other := "-agentpath:" + library + "=" + takes + ":" + command.Main
				command := command
				command.Options = []string{other}
				plain := jvmtest.RunPlain(t, jdk, command)
				for _, order := range []string{"before ours", "behind ours"} {
					for _, track := range []string{"sites+gc", "contexts"} {
						t.Run(program.Name+" "+takes+" "+order+" "+track, func(t *testing.T) {
							t.Parallel()
							file := filepath.Join(t.TempDir(), "run.mallard")
							command := command
							command.Options = []string{other, "-agentpath:" + mallardtest.Library(t) + "=quiet,track=" +
								track + ",file=" + file}
							if order == "behind ours" {
								slices.Reverse(command.Options)
							}
							mallardtest.CompareOutput(t, plain, jdk.MustRun(t, command))
							p := mallardtest.Read(t, file)
							diff := cmp.Diff(want, mallardtest.RecordedSites(program, p, truth))
							if diff != "" || len(p.Losses) > 0 || !p.Complete {
								t.Errorf("complete %v, losses %v, sites (-oracle +mallard):\n%s", p.Complete, p.Losses,
									diff)
							}
						})
					}
				}
			}
		}
	})
}
