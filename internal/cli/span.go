package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// spanFlags are --from and --to.
type spanFlags struct{ from, to string }

// snapshotBounds says where spans of counts begin and end.
const snapshotBounds = "spans begin and end with a snapshot"

// addSpan adds the flags; verb says what is selected, e.g. allocated, and bounds where spans begin and end.
func addSpan(cmd *cobra.Command, verb, bounds string) *spanFlags {
	s := &spanFlags{}
	cmd.Flags().StringVar(&s.from, "from", "", "only what was "+verb+" from `TIME` on: since the start, e.g. "+
		"12.5s, before the end, e.g. -60s, or by the clock, e.g. 12:03; "+bounds)
	cmd.Flags().StringVar(&s.to, "to", "", "only what was "+verb+" until `TIME`, as for --from")
	completeFlag(cmd, "from", []string{"-60s", "10s"})
	completeFlag(cmd, "to", []string{"-10s", "60s"})
	return s
}

// given reports whether a span of the recording is asked for.
func (s *spanFlags) given() bool { return s.from != "" || s.to != "" }

// check refuses what is no time.
func (s *spanFlags) check() error {
	_, err := s.of(clock{})
	return err
}

// in gives the span in a recording.
func (s *spanFlags) in(file *trace.File) (span profile.Span, err error) {
	c, err := clockIn(file)
	if err != nil {
		return span, err
	}
	return s.of(c)
}

// of gives the span by a recording's clock.
func (s *spanFlags) of(c clock) (span profile.Span, err error) {
	if span.From, err = c.instant("from", s.from); err != nil {
		return span, err
	}
	if s.to == "" {
		return span, nil
	}
	if span.To, err = c.instant("to", s.to); err != nil {
		return span, err
	}
	if c.end > 0 && span.To <= span.From {
		return span, usagef("--to %s is not after --from %s", s.to, s.from)
	}
	return span, nil
}

// openWithin reads the span of a recording that flags ask for, or all of it, and the events that are wanted of it.
func (p *program) openWithin(name string, flags *spanFlags, events profile.Events) (r *recording, err error) {
	if flags.given() {
		r, err = p.openSpan(name, flags, events)
	} else {
		r, err = p.open(name, events)
	}
	if err != nil {
		return nil, err
	}
	r.events = events
	return r, nil
}

// openSpan reads a span of a recording that flags ask for.
func (p *program) openSpan(name string, flags *spanFlags, also ...profile.Consumer) (*recording, error) {
	return p.openPart(name, flags.in, also...)
}

// openPart reads a span of a recording.
func (p *program) openPart(name string, spanIn func(*trace.File) (profile.Span, error), also ...profile.Consumer) (
	*recording, error) {
	r := &recording{name: name}
	err := p.withFile(name, func(file *trace.File) error {
		span, err := spanIn(file)
		if err != nil {
			return err
		}
		reader, err := file.From(int64(span.From))
		if err != nil {
			return err
		}
		r.profile, err = profile.FoldSpan(reader, span, also...)
		return err
	}, &r.info)
	if err != nil {
		return nil, err
	}
	lookForOwn(r.profile)
	p.sayDamage(r)
	return r, nil
}

// withFile opens a recording to be read at any place.
func (p *program) withFile(name string, read func(*trace.File) error, info *os.FileInfo) error {
	opened, found, err := p.openFile(name)
	if err != nil {
		return err
	}
	defer opened.Close()
	if !found.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file, so --from and --to cannot be used", name)
	}
	*info = found
	file, err := trace.OpenFile(opened, found.Size())
	if err == nil {
		err = read(file)
	}
	if err != nil {
		return fileError(name, err)
	}
	return nil
}
