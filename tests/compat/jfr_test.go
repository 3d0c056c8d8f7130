package compat_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// flightEvents is what jfr print --json says.
type flightEvents struct {
	Recording struct {
		Events []struct {
			Type   string
			Values struct {
				Weight, Objects int64
				EventThread     struct{ JavaName string }
				ObjectClass     struct{ Name string }
				StackTrace      struct {
					Frames []struct {
						Method struct {
							Name       string
							Descriptor string
							Type       struct{ Name string }
						}
						LineNumber, BytecodeIndex int
					}
				}
			}
		}
	}
}

// TestJFR: the JDK's own reader finds in a file of Flight Recorder what was recorded: objects and bytes by thread,
// class and stack, and no fault in many checkpoints.
func TestJFR(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		small := filepath.Join(t.TempDir(), "small.mallard")
		recording := profiletest.MustEncode(t, profiletest.Transactions)
		if err := os.WriteFile(small, recording, 0o600); err != nil {
			t.Fatal(err)
		}
		var many bytes.Buffer
		if err := (profiletest.Large{Contexts: 6_000, Threads: 3, Rounds: 1}).Write(&many); err != nil {
			t.Fatal(err)
		}
		large := filepath.Join(t.TempDir(), "large.mallard")
		if err := os.WriteFile(large, many.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		command, real := mallardtest.Recorded(t, mallardtest.Compiled(t, jdk, "Steps"), "--track", "contexts")
		command.Options, command.Stdin = jvmtest.ShortRun(), "\n\n"
		jdk.MustRun(t, command)
		for name, file := range map[string]string{"small": small, "large": large, "real": real} {
			if name == "large" && !jvmtest.IsTurn(t, jdk, 1) {
				continue
			}
			t.Run(name, func(t *testing.T) { compareFlight(t, jdk, file) })
		}
	})
}

func compareFlight(t *testing.T, jdk jvmtest.JDK, file string) {
	to := filepath.Join(t.TempDir(), "out.jfr")
	if out, err := exec.Command(mallardtest.Binary(t), "export", file, "--format", "jfr", "-o", to).
		CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, args := range [][]string{{"summary"}, {"print", "--stack-depth", "1"}} {
		out, err := exec.Command(jdk.Tool("jfr"), append(args, to)...).CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("jdk.ObjectAllocationSample")) ||
			bytes.Contains(out, []byte("Exception")) && bytes.Contains(out, []byte("internal error")) {
			t.Fatalf("%v: %v\n%.2000s", args, err, out)
		}
	}
	out, err := exec.Command(jdk.Tool("jfr"), "print", "--json", "--stack-depth", "2000", to).Output()
	if err != nil {
		t.Fatal(err)
	}
	var events flightEvents
	if err := json.Unmarshal(out, &events); err != nil {
		t.Fatal(err)
	}
	got, want := map[string]profile.Amount{}, map[string]profile.Amount{}
	add := func(to map[string]profile.Amount, key []string, objects, bytes int64) {
		text := strings.Join(key, "\n")
		sum := to[text]
		sum.Add(profile.Amount{Objects: objects, Bytes: bytes})
		to[text] = sum
	}
	for _, e := range events.Recording.Events {
		v := &e.Values
		key := []string{v.EventThread.JavaName, v.ObjectClass.Name}
		for _, f := range v.StackTrace.Frames {
			key = append(key, f.Method.Type.Name+"."+f.Method.Name+f.Method.Descriptor+" "+strconv.Itoa(f.LineNumber)+
				" "+strconv.Itoa(f.BytecodeIndex))
		}
		add(got, key, v.Objects, v.Weight)
	}
	p := mallardtest.Read(t, file)
	for s := range p.Samples(profile.Filter{}) {
		key := []string{s.Thread.Title(), internal(s.Site.Type)}
		for _, f := range p.Stack(s.Site, s.Context) {
			class, descriptor := strings.ReplaceAll(f.Class, ".", "/"), f.Descriptor
			if class == "" {
				class = "(none)"
			}
			if descriptor == "" {
				descriptor = "()V"
			}
			key = append(key, class+"."+f.Name+descriptor+" "+strconv.Itoa(int(f.Line))+" "+strconv.Itoa(int(f.BCI)))
		}
		add(want, key, s.Amount.Objects, s.Amount.Bytes)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("%d stacks of %d, -want +got:\n%.3000s", len(got), len(want), diff)
	}
}

// internal is the name that the JVM has for a class or an array of one.
func internal(name string) string {
	element, _, array := strings.Cut(name, "[")
	element = strings.ReplaceAll(element, ".", "/")
	if !array {
		return element
	}
	basic := map[string]string{"boolean": "Z", "byte": "B", "char": "C", "short": "S", "int": "I", "long": "J",
		"float": "F", "double": "D"}[element]
	if basic == "" {
		basic = "L" + element + ";"
	}
	return strings.Repeat("[", strings.Count(name, "[")) + basic
}
