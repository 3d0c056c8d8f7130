package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"mallard/internal/profile"
)

// settle takes apart what the program and what Mallard said, and leaves out what differs from run to run: reports of a
// JVM that crashes, whose lines begin with #, or say that there is no disassembler, and times; and what a JVM says of
// an archive that does not fit its options, which with Mallard it does not look for (docs/decisions/0075).
func (o *Outcome) settle() {
	var program, crash strings.Builder
	for line := range strings.Lines(o.Stderr) {
		if said, ok := strings.CutPrefix(line, "mallard: "); ok {
			o.Said = append(o.Said, strings.TrimSuffix(said, "\n"))
		} else {
			program.WriteString(line)
		}
	}
	o.Stderr = program.String()
	archive := false
	for line := range strings.Lines(o.Stdout) {
		archive = strings.Contains(line, "[warning][cds]") || archive && strings.HasPrefix(line, "[  ")
		if !archive && !strings.HasPrefix(line, "#") && !strings.Contains(line, "Loading hsdis library failed") {
			crash.WriteString(line)
		}
	}
	o.Stdout = uptime.ReplaceAllString(crash.String(), "[]")
}

// uptime is in front of what a JVM logs.
var uptime = regexp.MustCompile(`\[[0-9.]+s\]`)

// compare says what of an outcome is not as without Mallard.
func compare(plain, got *Outcome) error {
	var wrong []error
	if got.Hung {
		wrong = append(wrong, fmt.Errorf("it has not ended after %v", got.Took))
	}
	if got.Exit != plain.Exit && got.Exit != unknown {
		wrong = append(wrong, fmt.Errorf("exit code %d, not %d", got.Exit, plain.Exit))
	}
	for _, stream := range []struct{ name, want, got string }{{"output", plain.Stdout, got.Stdout},
		{"stderr", plain.Stderr, got.Stderr}} {
		if stream.want != stream.got {
			wrong = append(wrong, fmt.Errorf("%s %.500q, not %.500q", stream.name, stream.got, stream.want))
		}
	}
	if len(wrong) > 0 && len(got.Said) > 0 {
		wrong = append(wrong, fmt.Errorf("said %q", got.Said))
	}
	return errors.Join(wrong...)
}

// refused is what a launcher says where a JVM does not take its options.
const refused = "Could not create the Java Virtual Machine"

// checkRecording holds a recording against what was promised, of a program that ended as it did without Mallard.
func (c *Case) checkRecording(file string, plain *Outcome, said []string) error {
	promise := c.Ending.Promise
	if strings.Contains(plain.Stderr, refused) {
		promise = Unrecorded
	}
	info, err := os.Stat(file)
	if promise == Readable && (errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0) {
		return nil // the recorder died before it wrote anything
	}
	p, err := profile.Read(file)
	switch {
	case promise == Unrecorded:
		if len(said) != 1 {
			return fmt.Errorf("said %q, and not why nothing is recorded", said)
		}
		return nil
	case promise == Readable && errors.Is(err, profile.ErrEmpty):
		return nil // or before it wrote what the JVM is
	case err != nil:
		return fmt.Errorf("%w; said %q", err, said)
	}
	objects := map[string]int64{}
	for _, site := range p.Sites {
		if site.Class == "Endings" {
			objects[site.Type] += site.Amount.Objects
		}
	}
	markers, witnesses := objects["Endings$Marker"], objects["Endings$Witness"]
	switch {
	case promise == Readable && len(p.Damage) == 1 && p.Damage[0].Offset+p.Damage[0].Bytes == info.Size():
		return nil // or while it wrote the last block, which is cut off
	case promise == Readable && len(p.Damage) > 0:
		return fmt.Errorf("damage %v", p.Damage)
	case promise == Readable:
		return nil
	case p.Complete != (promise == Whole):
		return fmt.Errorf("complete %v (%s); said %q", p.Complete, p.Reason, said)
	case witnesses != 1 || promise == Whole && markers != c.Ending.Markers:
		return fmt.Errorf("%d markers, not %d, and %d witnesses; losses %v", markers, c.Ending.Markers, witnesses,
			p.Losses)
	}
	return nil
}
