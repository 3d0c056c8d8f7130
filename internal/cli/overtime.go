package cli

import (
	"io"

	"mallard/internal/export"
	"mallard/internal/profile"
)

// reportOverTime reads a recording again and prints when it allocated.
func (p *program) reportOverTime(r *recording, q profile.TimeQuery, format string) error {
	file, info, err := openFile(r.name)
	if err != nil {
		return err
	}
	defer file.Close()
	progress := p.progress(info.Size(), "reading "+r.name+" again")
	timeline, err := r.profile.OverTime(io.TeeReader(file, progress), q)
	progress.Close()
	if err != nil {
		return fileError(r.name, err)
	}
	report := &export.OverTimeReport{File: r.name, Profile: r.profile, Timeline: timeline}
	write := map[string]func(io.Writer) error{"text": report.Text, "json": report.JSON, "csv": report.CSV}[format]
	return p.print(write)
}
