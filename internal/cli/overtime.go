package cli

import (
	"io"

	"mallard/internal/export"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// reportOverTime reads a recording again and prints when it allocated.
func (p *program) reportOverTime(r *recording, q profile.TimeQuery, format string,
	verbose bool) error {
	timeline, err := p.timeline(r, q)
	if err != nil {
		return err
	}
	report := &export.OverTimeReport{File: r.name, Profile: r.profile, Timeline: timeline, Events: r.eventTables(),
		Verbose: verbose}
	write := map[string]func(io.Writer) error{"text": report.Text, "json": report.JSON, "csv": report.CSV}[format]
	return p.print(write)
}

// timeline reads the recording, or its span, again.
func (p *program) timeline(r *recording, q profile.TimeQuery) (timeline *profile.Timeline, err error) {
	if r.profile.Span != nil {
		err = p.withFile(r.name, func(file *trace.File) error {
			timeline, err = r.profile.SpanOverTime(file, q)
			return err
		}, &r.info)
		return timeline, err
	}
	file, info, err := p.openFile(r.name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	progress := p.progress(info.Size(), "reading "+r.name+" again")
	defer progress.Close()
	if timeline, err = r.profile.OverTime(io.TeeReader(file, progress), q); err != nil {
		return nil, fileError(r.name, err)
	}
	return timeline, nil
}
