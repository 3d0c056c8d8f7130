package cli

import (
	"fmt"
	"io"
	"os"

	"mallard/internal/classpath"
	"mallard/internal/profile"
)

// recording is an opened and folded recording.
type recording struct {
	name    string
	info    os.FileInfo
	profile *profile.Profile
	events  profile.Events // that were asked for
	parts   []*recording   // that it is the sum of; none of one that is in a file
}

// openFile opens what may be a recording.
func (p *program) openFile(name string) (*os.File, os.FileInfo, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, fileError(name, err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = fileError(name, err)
	case info.IsDir():
		err = fmt.Errorf("%s is a directory", name)
	case info.Mode().IsRegular() && info.Size() == 0:
		err = fmt.Errorf("%s is empty: recording never began", name)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	if p.bound.start(name, info) {
		p.limitMemory()
	}
	return file, info, nil
}

// open reads a recording. Damage is reported and passed over.
func (p *program) open(name string, also ...profile.Consumer) (*recording, error) {
	return p.openWith(name, func(r io.Reader) (*profile.Profile, error) { return profile.Fold(r, also...) })
}

// openWith is open, given how to fold.
func (p *program) openWith(name string, fold func(io.Reader) (*profile.Profile, error)) (*recording, error) {
	file, info, err := p.openFile(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	progress := p.progress(info.Size(), "reading "+name)
	folded, err := fold(io.TeeReader(file, progress))
	progress.Close()
	if err != nil {
		return nil, fileError(name, err)
	}
	lookForOwn(folded)
	r := &recording{name: name, info: info, profile: folded}
	p.sayDamage(r)
	return r, nil
}

// lookForOwn has the user's own code looked for where the program's class path leads, when somebody asks.
func lookForOwn(p *profile.Profile) {
	if p.Process != nil {
		p.Own = func(main string) classpath.Own { return classpath.FindOwn(p.Process.Command, main) }
	}
}

// sayDamage warns of damage.
func (p *program) sayDamage(r *recording) {
	damage := r.profile.Damage
	if len(damage) == 0 {
		return
	}
	places := fmt.Sprintf("%d places, first", len(damage))
	if len(damage) == 1 {
		places = "1 place"
	}
	p.say("%s is damaged in %s at offset %d (%s); the rest is shown", r.name, places, damage[0].Offset,
		damage[0].Reason)
}
