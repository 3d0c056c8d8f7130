package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"mallard/internal/diff"
	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/observe/collections"
	"mallard/internal/profile"
	"mallard/internal/trace"
	"mallard/internal/view"
)

func (p *program) viewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "view FILE|PID",
		Short: "Show a recording in a browser: flame graph, tables, source, time",
		Long: `Serve a page about a recording to a browser on this machine, and print its address:
flame graph (icicle; by class, by line), callers and callees of a method, tables,
source, threads and transactions, for any span of time and with filters. FILE may be a
recording that "mallard run" is writing, PID the process id of its JVM: then the page
is updated until it is paused.

The page gets its data in pieces from this command, which runs until Ctrl-C. It listens
on 127.0.0.1 only, part of the address is random, and the page loads nothing from
elsewhere. The part of the address after # holds the current selection; such links work
as long as this command runs. --open opens the page in a browser.

The span of time is chosen on the timeline, for all views. Garbage collections are
marked there if they were recorded ("run --track gc"), with pause, cause, and heap
before and after.

--base compares with another recording, as "mallard diff BASE FILE" does; a span is
compared with all of it, per second. A recording with objects also has the page of
"mallard heap --format html", for the span. Sources are looked for as by "mallard
source".`,
		Example: `  mallard view app.mallard
  mallard view --base before.mallard app.mallard
  mallard view --source src/main/java app.mallard`,
		Args:        oneRecording,
		Annotations: firstIsRecording,
	}
	flags := cmd.Flags()
	open := flags.Bool("open", false, "open the address in a browser")
	port := flags.Int("port", 0, "listen on `PORT` of 127.0.0.1, 0 for any that is free")
	base := flags.String("base", "", "compare with this recording, `FILE`")
	every := flags.Duration("every", 2*time.Second, "read a recording that goes on again after this `TIME`, "+
		"or later")
	paths := flags.StringSlice("source", nil, "look for sources in these `PATHS`, separated by commas (default .)")
	own := flags.String("mine", "", "your own code is these `CLASSES`, e.g. 'org.foo.*', or auto; the page begins "+
		"with all other code folded")
	completeFlag(cmd, "port", nil)
	completeFlag(cmd, "every", []string{"1s", "5s"})
	completeFlag(cmd, "mine", []string{mineAuto})
	p.bound.addFlag(cmd)
	flags.Lookup("max-memory").Usage = "stop if more memory than `SIZE` is needed, e.g. 4GiB (default 1 GiB plus " +
		"256 times the size of FILE, four times what other commands may take)"
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		const ports = 1 << 16
		switch {
		case *port < 0 || *port >= ports:
			return usagef("--port: %d is not a port, 0 to 65535", *port)
		case *every < 100*time.Millisecond:
			return usagef("--every: %v is less than 100ms", *every)
		}
		p.bound.times = 4 // it stays, is laid out for all questions, and is read again beside that
		v := &viewing{program: p, name: args[0]}
		if *base != "" {
			if info, err := os.Stat(*base); err == nil && info.Mode().IsRegular() {
				p.bound.more += stored(info)
			}
		}
		if err := v.read(); err != nil {
			return err
		}
		mine := v.recording.mine(*own)
		if mine != nil {
			if err := v.checkMine(mine); err != nil {
				return err
			}
		}
		if *base != "" {
			opened, err := p.open(*base)
			if err != nil {
				return err
			}
			v.base = opened
		}
		places := sourcesOf(v.profile, *paths)
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		o := view.Serving{First: v.reading(), Every: *every, Mine: mine, Find: places.find, Port: *port,
			Others: map[string]view.Other{}}
		if !v.profile.Ended() && o.First.Open != nil {
			o.Read = v.readAgain
		}
		others := v.others(o.Others, mine)
		o.Main = func() (*view.Page, error) {
			return servedPage(false, func(w io.Writer) error {
				return export.ServedPage(w, v.name, v.profile, mine, o.First.Open != nil, others)
			})
		}
		o.Ready = func(address string) {
			fmt.Fprintln(p.Stdout, address)
			if *open {
				p.browse(address)
			}
		}
		return p.Operations.View(ctx, o)
	}
	return cmd
}

// viewing is a recording that is served.
type viewing struct {
	*program
	*recording
	name string
	base *recording // nil for none

	heap *heapRecording // as it was read last; nil before it is asked for
}

// read reads the recording.
func (v *viewing) read() (err error) {
	events := profile.Events{collections.Name: nil}
	if v.recording, err = v.open(v.name, events); err == nil {
		v.recording.events = events
	}
	return err
}

