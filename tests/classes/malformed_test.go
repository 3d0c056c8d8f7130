package classes_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

var malformed = flag.Int("malformed", 0, "how many changed classes TestMalformedClasses makes")

// TestMalformedClasses has the JVM take classes that somebody changed: what it says of each, and what those do that it
// takes, is the same with Mallard.
func TestMalformedClasses(t *testing.T) {
	n := 400
	if jvmtest.Long() {
		n = 6000
	}
	if *malformed > 0 {
		n = *malformed
	}
	oldest := jvmtest.JDKs(t)[0]
	newer := oldest.MustJavac(t, []string{"-g", "--release", "17"},
		mallardtest.Source(t, "malformed", "Malformed.java"), mallardtest.Source(t, "malformed", "NewerSeed.java"))
	old := oldest.MustJavac(t, []string{"-g", "-Xlint:-options", "--release", "8"},
		mallardtest.Source(t, "malformed", "Seed.java"))
	var seeds []seed
	for _, folder := range []string{old, newer} {
		main := map[string]string{old: "Seed", newer: "NewerSeed"}[folder]
		files, err := filepath.Glob(filepath.Join(folder, main+"*.class"))
		if err != nil || len(files) == 0 {
			t.Fatal(err, files)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(filepath.Base(file), ".class")
			s := seed{name, main, b}
			seeds = append(seeds, s)
			if strings.Contains(name, "$") {
				continue
			}
			seeds = append(seeds, s, s) // these have most of the code
			if folder == old {
				for _, major := range []uint16{46, 48, 49, 50} {
					seeds = append(seeds, seed{name, main, older(b, major, false)})
				}
				seeds = append(seeds, seed{name, main, older(b, 50, true)})
			}
		}
	}
	var made []changed
	for i := range n {
		s := seeds[i%len(seeds)]
		how, b := mutate(s, uint64(i))
		made = append(made, changed{seed: s, how: how, bytes: b, run: true})
	}
	ways := [][]string{{}, {"--track", "contexts"}}
	if jvmtest.Long() {
		ways = append(ways, []string{"--placement", "site"}, []string{"--track", "contexts", "--contexts", "tree"},
			[]string{"--track", "contexts", "--contexts", "encoded"}, []string{"--bytecodes"})
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, options := range [][]string{{}, {"-XX:+BytecodeVerificationLocal"}} {
			command := jvmtest.Command{Classpath: []string{newer, old}, Main: "Malformed",
				Options: append([]string{"-Xmx256m", "-Xshare:auto"}, options...), Timeout: 10 * time.Minute}
			if len(options) > 0 && !jvmtest.Long() {
				continue
			}
			made := slices.Clone(made)
			plain := outcomes(t, jdk, command, made, nil)
			for i := range made {
				made[i].run = made[i].run && !plain[i].hangs
			}
			for _, way := range ways {
				t.Run(fmt.Sprint(options, way), func(t *testing.T) {
					compareOutcomes(t, jdk, command, made, plain, way)
				})
			}
		}
	})
}

// changed is a class that was made of another.
type changed struct {
	seed  seed
	how   string
	bytes []byte
	run   bool
}

// outcome is what came of a class.
type outcome struct {
	steps [][2]string // name and result
	hangs bool        // or ends the JVM
}

func (o outcome) String() string {
	var b strings.Builder
	for _, s := range o.steps {
		fmt.Fprintf(&b, "\n\t%s: %s", s[0], s[1])
	}
	return b.String()
}

