package lifecycle_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// viewing starts mallard view, and gives its address.
func viewing(t *testing.T, args ...string) (*exec.Cmd, string) {
	t.Helper()
	view := exec.Command(mallardtest.Binary(t), append([]string{"view"}, args...)...)
	out, err := view.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := view.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { view.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return view, strings.TrimSpace(line)
}

// page is what is at an address.
func page(t *testing.T, address string) []byte {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 {
		t.Fatalf("%s: %s, %v: %s", address, answer.Status, err, text)
	}
	return text
}

// TestView: the page of a running program, found by its process, is about what it has allocated so far, and at its end
// about all; a signal ends it.
func TestView(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if !jvmtest.IsTurn(t, jdk, 0) {
			return
		}
		command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), "-q")
		p := mallardtest.Spawn(t, jdk, command)
		p.Step()
		mallardtest.WaitUntil(t, file, func() bool { return mallardtest.Objects(t, file, "Steps", "int[]") > 0 })
		view, address := viewing(t, "--every", "100ms", strconv.Itoa(p.Child()))
		get := func(what string, to any) {
			t.Helper()
			if err := json.Unmarshal(page(t, address+what), to); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		made := func() int64 {
			var rows struct {
				Rows []struct {
					Title string
					Self  [2]int64
				}
			}
			get("rows?by=class&sort=self&count=1000&in="+url.QueryEscape("Steps.*"), &rows)
			for _, row := range rows.Rows {
				if row.Title == "int[]" {
					return row.Self[0]
				}
			}
			return 0
		}
		var state struct{ Live, Timed bool }
		if get("state", &state); !state.Live || made() == 0 {
			t.Errorf("while it runs: %+v, %d objects", state, made())
		}
		before := made()
		p.Step()
		for deadline := time.Now().Add(time.Minute); made() == before; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("it does not see what is new: %d objects", before)
			}
		}
		p.End()
		for deadline := time.Now().Add(time.Minute); state.Live || !state.Timed; time.Sleep(10 * time.Millisecond) {
			if get("state", &state); time.Now().After(deadline) {
				t.Fatalf("it does not see the end: %+v", state)
			}
		}
		if got, want := made(), mallardtest.Objects(t, file, "Steps", "int[]"); got != want {
			t.Errorf("%d objects, want %d", got, want)
		}
		// what was allocated when was read on since then
		var timeline struct {
			To      []float64
			Classes []struct {
				Title   string
				Objects []int64
			}
		}
		get("timeline?in="+url.QueryEscape("Steps.*"), &timeline)
		sum := int64(0)
		for _, class := range timeline.Classes {
			for _, n := range class.Objects {
				if class.Title == "int[]" {
					sum += n
				}
			}
		}
		if want := made(); sum != want || len(timeline.To) < 2 {
			t.Errorf("%d objects at %v, want %d", sum, timeline.To, want)
		}
		if err := view.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := view.Wait(); err != nil {
			t.Error(err)
		}
		if _, err := http.Get(address + "state"); err == nil {
			t.Error("it still answers")
		}
	})
}
