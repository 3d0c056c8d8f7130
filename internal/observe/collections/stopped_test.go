package collections

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// stoppable is a JVM whose recorder the test stops.
type stoppable struct {
	t         *testing.T
	process   *mallardtest.Process
	log, file string
}

func startStoppable(t *testing.T, jdk jvmtest.JDK) *stoppable {
	s := &stoppable{t: t, log: filepath.Join(t.TempDir(), "gc.log")}
	command := jvmtest.Command{
		Options:   []string{"-Xlog:gc*:file=" + s.log + ":tags", "-XX:+UseSerialGC", "-Xmx32m", "-Xmn1m"},
		Classpath: []string{jdk.MustJavac(t, nil, filepath.Join("testdata", "Fills.java"))},
		Main:      "Fills",
	}
	command, s.file = mallardtest.Profiled(t, command)
	s.process = mallardtest.Spawn(t, jdk, command)
	return s
}

// collect has the JVM collect so often, and waits until it has.
func (s *stoppable) collect(times int) {
	s.t.Helper()
	s.process.Write(fmt.Sprintln(times))
	if line := s.process.Line(); line != fmt.Sprint("step ", times) {
		s.t.Fatalf("%q in place of a step; stderr:\n%s", line, s.process.Stderr.String())
	}
}

// recorded counts the pauses that the recording has in detail and briefly, those that it says are lost, and those that
// the JVM logged.
func (s *stoppable) recorded() (p *profile.Profile, detailed, brief, lost, logged int) {
	s.t.Helper()
	events := profile.Events{Name: nil}
	p = mallardtest.Read(s.t, s.file, events)
	for _, e := range decode(events[Name]) {
		if e.counters() {
			detailed++
		} else {
			brief++
		}
	}
	for _, l := range p.Losses {
		if l.Kind == "events" {
			lost += int(l.Count)
		}
	}
	pauses, _ := readLog(s.t, s.log)
	return p, detailed, brief, lost, len(pauses)
}

// TestStoppedRecorder stops the recorder while more collections come than the ring has room for: the program goes on,
// records less first, and what is missing is stated, to the collection.
func TestStoppedRecorder(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		s := startStoppable(t, jdk)
		s.collect(20)
		s.process.Signal(syscall.SIGSTOP)
		s.collect(3000)
		s.process.Signal(syscall.SIGCONT)
		if _, exit := s.process.End(); exit != 0 {
			t.Fatalf("exit code %d: %s", exit, s.process.Stderr.String())
		}
		p, detailed, brief, lost, logged := s.recorded()
		t.Logf("%d in detail, %d briefly, %d lost", detailed, brief, lost)
		if detailed+brief+lost != logged {
			t.Errorf("%d in detail, %d briefly, %d lost: %d were logged", detailed, brief, lost, logged)
		}
		if detailed < 100 || brief < 100 || lost < 100 || !p.Complete {
			t.Errorf("%d in detail, %d briefly, %d lost, complete %v", detailed, brief, lost, p.Complete)
		}
		stated := false
		for _, l := range p.Losses {
			stated = stated || l.Kind == "detail" && l.Count == 1
		}
		if !stated {
			t.Errorf("losses %v", p.Losses)
		}
	})
}

// TestKilledWithEvents kills the JVM while its events are in the ring: they are in the recording.
func TestKilledWithEvents(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		s := startStoppable(t, jdk)
		s.collect(20)
		jvm := s.process.Child()
		s.process.Signal(syscall.SIGSTOP)
		s.collect(200)
		if err := syscall.Kill(jvm, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		s.process.Signal(syscall.SIGCONT)
		s.process.End()
		p, detailed, brief, lost, logged := s.recorded()
		if detailed != logged || brief > 0 || lost > 0 || logged < 220 || p.Complete {
			t.Errorf("%d in detail, %d briefly, %d lost, %d logged, complete %v", detailed, brief, lost, logged,
				p.Complete)
		}
	})
}
