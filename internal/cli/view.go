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
	"mallard/internal/profile"
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

--base compares with another recording, as "mallard diff BASE FILE" does. A recording
with objects also has the page of "mallard heap --format html". Sources are looked for
as by "mallard source".`,
		Example: `  mallard view app.mallard
  mallard view --base before.mallard app.mallard
  mallard view --source src/main/java app.mallard`,
		Args:        oneRecording,
		Annotations: firstIsRecording,
	}
	flags := cmd.Flags()
	open := flags.Bool("open", false, "open the address in a browser")
	port := flags.Int("port", 0, "listen on this port of 127.0.0.1, 0 for any that is free")
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
			Others: map[string]func() (*view.Page, error){}}
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
}

// read reads the recording.
func (v *viewing) read() (err error) {
	v.recording, err = v.open(v.name)
	return err
}

// reading is what was read last.
func (v *viewing) reading() *view.Reading {
	r := &view.Reading{Profile: v.profile}
	if v.info.Mode().IsRegular() {
		r.Open = func() (io.ReadCloser, error) { return os.Open(v.name) }
	}
	return r
}

// silent is how long nothing is written to a recording that has not ended until that is said. Snapshots come once a
// second by default.
const silent = time.Minute

// readAgain reads a recording that goes on again, if there is more of it. That there was none for long is an error.
func (v *viewing) readAgain() (*view.Reading, error) {
	info, err := os.Stat(v.name)
	if err != nil {
		return nil, fileError(v.name, err)
	}
	if info.Size() == v.info.Size() && info.ModTime().Equal(v.info.ModTime()) {
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
func (v *viewing) others(to map[string]func() (*view.Page, error), mine *profile.Mine) (list [][2]string) {
	first := v.recording
	if v.base != nil {
		to["diff"] = func() (*view.Page, error) {
			return servedPage(true, func(w io.Writer) error { return compare(v.base, first, mine).Page(w, diffShare) })
		}
		list = append(list, [2]string{"diff", "Difference"})
	}
	if _, err := newHeapRecording(first, heap.NewReading(false), nil); err == nil {
		to["heap"] = func() (*view.Page, error) {
			r, err := v.openHeap(v.name)
			if err != nil {
				return nil, err
			}
			write, err := r.draw(heapPage, moment{"at", momentEnd}, heap.Query{By: []heap.By{heap.ByClass},
				Sort: profile.SortBytes})
			if err != nil {
				return nil, fileError(v.name, err)
			}
			return servedPage(true, write)
		}
		list = append(list, [2]string{"heap", "Heap"})
	}
	return list
}

// compare says what changed from one recording to another.
func compare(a, b *recording, mine *profile.Mine) *export.DiffReport {
	r := &export.DiffReport{}
	for side, of := range map[*export.DiffSide]*recording{&r.A: a, &r.B: b} {
		side.Files = []string{of.name}
		side.Recordings = []*profile.Profile{of.profile}
	}
	by := profile.BySite
	if a.profile.Tracked && b.profile.Tracked {
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
