package compat_test

import (
	"path/filepath"
	"slices"
	"strings"
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
	saw := map[string]string{"breakpoints": "breakpoints 1,", "fields": "writes 22,", "samples": "samples 1,",
		"suspend": "stopped 1,", "early": "classes 1\n", "all": "breakpoints 1,"} // of what happens to Monitors
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library, err := jdk.Agent(mallardtest.Source(t, "agents", "solitary.c"))
		if err != nil {
			t.Fatal(err)
		}
		for _, program := range jvmtest.Programs(t) {
			var all []string
			switch program.Name {
			case "Monitors": // has fields
				all = []string{"breakpoints", "fields", "samples", "suspend", "early", "all"}
			case "ExitMidPath": // has live frames
				all = []string{"suspend", "all"}
			}
			for _, takes := range all {
				command := program.Command(t, jdk)
				truth := jvmtest.RunOracle(t, jdk, command)
				other := "-agentpath:" + library + "=" + takes + ":" + command.Main
				command.Options = []string{other}
				plain := jvmtest.RunPlain(t, jdk, command)
				if program.Name == "Monitors" && !strings.Contains(plain.Stdout, saw[takes]) {
					t.Fatalf("with %s alone the agent sees nothing: %s", takes, plain.Stdout)
				}
				for i, order := range []string{"before ours", "behind ours"} {
					for k, track := range []string{"sites+gc", "contexts"} {
						if i != k && !jvmtest.Long() {
							continue
						}
						t.Run(program.Name+" "+takes+" "+order+" "+track, func(t *testing.T) {
							t.Parallel()
							file := filepath.Join(t.TempDir(), "run.mallard")
							command := command
							command.Options = []string{other, "-agentpath:" + mallardtest.Library(t) +
								"=quiet,track=" + track + ",file=" + file}
							if order == "behind ours" {
								slices.Reverse(command.Options)
							}
							mallardtest.CompareOutput(t, plain, jdk.MustRun(t, command))
							p := mallardtest.Read(t, file)
							diff := cmp.Diff(mallardtest.OracleSites(program, truth),
								mallardtest.RecordedSites(program, p, truth))
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
