package session_test

import (
	"testing"

	"mallard/internal/jvmtest"
)

// TestSpilled has a packed counter be zero again, after the recording has seen it when it was not: at the end, and at a snapshot before a program is killed.
func TestSpilled(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, track := range []string{"sites", "contexts"} {
			t.Run(track, func(t *testing.T) {
				command, file := profiled(t, compiled(t, jdk, "Spills"), "--snapshots", "20ms", "--track", track)
				p := spawn(t, jdk, command)
				made := func() int64 { return objects(t, file, "Spills", "byte[]") }
				p.step()
				waitUntil(t, file, func() bool { return made() == 512 })
				p.step()
				waitUntil(t, file, func() bool { return made() == 1024 })
				if _, exit := p.end(); exit != 0 || made() != 1024 {
					t.Errorf("%d arrays, want 1024; exit code %d", made(), exit)
				}
			})
		}
	})
}