// outcomes has JVMs take the classes, a further one whenever a class never ends.
func outcomes(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, made []changed, flags []string) []outcome {
	t.Helper()
	var b []byte
	for _, c := range made {
		b = append(b, 0)
		if c.run {
			b[len(b)-1] = 1
		}
		b = binary.BigEndian.AppendUint16(b, uint16(len(c.seed.main)))
		b = append(b, c.seed.main...)
		b = binary.BigEndian.AppendUint32(b, uint32(len(c.bytes)))
		b = append(b, c.bytes...)
	}
	file := filepath.Join(t.TempDir(), "classes")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	all := make([]outcome, len(made))
	for first := 0; first < len(made); {
		command := command
		command.Args = []string{file, strconv.Itoa(first)}
		if flags != nil {
			recording := filepath.Join(t.TempDir(), "run.mallard")
			command.Wrap = slices.Concat([]string{mallardtest.Binary(t), "run", "-q", "--no-cache", "-o", recording},
				flags, []string{"--"})
		}
		ctx, cancel := context.WithTimeout(t.Context(), command.Timeout)
		process := jdk.Exec(ctx, command)
		var stdout, stderr bytes.Buffer
		process.Stdout, process.Stderr = &stdout, &stderr
		err := process.Run()
		cancel()
		last := first
		for line := range strings.Lines(stdout.String()) {
			words := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
			number, numberErr := strconv.Atoi(words[0])
			if len(words) != 3 || numberErr != nil || number < first || number >= len(all) {
				t.Fatalf("%q, stderr:\n%s", line, stderr.String())
			}
			if last = number; words[1] == "hangs" {
				all[number].hangs = true
				continue
			}
			all[number].steps = append(all[number].steps, [2]string{words[1], words[2]})
		}
		if err == nil {
			break
		}
		if !all[last].hangs {
			t.Logf("class %d, %s: the JVM ends: %v; %s", last, made[last].how, err, stderr.String())
			all[last].hangs = true
		}
		first = last + 1
	}
	return all
}

var (
	addresses = regexp.MustCompile(`@[0-9a-f]+`) // of loaders
	digits    = regexp.MustCompile(`[0-9]+`)
	code      = regexp.MustCompile(`\\ua  (Bytecode|Current Frame|Stackmap Table|Exception Handler Table):.*`)
	refusal   = regexp.MustCompile(`java\.lang\.(VerifyError|ClassFormatError): `)
	method    = regexp.MustCompile(`Location:\\ua +\S*?(\w+>?)\(|in method '[^(]*?(\w+>?)\(|method: (\S+) signature`)
)

// same reports whether the same is said of a class. The verifier says where in code it is, and what that code is. It
// takes methods in the order of their names' addresses, so that of two that it refuses either can be first.
func same(step, a, b string) bool {
	a, b = addresses.ReplaceAllString(a, ""), addresses.ReplaceAllString(b, "")
	if a == b || step == "define" || !refusal.MatchString(a) || !refusal.MatchString(b) {
		return a == b
	}
	if x, y := method.FindStringSubmatch(a), method.FindStringSubmatch(b); !slices.Equal(x[min(1, len(x)):],
		y[min(1, len(y)):]) {
		return true
	}
	blurred := func(s string) string { return digits.ReplaceAllString(code.ReplaceAllString(s, ""), "") }
	return blurred(a) == blurred(b)
}

func compareOutcomes(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, made []changed, plain []outcome,
	flags []string) {
	with := outcomes(t, jdk, command, made, flags)
	refused, taken := 0, 0
	for i, c := range made {
		if plain[i].hangs || with[i].hangs {
			if !plain[i].hangs {
				t.Errorf("class %d, %s of %s %v: never ends with Mallard, without%v", i, c.how, c.seed.name,
					c.seed.bytes[7], plain[i])
			}
			continue
		}
		if len(plain[i].steps) == 1 {
			refused++
		} else {
			taken++
		}
		if slices.EqualFunc(plain[i].steps, with[i].steps, func(a, b [2]string) bool {
			return a[0] == b[0] && same(a[0], a[1], b[1])
		}) {
			continue
		}
		t.Errorf("class %d, %s of %s %v: without Mallard%v\nwith it%v", i, c.how, c.seed.name, c.seed.bytes[7],
			plain[i], with[i])
	}
	t.Logf("%d classes were refused, %d taken", refused, taken)
}
