package classes_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/profile/stacktest"
	"mallard/internal/trace"
)

// TestClassCache runs a program again and again: classes come out of the cache as soon as there is one, counts stay
// what they are, and a cache that is not whole is not used.
func TestClassCache(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel()
		home := t.TempDir()
		cache := func() string {
			t.Helper()
			files, err := filepath.Glob(filepath.Join(home, "mallard", "classes", "*.cache"))
			if err != nil || len(files) > 1 {
				t.Fatalf("caches %v (%v)", files, err)
			}
			if len(files) == 0 {
				return ""
			}
			return files[0]
		}
		run := func(flags ...string) *profile.Profile {
			t.Helper()
			command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), flags...)
			command.Wrap = append([]string{"env", "XDG_CACHE_HOME=" + home}, command.Wrap...)
			output := jdk.MustRun(t, command)
			mallardtest.RanSteps(t, output, 1)
			p := mallardtest.Read(t, file)
			if !p.Complete || len(p.Losses) > 0 {
				t.Fatalf("complete: %v, losses %v", p.Complete, p.Losses)
			}
			return p
		}
		plain := run("--no-cache")
		if plain.Classes.Cached != 0 || cache() != "" {
			t.Fatalf("%d classes from the cache %q, though none was wanted", plain.Classes.Cached, cache())
		}
		first := run()
		second := run()
		if first.Classes.Cached != 0 || second.Classes.Cached < second.Classes.Classes*9/10 {
			t.Errorf("of %d classes %d were known, then %d", second.Classes.Classes, first.Classes.Cached,
				second.Classes.Cached)
		}
		for name, p := range map[string]*profile.Profile{"with the first cache": first, "out of the cache": second} {
			if got, want := own(p), own(plain); got != want {
				t.Errorf("%s:\n%swithout:\n%s", name, got, want)
			}
		}
		stat := func() os.FileInfo {
			t.Helper()
			info, err := os.Stat(cache())
			if err != nil {
				t.Fatal(err)
			}
			return info
		}
		before := stat()
		run()
		if !os.SameFile(before, stat()) {
			t.Error("the cache is written anew though no class is")
		}
		spoil := func(at int64) {
			t.Helper()
			file, err := os.OpenFile(cache(), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if _, err := file.WriteAt([]byte("damage"), at); err != nil {
				t.Fatal(err)
			}
		}
		// somewhere in a class; how many others come out depends on how soon counter numbers are reserved
		spoil(1 << 16)
		if p := run(); p.Classes.Cached < p.Classes.Classes*9/10 || own(p) != own(plain) {
			t.Errorf("with a damaged class %d come out of the cache, %d before:\n%s", p.Classes.Cached,
				second.Classes.Cached, own(p))
		}
		spoil(0)
		if p := run(); p.Classes.Cached != 0 || own(p) != own(plain) {
			t.Errorf("with a damaged cache %d classes came out of it:\n%s", p.Classes.Cached, own(p))
		}
		if p := run(); p.Classes.Cached < p.Classes.Classes*9/10 {
			t.Errorf("of %d classes %d came out of the cache that replaced the damaged one", p.Classes.Classes,
				p.Classes.Cached)
		}
	})
}