// reading is what was read last.
func (v *viewing) reading() *view.Reading {
	r := &view.Reading{Profile: v.profile, Collections: v.collections()}
	if v.info.Mode().IsRegular() {
		r.Open = func() (io.ReadCloser, error) { return os.Open(v.name) }
	}
	return r
}

// silent is how long nothing is written to a recording that has not ended until that is said. Snapshots come once a
// second by default.
const silent = time.Minute

// isSame reports whether nothing was written to a file.
func isSame(a, b os.FileInfo) bool { return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) }

// readAgain reads a recording that goes on again, if there is more of it. That there was none for long is an error.
func (v *viewing) readAgain() (*view.Reading, error) {
	info, err := os.Stat(v.name)
	if err != nil {
		return nil, fileError(v.name, err)
	}
	if isSame(info, v.info) {
		if time.Since(info.ModTime()) > silent {
			return nil, fmt.Errorf("nothing was written to %s since %s; its program, or mallard, may have been killed",
				v.name, info.ModTime().Local().Format(time.DateTime))
		}
		return nil, nil
	}
	if err := v.read(); err != nil {
		return nil, err
	}
	return v.reading(), nil
}

// others adds the pages that stand in the main one, and gives their names and titles.
func (v *viewing) others(to map[string]view.Other, mine *profile.Mine) (list [][2]string) {
	if v.base != nil {
		to["diff"] = func(now *profile.Profile, span profile.Span) (*view.Page, error) {
			if span == (profile.Span{}) {
				return servedPage(true, func(w io.Writer) error {
					return compare(v.base, v.name, now, mine).Page(w, diffShare)
				})
			}
			part, err := v.openPart(v.name, func(*trace.File) (profile.Span, error) { return span, nil })
			if err != nil {
				return nil, err
			}
			report := compare(v.base, v.name, part.profile, mine)
			return servedPage(true, func(w io.Writer) error { return report.Page(w, diffShare) })
		}
		list = append(list, [2]string{"diff", "Difference"})
	}
	if tracksObjects(v.profile) {
		to["heap"] = func(_ *profile.Profile, span profile.Span) (*view.Page, error) { return v.heapPage(span) }
		list = append(list, [2]string{"heap", "Heap"})
	}
	return list
}

// heapPage is about what the heap was in a span, and where objects were at its end. Pages are made one at a time.
func (v *viewing) heapPage(span profile.Span) (*view.Page, error) {
	info, err := os.Stat(v.name)
	if err != nil {
		return nil, fileError(v.name, err)
	}
	if v.heap == nil || !isSame(info, v.heap.info) {
		if v.heap, err = v.openHeap(v.name); err != nil {
			return nil, err
		}
	}
	at, err := v.heap.history.End()
	if err != nil {
		return nil, fileError(v.name, err)
	}
	if span.To > 0 {
		if by, err := v.heap.history.At(span.To); err == nil { // else it ends before the first collection
			at = by
		}
	}
	return servedPage(true, func(w io.Writer) error {
		return heapPage(v.heap, at, heap.Query{By: []heap.By{heap.ByClass}, Sort: profile.SortBytes, Span: span}, w)
	})
}

// compare says what changed from one recording to another: per second where of the other one a span was read.
func compare(a *recording, name string, b *profile.Profile, mine *profile.Mine) *export.DiffReport {
	r := &export.DiffReport{}
	r.A.Files, r.A.Recordings = []string{a.name}, []*profile.Profile{a.profile}
	r.B.Files, r.B.Recordings = []string{name}, []*profile.Profile{b}
	if b.Span != nil && a.profile.Seconds() > 0 && b.Seconds() > 0 {
		r.Unit = perSecond
		r.A.Units, r.B.Units = []float64{a.profile.Seconds()}, []float64{b.Seconds()}
	}
	by := profile.BySite
	if a.profile.Tracked && b.Tracked {
		by = profile.ByContext
	}
	r.Answer = diff.Compare(&r.A.Side, &r.B.Side, diff.Query{
		Query: profile.Query{By: by, Sort: profile.SortBytes, Mine: mine}, Min: diffShare, All: true})
	return r
}

// servedPage makes a page, which may stand in another one.
func servedPage(within bool, write writer) (*view.Page, error) {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return nil, err
	}
	return &view.Page{Text: text.Bytes(), Policy: export.PagePolicy(text.Bytes(), within)}, nil
}

// browse opens an address in the browser that the user prefers.
func (p *program) browse(address string) {
	browser := os.Getenv("BROWSER")
	if browser == "" {
		browser = "xdg-open"
	}
	command := exec.Command(browser, address)
	if err := command.Start(); err != nil {
		p.say("--open: %v", err)
		return
	}
	go command.Wait()
}
