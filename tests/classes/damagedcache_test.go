package classes_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// damages are what happens to the file of a class cache.
var damages = []struct {
	name string
	do   func(path string, size int64) error
}{
	{"emptied", func(path string, _ int64) error { return os.Truncate(path, 0) }},
	{"shortened", func(path string, size int64) error { return os.Truncate(path, size/2) }},
	{"removed", func(path string, _ int64) error { return os.Remove(path) }},
	{"overwritten", func(path string, size int64) error {
		noise := make([]byte, size)
		rand.NewChaCha8([32]byte{}).Read(noise)
		return overwrite(path, noise)
	}},
}

// TestCacheDamagedInUse spoils the class cache while a JVM and its recorder use it: the program does what it does, and
// what it loads afterwards is counted as if there had been no cache.
func TestCacheDamagedInUse(t *testing.T) {
	t.Parallel()
	jdks, tracks := jvmtest.JDKs(t), []string{"sites", "contexts"}
	homes := map[string]string{} // with a whole cache, by JDK and track
	for _, row := range jvmtest.Combinations(len(damages), len(tracks), len(jdks)) {
		damage, track, jdk := damages[row[0]], tracks[row[1]], jdks[row[2]]
		spawn := func(t *testing.T, home string) (*mallardtest.Process, string) {
			command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Comes"), "-q", "--track", track)
			command.Wrap = append([]string{"env", "XDG_CACHE_HOME=" + home}, command.Wrap...)
			return mallardtest.Spawn(t, jdk, command), file
		}
		makes := func(p *mallardtest.Process, names ...string) {
			for _, name := range names {
				p.Write(name + "\n")
				p.Line()
			}
		}
		name := jdk.String() + " " + track
		if homes[name] == "" {
			homes[name] = t.TempDir()
			p, _ := spawn(t, homes[name])
			makes(p, "A", "B", "C", "D")
			p.End()
		}
		t.Run(name+" "+damage.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			if err := os.CopyFS(home, os.DirFS(homes[name])); err != nil {
				t.Fatal(err)
			}
			paths, err := filepath.Glob(filepath.Join(home, "mallard", "classes", "*.cache"))
			if err != nil || len(paths) != 1 {
				t.Fatalf("caches %v (%v)", paths, err)
			}
			info, err := os.Stat(paths[0])
			if err != nil {
				t.Fatal(err)
			}
			p, file := spawn(t, home)
			makes(p, "A")
			if err := damage.do(paths[0], info.Size()); err != nil {
				t.Fatal(err)
			}
			makes(p, "B", "C", "D")
			if _, exit := p.End(); exit != 7 || p.Stderr.Len() > 0 {
				t.Errorf("exit code %d: %s", exit, p.Stderr.String())
			}
			recording := mallardtest.Read(t, file)
			for class, array := range map[string]string{"B": "long[]", "C": "short[]", "D": "char[]"} {
				if n := mallardtest.Objects(t, file, "Comes$"+class, array); n != 1000 {
					t.Errorf("%s made %d arrays of the type %s", class, n, array)
				}
			}
			// what the recorder had not looked at yet, or looks at again
			for _, loss := range recording.Losses {
				if loss.Kind != "class-cache" && loss.Kind != "frames" {
					t.Errorf("%s: %s", loss.Kind, loss.Detail)
				}
			}
			if recording.Classes.Cached == 0 || !recording.Complete {
				t.Errorf("%d classes from the cache, complete: %v (%s)", recording.Classes.Cached, recording.Complete,
					recording.Reason)
			}
		})
	}
}

// overwrite writes into a file where it is.
func overwrite(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteAt(content, 0)
	return err
}