// TestClassCacheOfContexts: with contexts classes come out of the cache as well, stacks are the JVM's then, and a class
// whose calls announce nothing to a method that was plain is instrumented anew when that is not plain any more.
func TestClassCacheOfContexts(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		sources := mallardtest.Source(t, "assumes")
		plain := jdk.MustJavac(t, nil, filepath.Join(sources, "Assumes.java"),
			filepath.Join(sources, "plain", "Callee.java"))
		making := jdk.MustJavac(t, nil, filepath.Join(sources, "making", "Callee.java"))
		for i, representation := range []string{"hashed", "encoded", "tree"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(representation, func(t *testing.T) {
				t.Setenv("XDG_CACHE_HOME", t.TempDir())
				var asked []uint64
				// the last one has what the second and the third have kept
				for run, classpath := range [][]string{{plain}, {plain}, {making, plain}, {plain}} {
					command := jvmtest.Command{Classpath: classpath, Main: "Assumes"}
					output, r := stacktest.Run(t, jdk, command, []string{"--contexts", representation},
						func(trace []string) bool {
							return slices.ContainsFunc(trace, func(frame string) bool {
								return strings.HasPrefix(frame, "Assumes.main:")
							})
						})
					if output.ExitCode != 0 || r.Objects < 1000 {
						t.Errorf("exit code %d, %d objects compared, stderr:\n%s", output.ExitCode, r.Objects,
							output.Stderr)
					}
					command, file := mallardtest.Profiled(t, command, "--track", "contexts", "--contexts",
						representation, "-q")
					jdk.MustRun(t, command)
					p := mallardtest.Read(t, file)
					if p.Classes.Cached < p.Classes.Classes*9/10 {
						t.Errorf("of %d classes %d come out of the cache", p.Classes.Classes, p.Classes.Cached)
					}
					if n := byAgent(t, file); run > 0 && n < p.Classes.Cached*8/10 {
						t.Errorf("of %d classes out of the cache the agent found %d by itself", p.Classes.Cached, n)
					}
					asked = append(asked, p.ContextTotals.Asked)
				}
				if asked[2] > asked[1]+50 { // each of 100 contexts would be
					t.Errorf("the recorder was asked %v times", asked)
				}
			})
		}
	})
}

// byAgent counts the classes that came out of the cache without the recorder, which takes no time for them.
func byAgent(t *testing.T, file string) (n uint64) {
	t.Helper()
	records, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer records.Close()
	reader, err := trace.NewReader(records)
	for err == nil {
		var r trace.Record
		if r, err = reader.Next(); err == nil {
			if def, ok := r.(*trace.ClassDef); ok && def.Micros == 0 && def.Bytes > 0 {
				n++
			}
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	return n
}

// TestClassCacheOfTracks: with executed bytecodes and constructors classes come out of the cache as well, and count
// what they count without.
func TestClassCacheOfTracks(t *testing.T) {
	tracks := [][]string{{"--bytecodes"}, {"--track", "contexts", "--bytecodes"}, {"--track", "constructors"}}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, flags := range tracks {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(strings.Join(flags, " "), func(t *testing.T) {
				t.Setenv("XDG_CACHE_HOME", t.TempDir())
				run := func(more ...string) *profile.Profile {
					command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"),
						slices.Concat(flags, more)...)
					mallardtest.RanSteps(t, jdk.MustRun(t, command), 1)
					return mallardtest.Read(t, file)
				}
				want, first, second := run("--no-cache"), run(), run()
				if first.Classes.Cached != 0 || second.Classes.Cached < second.Classes.Classes*9/10 {
					t.Errorf("of %d classes %d were known, then %d", second.Classes.Classes, first.Classes.Cached,
						second.Classes.Cached)
				}
				// what reports bytecodes to the thread is in the program's classes, which do not come out of it
				bytecodes := slices.Contains(flags, "--bytecodes")
				p := run("--snapshots", "100000bc")
				if known := p.Classes.Cached > second.Classes.Cached/2; known != bytecodes ||
					p.Classes.Cached >= second.Classes.Cached {
					t.Errorf("with snapshots by bytecodes %d classes come out of the cache, %d without",
						p.Classes.Cached, second.Classes.Cached)
				}
				if bytecodes && own(p) != own(want) || p.ProgramBytecodes == 0 {
					t.Errorf("with snapshots by bytecodes, %d of them\n%s, not\n%s", p.ProgramBytecodes, own(p),
						own(want))
				}
				if own(first) != own(want) || own(second) != own(want) {
					t.Errorf("without a cache\n%swhile it is written\n%sout of it\n%s", own(want), own(first),
						own(second))
				}
			})
		}
	})
}

// own lists the sites of the program itself: those of the JDK differ from run to run.
func own(p *profile.Profile) string {
	text := ""
	for _, s := range p.Sites {
		if s.Class == "Steps" {
			text += fmt.Sprintln(s.Method, s.BCI, s.Line, s.Type, s.Amount)
		}
	}
	return text
}
