package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

func TestQuantile(t *testing.T) {
	values := []int{1, 2, 3, 4}
	for q, want := range map[float64]int{0: 1, 0.25: 1, 0.5: 2, 0.51: 3, 0.99: 4, 1: 4} {
		if got := quantile(values, q); got != want {
			t.Errorf("quantile %v is %d, want %d", q, got, want)
		}
	}
	if got := spread([]float64{3, 1, 2}); got != (Spread{2, 1, 3}) {
		t.Errorf("spread: %v", got)
	}
	if got := geometricMean([]float64{2, 8}); math.Abs(got-4) > 1e-9 {
		t.Errorf("geometric mean: %v", got)
	}
}

func TestCollections(t *testing.T) {
	log := filepath.Join(t.TempDir(), "gc")
	lines := []string{
		"[1000ms] Using G1",
		"[1100ms] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 50M->5M(1024M) 3.077ms",
		"[2100ms] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 105M->7M(1024M) 3.077ms",
		"[2200ms] GC(2) Pause Remark 7M->6M(1024M) 1.077ms",
		"[4100ms] GC(3) Pause Young (Allocation Failure) 206M->7M(1024M) 3.077ms",
	}
	if err := os.WriteFile(log, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := readCollections(log)
	if err != nil || len(list) != 4 {
		t.Fatalf("%v, error %v", list, err)
	}
	for _, test := range []struct {
		from, to           int64
		megabytes, seconds float64
	}{{0, 5000, 300, 3}, {2000, 5000, 200, 2}, {1000, 1200, 0, 0}, {5000, 6000, 0, 0}} {
		if megabytes, seconds := allocated(list, test.from, test.to); megabytes != test.megabytes ||
			seconds != test.seconds {
			t.Errorf("%+v: %v MB in %v s", test, megabytes, seconds)
		}
	}
}

func TestSelect(t *testing.T) {
	if all, err := selectWorkloads(""); err != nil || len(all) < 12 {
		t.Errorf("%d workloads, error %v", len(all), err)
	}
	if some, err := selectWorkloads("h2,fop"); err != nil || len(some) != 2 || some[1].Name != "fop" {
		t.Errorf("%v, error %v", some, err)
	}
	if some, err := selectCollectors("serial,g1"); err != nil || !slices.Equal(some, []string{"Serial", "G1"}) {
		t.Errorf("%v, error %v", some, err)
	}
	if some, err := selectVariants("jfr"); err != nil || len(some) != 2 || some[0].name != plain {
		t.Errorf("%v, error %v", some, err)
	}
	if all, err := selectVariants(""); err != nil ||
		slices.ContainsFunc(all, func(v variant) bool { return v.asked }) ||
		!slices.ContainsFunc(all, func(v variant) bool { return v.name == mallardContexts }) {
		t.Errorf("%v, error %v", all, err)
	}
	installed := []jvmtest.JDK{{Feature: 17}, {Feature: 25}}
	if some, err := selectJDKs(installed, "25,17"); err != nil || len(some) != 2 || some[0].Feature != 25 {
		t.Errorf("%v, error %v", some, err)
	}
	if some, err := selectJDKs(installed, ""); err != nil || len(some) != 1 || some[0].Feature != 17 {
		t.Errorf("%v, error %v", some, err)
	}
	_, workload := selectWorkloads("quake")
	_, collector := selectCollectors("Z")
	_, variant := selectVariants("hprof")
	_, jdk := selectJDKs(installed, "21")
	if workload == nil || collector == nil || variant == nil || jdk == nil {
		t.Errorf("an unknown name is no error: %v, %v, %v, %v", workload, collector, variant, jdk)
	}
}

func TestReadCounters(t *testing.T) {
	rows, err := readCounters("0.5\tloop\tnone\n0.1\tloop\tarray\n1.5\tloop\tnone\n0.3\tcall\tarray\n")
	want := []CounterCandidate{
		{Pattern: "loop", Candidate: "none", Nanos: Spread{1, 0.5, 1.5}},
		{Pattern: "loop", Candidate: "array", Nanos: Spread{0.1, 0.1, 0.1}},
		{Pattern: "call", Candidate: "array", Nanos: Spread{0.3, 0.3, 0.3}},
	}
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("%v, error %v", rows, err)
	}
}

// TestManyClasses runs a small one of the generated programs, through the agent that sends each class around.
func TestManyClasses(t *testing.T) {
	echo, err := listenEcho(filepath.Join(t.TempDir(), "echo"))
	if err != nil {
		t.Fatal(err)
	}
	defer echo.Close()
	sources, err := writeManyClasses(t.TempDir(), classesPerFile+5)
	if err != nil {
		t.Fatal(err)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library, err := jdk.Agent(filepath.Join(jvmtest.MustRoot(t), "bench", "startup", "hook.c"))
		if err != nil {
			t.Fatal(err)
		}
		command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, sources...)}, Main: "Many"}
		plain := jdk.MustRun(t, command)
		command.Options = []string{"-agentpath:" + library + "=define=" + echo.path}
		echoed := jdk.MustRun(t, command)
		if plain.ExitCode != 0 || !strings.HasPrefix(plain.Stdout, "checksum ") || echoed.Stdout != plain.Stdout {
			t.Errorf("plain: exit code %d, %q; echoed: exit code %d, %q %q", plain.ExitCode, plain.Stdout,
				echoed.ExitCode, echoed.Stdout, echoed.Stderr)
		}
	})
}

// TestDemoSources compiles some of the generated sources, as the demo and two workloads do.
func TestDemoSources(t *testing.T) {
	generator := filepath.Join(jvmtest.MustRoot(t), "testdata", "demo", "GenerateSources.java")
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		folder := t.TempDir()
		output := jdk.MustRun(t, jvmtest.Command{
			Classpath: []string{jdk.MustJavac(t, nil, generator)}, Main: "GenerateSources", Args: []string{folder,
				"25"},
		})
		if output.ExitCode != 0 {
			t.Fatalf("exit code %d: %s", output.ExitCode, output.Stderr)
		}
		sources, err := filepath.Glob(filepath.Join(folder, "demo", "part*", "*.java"))
		if err != nil || len(sources) != 25 {
			t.Fatalf("%d sources, error %v", len(sources), err)
		}
		jdk.MustJavac(t, []string{"--release", "17"}, sources...)
	})
}
