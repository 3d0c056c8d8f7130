package truth_test

import (
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestSpilled has a packed counter be zero again, after the recording has seen it when it was not: at the end, and at a
// snapshot before a program is killed.
func TestSpilled(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, track := range []string{"sites", "contexts"} {
			t.Run(track, func(t *testing.T) {
				command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Spills"), "--snapshots", "20ms",
					"--track", track)
				p := mallardtest.Spawn(t, jdk, command)
				made := func() int64 { return mallardtest.Objects(t, file, "Spills", "byte[]") }
				p.Step()
				mallardtest.WaitUntil(t, file, func() bool { return made() == 512 })
				p.Step()
				mallardtest.WaitUntil(t, file, func() bool { return made() == 1024 })
				if _, exit := p.End(); exit != 0 || made() != 1024 {
					t.Errorf("%d arrays, want 1024; exit code %d", made(), exit)
				}
			})
		}
	})
}
