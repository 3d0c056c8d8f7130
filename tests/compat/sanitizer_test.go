package compat_test

import (
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// sanitizedRuns are programs with their arguments, and what the agent is told to record of them.
var sanitizedRuns = []struct {
	options string
	words   []string
	asks    bool // it prints what Mallard tells it
}{
	{"track=sites", []string{"Steps"}, false},
	{"track=sites", []string{"Threads", "turns", "200"}, false},
	{"track=sites", []string{"Threads", "together", "100"}, false},
	{"track=sites", []string{"Endings", "deep"}, false},
	{"track=sites", []string{"ExitRace"}, false},
	{"track=sites", []string{"Attach", "attach.c"}, false},
	{"track=sites,jni", []string{"Natives", "natives.c"}, false},
	{"track=sites,bytecodes", []string{"Endings", "deep"}, false},
	{"track=sites,snapshots=1ms", []string{"Threads", "together", "100"}, false},
	{"snapshots=100000bc,on-snapshot=Stepped", []string{"Stepped"}, true},
	{"track=contexts,contexts=hashed,jni", []string{"Natives", "natives.c"}, false},
	{"track=contexts,contexts=hashed,bytecodes", []string{"Threads", "together", "100"}, false},
	{"track=contexts,contexts=hashed", []string{"Again", "200"}, false},
	{"track=contexts,contexts=hashed", []string{"Loaders", "400", "1"}, false},
	{"track=objects", []string{"Born", "3", "2"}, false},
	{"track=objects,references=end", []string{"Alive", "1000", "50000"}, false},
	{"track=contexts+constructors,contexts=tree", []string{"ExitRace"}, false},
	{"track=contexts,contexts=hashed", []string{"Transacts", "4", "return"}, true},
	{"track=contexts,contexts=tree", []string{"Transacts", "4", "halt"}, true},
	{"track=contexts,contexts=encoded", []string{"Transacts", "4", "return"}, true},
}

// TestSanitizers runs programs with an agent compiled with the address and undefined-behaviour sanitizers, under every
// observer and option that has code in it.
func TestSanitizers(t *testing.T) {
	t.Parallel()
	agent, preload := mallardtest.SanitizedAgent(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, run := range sanitizedRuns {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(strings.ReplaceAll(run.options, ",", " ")+" "+run.words[0], func(t *testing.T) {
				compile := mallardtest.CompiledWithAPI
				if run.asks {
					compile = mallardtest.Keeper
				}
				command := compile(t, jdk, run.words[0])
				for _, word := range run.words[1:] {
					if strings.HasSuffix(word, ".c") {
						library, err := jdk.Agent(mallardtest.Source(t, word))
						if err != nil {
							t.Fatal(err)
						}
						word = library
					}
					command.Args = append(command.Args, word)
				}
				command.Options = []string{"-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"}
				plain := jvmtest.RunPlain(t, jdk, command)
				file := filepath.Join(t.TempDir(), "run.mallard")
				command.Options = append(command.Options, "-agentpath:"+agent+"="+run.options+",quiet,file="+file)
				command.Env = preload
				output := jdk.MustRun(t, command)
				if run.asks {
					output.Stdout = plain.Stdout
				}
				if output.ExitCode != plain.ExitCode || output.Stdout != plain.Stdout || output.Stderr != plain.Stderr {
					t.Errorf("exit code %d, prints\n%.1000s%.5000s", output.ExitCode, output.Stdout, output.Stderr)
				}
				if p := mallardtest.Read(t, file); !p.Complete {
					t.Errorf("not complete: %s", p.Reason)
				}
			})
		}
	})
}
