package lifecycle_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// pyroscope is a server that takes no profile at first.
type pyroscope struct {
	mu             sync.Mutex
	refuse         int
	pushes         int
	objects, bytes int64
	failed         error
}

func (p *pyroscope) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuse > 0 {
		p.refuse--
		http.Error(w, "not yet", http.StatusServiceUnavailable)
		return
	}
	file, _, err := r.FormFile("profile")
	var got *pprof.Profile
	if err == nil {
		got, err = pprof.Parse(file)
	}
	if err == nil && r.URL.Query().Get("name") != "Steps{host=h,version=1}" {
		err = fmt.Errorf("%s", r.URL)
	}
	if err != nil {
		p.failed = err
		return
	}
	p.pushes++
	for _, s := range got.Sample {
		p.objects += s.Value[0]
		p.bytes += s.Value[1]
	}
}

// state is what the server has.
func (p *pyroscope) state() (pushes int, objects, bytes int64, failed error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pushes, p.objects, p.bytes, p.failed
}

// scraped is the sums of families.
type scraped map[string]float64

func scrape(address string) (scraped, error) {
	response, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	sums := scraped{}
	for name, f := range families {
		for _, s := range f.Metric {
			sums[name] += s.GetCounter().GetValue()
		}
	}
	return sums, nil
}

// TestPushAndMetrics: what a server was sent adds up to what was recorded, although it took nothing at first, and so do
// the counters for Prometheus, which never go down.
func TestPushAndMetrics(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		tracks := []string{"sites", "contexts"}
		for i, track := range tracks {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(track, func(t *testing.T) { pushAndScrape(t, jdk, track) })
		}
	})
}

func pushAndScrape(t *testing.T, jdk jvmtest.JDK, track string) {
	server := &pyroscope{refuse: 1}
	at := httptest.NewServer(server)
	defer at.Close()
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := port.Addr().String()
	port.Close()
	command := mallardtest.Compiled(t, jdk, "Steps")
	command.Options = append(jvmtest.ShortRun(), "-Xmn1m") // so that there are collections
	command, file := mallardtest.Profiled(t, command, "--track", track+",gc", "--answer-within", "1m", "--push",
		strings.Replace(at.URL, "http://", "http://me:secret@", 1), "--push-every", "1s", "--label", "host=h",
		"--label", "version=1", "--metrics", address, "--metrics-linger", "1m")
	p := mallardtest.Spawn(t, jdk, command)
	for range 3 {
		p.Step()
	}
	var last scraped
	look := func() error {
		now, err := scrape(address)
		if err != nil {
			return err
		}
		for name, value := range last {
			if now[name] < value {
				t.Errorf("%s goes from %v to %v", name, value, now[name])
			}
		}
		last = now
		return nil
	}
	for pushes := 0; pushes == 0 || last["mallard_allocated_bytes_total"] == 0; pushes, _, _, _ = server.state() {
		if err := look(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	for range 2 {
		p.Step()
	}
	p.Close()
	for look() == nil { // it ends when it was asked once more
		time.Sleep(100 * time.Millisecond)
	}
	if _, exit := p.Wait(); exit != 7 {
		t.Errorf("exit code %d", exit)
	}
	recorded := mallardtest.Read(t, file).Total
	pushes, objects, bytes, failed := server.state()
	if failed != nil || pushes < 2 || objects != recorded.Objects || bytes != recorded.Bytes {
		t.Errorf("%v; %d pushes, %d objects, %d bytes of %+v", failed, pushes, objects, bytes, recorded)
	}
	for _, of := range []string{"", "package_", "class_", "transaction_"} {
		if of == "transaction_" && track == "sites" {
			continue
		}
		objects, bytes := last["mallard_"+of+"allocated_objects_total"], last["mallard_"+of+"allocated_bytes_total"]
		if objects != float64(recorded.Objects) || bytes != float64(recorded.Bytes) {
			t.Errorf("%s: %v objects, %v bytes of %+v", of, objects, bytes, recorded)
		}
	}
	out, err := exec.Command(mallardtest.Binary(t), "report", "--gc", "--format", "json", file).Output()
	var report struct{ Rows []any }
	if err == nil {
		err = json.Unmarshal(out, &report)
	}
	if n := last["mallard_collections_total"]; err != nil || n != float64(len(report.Rows)) {
		t.Errorf("%v; %v collections of %d", err, n, len(report.Rows))
	}
	said := mallardtest.Messages(p.Stderr.String())
	if text := strings.Join(said, "\n"); strings.Contains(text, "secret") || strings.Count(text, "trying again") != 1 {
		t.Errorf("%s", text)
	}
}

// TestFollowerKilled: what follows the recording may die, and nothing else does: the program runs on, and all is
// recorded.
func TestFollowerKilled(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if !jvmtest.IsTurn(t, jdk, 1) {
			return
		}
		command := mallardtest.Compiled(t, jdk, "Steps")
		command.Options = jvmtest.ShortRun()
		command, file := mallardtest.Profiled(t, command, "--answer-within", "1m", "--metrics", "127.0.0.1:0")
		p := mallardtest.Spawn(t, jdk, command)
		p.Step()
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.Cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		killed := 0
		for _, task := range tasks {
			list, _ := os.ReadFile(task) // of a thread that has ended there is none
			for _, child := range strings.Fields(string(list)) {
				words, err := os.ReadFile("/proc/" + child + "/cmdline")
				pid, _ := strconv.Atoi(child)
				if err == nil && strings.HasSuffix(string(words), "\x00follow\x00") {
					killed++
					if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		p.Step()
		if out, exit := p.End(); killed != 1 || out != "sum 14000\n" || exit != 7 {
			t.Errorf("%d killed, exit code %d, %q", killed, exit, out)
		}
		if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 2000 || !mallardtest.Read(t, file).Complete {
			t.Errorf("%d objects", n)
		}
		if said := p.Stderr.String(); !strings.Contains(said, "what follows the recording has failed: signal: killed") {
			t.Errorf("%s", said)
		}
	})
}
