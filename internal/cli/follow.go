package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"mallard/internal/follow"
	"mallard/internal/metrics"
	"mallard/internal/observe/collections"
	"mallard/internal/observe/registry"
	"mallard/internal/profile"
	"mallard/internal/push"
)

// followCommand is what run starts beside itself. Its input has followOptions, then the names of recordings; its end
// is the end of the command that is recorded.
func (p *program) followCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "follow",
		Short:  "Push recordings and count for Prometheus while they are written",
		Hidden: true,
		Args:   noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			unix.Setpriority(unix.PRIO_PROCESS, 0, followPriority) // the program comes first
			runtime.GOMAXPROCS(1)
			debug.SetGCPercent(followGarbage)
			p.bound.sparing = true
			in := json.NewDecoder(p.Stdin)
			o := &followOptions{}
			if err := in.Decode(o); err != nil {
				return err
			}
			f := &followed{program: p, options: o, done: make(chan struct{}), said: map[string]bool{}}
			return f.run(cmd.Context(), in)
		},
	}
}

const (
	followPriority = 19              // nice
	followGarbage  = 50              // percent of what lives
	metricsEvery   = 5 * time.Second // the recording is read again
	lastPushes     = 10 * time.Second
	longestBackoff = 5 * time.Minute
	restFor        = 19 // times as long as the work took of a processor
)

// followed is what happens with the recordings of a command.
type followed struct {
	*program
	options *followOptions
	done    chan struct{} // closed at the end of the command

	mu    sync.Mutex
	files []string
	said  map[string]bool
}

// run returns when all is done.
func (f *followed) run(ctx context.Context, in *json.Decoder) error {
	var work sync.WaitGroup
	if f.options.Metrics != "" {
		const inherited = 3 // the first of ExtraFiles
		file := os.NewFile(inherited, "metrics")
		listener, err := net.FileListener(file)
		if err != nil {
			return err
		}
		file.Close()
		work.Go(func() { f.count(listener) })
	}
	if f.options.Push != "" {
		server, err := push.NewServer(f.options.Push, os.Getenv, f.options.Labels)
		if err != nil {
			return err
		}
		work.Go(func() { f.push(ctx, server) })
	}
	for {
		var file string
		if err := in.Decode(&file); err != nil {
			if !errors.Is(err, io.EOF) {
				f.say("%v", err)
			}
			break
		}
		f.begin(file)
	}
	close(f.done)
	work.Wait()
	return nil
}

// begin takes a recording.
func (f *followed) begin(file string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files = append(f.files, file)
}

// newFiles gives those from the nth on.
func (f *followed) newFiles(n int) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.files[n:]
}

// sayOnce says something the first time.
func (f *followed) sayOnce(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.said[format] {
		f.said[format] = true
		f.say(format, args...)
	}
}

// cursors are how far recordings were read.
type cursors struct {
	*followed
	list []*follow.Recording
}

// each calls read for all recordings.
func (c *cursors) each(read func(*follow.Recording)) {
	for _, file := range c.newFiles(len(c.list)) {
		c.list = append(c.list, follow.New(file))
	}
	for _, r := range c.list {
		read(r)
	}
}

// count has counters for Prometheus, and answers it.
func (f *followed) count(listener net.Listener) {
	m, final, asked := metrics.New(f.options.Series), make(chan struct{}), make(chan struct{}, 1)
	handler := m.Handler()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		isFinal := isClosed(final)
		handler.ServeHTTP(w, r)
		if isFinal {
			select {
			case asked <- struct{}{}:
			default:
			}
		}
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second,
		MaxHeaderBytes: 16 << 10}
	defer server.Shutdown(context.Background())
	go server.Serve(listener)
	c := &cursors{followed: f}
	wait := metricsEvery
	for ended := false; !ended; {
		select {
		case <-time.After(wait):
		case <-f.done:
			ended = true
		}
		worked := processorTime()
		c.each(func(r *follow.Recording) { f.countSpan(m, r, ended) })
		wait = max(metricsEvery, restFor*(processorTime()-worked))
	}
	close(final)
	if f.options.Linger > 0 && len(c.list) > 0 {
		select {
		case <-asked:
		case <-time.After(f.options.Linger):
		}
	}
}

// processorTime is what this process has had so far.
func processorTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// countSpan counts what is new in a recording.
func (f *followed) countSpan(m *metrics.Metrics, r *follow.Recording, last bool) {
	events := profile.Events{collections.Name: nil}
	p, err := r.Next(last, events)
	if err != nil {
		f.sayOnce("metrics: %v", err)
	}
	if p == nil {
		return
	}
	read := &recording{name: r.File, profile: p, events: events}
	var table *profile.EventTable
	for _, q := range registry.New().Questions() {
		if q.Observer == collections.Name && observed(p, &q) {
			table = read.eventTable(&q)
		}
	}
	m.Add(r.File, p, table)
	r.Taken(p)
}

// push sends what is new, until all was. Where the server cannot be reached, what was not sent is sent with what comes
// later: the recording has it.
func (f *followed) push(ctx context.Context, server *push.Server) {
	c := &cursors{followed: f}
	backoff := f.options.Every
	rest := time.Duration(0)
	for ended := false; !ended; {
		select {
		case <-time.After(max(backoff, rest)):
		case <-f.done:
			ended = true
		}
		worked := processorTime()
		if failed := f.pushAll(ctx, server, c, ended); failed {
			backoff = min(2*backoff, longestBackoff)
		} else {
			backoff = f.options.Every
		}
		rest = restFor * (processorTime() - worked)
	}
}

// pushAll sends what is new in all recordings; at the end it tries again for a while.
func (f *followed) pushAll(ctx context.Context, server *push.Server, c *cursors, last bool) (failed bool) {
	var deadline time.Time // from the first failure on, at the end
	c.each(func(r *follow.Recording) {
		for wait := time.Second; ; wait *= 2 {
			if failed && !last {
				return // the server is the same
			}
			if last && failed && time.Now().After(deadline) {
				f.say("not all of %[1]s was pushed to %[2]s; \"mallard push %[1]s URL\" sends all of it", r.File,
					server.Name())
				return
			}
			err := f.pushSpan(ctx, server, r, last)
			if err == nil {
				return
			}
			if !failed {
				deadline = time.Now().Add(lastPushes)
			}
			failed = true
			f.sayOnce("%s does not take profiles (%v); trying again", server.Name(), err)
			if !last {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
		}
	})
	return failed
}

// pushSpan sends what is new in a recording.
func (f *followed) pushSpan(ctx context.Context, server *push.Server, r *follow.Recording, last bool) error {
	p, err := r.Next(last)
	if err != nil {
		f.sayOnce("push: %v", err)
	}
	if p == nil {
		return nil
	}
	if err := server.Send(ctx, r.File, p); err != nil {
		return err
	}
	r.Taken(p)
	return nil
}
