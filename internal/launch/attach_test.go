package launch

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/session"
)

// TestFaultsOfAttached has handlers of the recorder panic, the first time, that has attached to a program. That runs
// on, and does what it does without.
func TestFaultsOfAttached(t *testing.T) {
	points := []string{"LoadedClasses", "Class", "Thread", "decide", "snapshot", "Death", "messages"}
	for i, point := range points {
		jdks := jvmtest.JDKs(t)
		jdk := jdks[i%len(jdks)]
		t.Run(point+" "+jdk.String(), func(t *testing.T) {
			p := mallardtest.Spawn(t, jdk, mallardtest.Compiled(t, jdk, "Steps"))
			p.Step()
			var broken atomic.Bool
			var said stream
			file := filepath.Join(t.TempDir(), "attached.mallard")
			started := time.Now()
			err := Attach(context.Background(), p.Cmd.Process.Pid, time.Second, Options{Output: file, Stderr: &said,
				Record: session.Options{Fault: func(at string) {
					if at == point && broken.CompareAndSwap(false, true) {
						panic("injected at " + point)
					}
				}}})
			if !broken.Load() {
				t.Errorf("nothing broke: %v\n%s", err, said.String())
			}
			if took := time.Since(started); took > time.Minute {
				t.Errorf("it took %v", took)
			}
			for range 3 {
				p.Step()
			}
			if output, exit := p.End(); exit != 7 || output != "sum 28000\n" {
				t.Errorf("exit code %d, output %q", exit, output)
			}
			for line := range strings.Lines(p.Stderr.String()) {
				if !strings.HasPrefix(line, "WARNING: ") && !strings.HasPrefix(line, "mallard: ") {
					t.Errorf("standard error: %s", line)
				}
			}
			if _, err := os.Stat(file); err != nil {
				t.Error(err)
			}
			mallardtest.Read(t, file)
		})
	}
}
