package objects_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// stressed is a program that uses its heap hard, what it prints last, how little room it has, and the first JDK that
// can run it.
type stressed struct {
	program string
	args    []string
	prints  string
	heap    string
	since   int
}

var stresses = []stressed{
	{"Tagged", []string{"4200"}, ", 0 hashes have changed\n", "-Xmx40m", 17},
	{"Born", []string{"4", "2"}, "\n", "-Xmx64m", 17},
	{"HeapEnds", []string{"collected all the time"}, "\n", "-Xmx70m", 17},
	{"Forged", []string{"100", "4000"}, ", 0 have changed\n", "-Xmx120m", 17},
	{"Unloads", []string{"6000", "64"}, "\n", "-Xmx64m", 17},
	{"Chunks", []string{"300", "4"}, "\n", "-Xmx96m", 21},
}

// stressedWith are other options of agents that read the heap, besides tracks.
var stressedWith = []string{
	"track=objects,each-object",
	"track=objects,references=1s",
	"track=replicas,replicas-pause=0",
	"track=replicas+contexts,replicas-pause=0,deep=3,show-values",
	"track=replicas,replicas=both,sampling-pause=0",
}

// TestStress has HotSpot verify its heap before and after each collection, and runs an agent with the sanitizers, in
// turns of programs, collectors and what is tracked that are drawn, as long as MALLARD_STRESS says: 10m.
func TestStress(t *testing.T) {
	duration := 5 * time.Second
	if text := os.Getenv("MALLARD_STRESS"); text != "" {
		var err error
		if duration, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	agent, environment := mallardtest.SanitizedAgent(t)
	jdks := jvmtest.JDKs(t)
	seed := uint64(time.Now().UnixNano())
	draw := rand.New(rand.NewPCG(seed, 0))
	runs := 0
	for start := time.Now(); time.Since(start) < duration; runs++ {
		jdk := jdks[draw.IntN(len(jdks))]
		known := slices.DeleteFunc(slices.Clone(stresses), func(s stressed) bool { return jdk.Feature < s.since })
		s := known[draw.IntN(len(known))]
		collector := collectors[draw.IntN(len(collectors))]
		options := heaps[collector][draw.IntN(len(heaps[collector]))]
		track := stressedWith[draw.IntN(len(stressedWith))]
		if draw.IntN(2) == 0 {
			words := strings.Fields(tracks[draw.IntN(len(tracks))])
			track = "track=" + strings.ReplaceAll(words[0], ",", "+")
			if len(words) > 1 {
				track += ",contexts=" + words[2]
			}
		}
		command := mallardtest.Compiled(t, jdk, s.program)
		file := filepath.Join(t.TempDir(), "run.mallard")
		command.Options = append(append([]string{}, options...), s.heap, "-XX:+Use"+collector+"GC",
			"-XX:+UnlockDiagnosticVMOptions", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC", "-XX:+VerifyDuringGC",
			"-agentpath:"+agent+"="+track+",quiet,file="+file)
		command.Args, command.Env, command.Stdin = s.args, environment, "\n"
		output := jdk.MustRun(t, command)
		what := strings.Join([]string{jdk.Home, s.program, collector, strings.Join(options, " "), track}, ", ")
		if output.ExitCode != 0 || !strings.HasSuffix(output.Stdout, s.prints) {
			t.Fatalf("%s: exit code %d\n%.2000s%.5000s", what, output.ExitCode, output.Stdout, output.Stderr)
		}
		mallardtest.WaitUntil(t, file, func() bool { return mallardtest.Read(t, file).Ended() })
		events := profile.Events{heap.Observer: nil}
		if p := mallardtest.Read(t, file, events); !p.Complete {
			t.Errorf("%s: incomplete: %s", what, p.Reason)
		}
		for _, v := range heap.NewHistory(events[heap.Observer]).Check(jdk.Feature).Violations {
			t.Errorf("%s: pause %d: %s", what, v.Pause, v.What)
		}
	}
	t.Logf("%d runs, drawn with seed %d", runs, seed)
}
