package recording

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// TestKeep: when a recording reaches back twice as far as it is to, it begins with a keyframe, under its name, and goes
// on; what a recorder that was killed has left beside it is in nobody's way. Where it was moved, or no file can be made
// beside it, all is kept, and a loss says so.
func TestKeep(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		loss    string
	}{
		{"as always", func(t *testing.T, path string) {
			if err := os.WriteFile(path+".next", []byte("left there"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"moved", func(t *testing.T, path string) {
			if err := os.Rename(path, path+".moved"); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("another one's"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "moved or replaced"},
		{"no room", func(t *testing.T, path string) {
			if err := os.MkdirAll(path+".next/folder", 0o700); err != nil {
				t.Fatal(err)
			}
		}, "exists"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.mallard")
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			test.prepare(t, path)
			gaveUp := make(chan bool, 1)
			r := New(file, time.Now().Add(-time.Minute), quiet, func(point string) { // a minute has passed
				if point == "gave up" {
					gaveUp <- true
				}
			})
			r.Keep(file, 10*time.Second)
			r.Put(&trace.Process{Track: []string{"sites"}, Started: 1})
			r.Put(&trace.Thread{ID: 1, Name: "main"})
			for second := int64(1); second < 58; second++ {
				if second%4 == 0 {
					r.Put(&trace.Keyframe{Nanos: second * 1e9})
				}
				r.Put(&trace.Snapshot{Nanos: second * 1e9, Thread: 1, Full: second%4 == 0})
				r.Put(&trace.Mark{Nanos: second * 1e9})
			}
			r.Flush()
			<-gaveUp
			r.Put(&trace.Mark{Nanos: 59e9})
			r.Finish(true, "ended")
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path + ".moved"); err == nil {
				path += ".moved"
			}
			p, err := profile.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			lost := slices.ContainsFunc(p.Losses, func(l trace.Loss) bool {
				return l.Kind == "keep" && strings.Contains(l.Detail, test.loss)
			})
			switch info, err := os.Stat(path); {
			case err != nil:
				t.Fatal(err)
			case len(p.Damage) > 0 || !p.Complete || p.ThreadsRecorded != 1:
				t.Errorf("damage %v, complete %v, %d threads", p.Damage, p.Complete, p.ThreadsRecorded)
			case test.loss != "":
				if p.Kept != nil || !lost {
					t.Errorf("%+v, losses %v", p.Kept, p.Losses)
				}
			case p.Kept == nil || p.Kept.From == 0 || p.Kept.From > 48e9 || p.Kept.From%4e9 != 0 ||
				p.Kept.For != 10e9 || info.Mode().Perm() != 0o640: // it begins where what was written by then ends
				t.Errorf("%+v, mode %v", p.Kept, info.Mode())
			}
		})
	}
}

// TestKeeperRests: giving up what is old takes a fifth of the time at most, however long it takes once.
func TestKeeperRests(t *testing.T) {
	k := &keeper{keep: 2 * time.Second}
	for second := range int64(100) {
		k.keyframes = append(k.keyframes, second*int64(time.Second))
	}
	at := func(now time.Duration, from time.Duration, want bool) {
		t.Helper()
		if got, due := k.due(int64(now)); due != want || time.Duration(got) != from {
			t.Errorf("after %v: from %v, %v, want %v, %v", now, time.Duration(got), due, from, want)
		}
	}
	at(3*time.Second, 0, false)
	at(5*time.Second, 3*time.Second, true)
	k.reaches = 3 * int64(time.Second)
	k.rests(int64(5*time.Second), int64(8*time.Second))
	at(19*time.Second, 0, false)
	at(20*time.Second, 18*time.Second, true)
}
