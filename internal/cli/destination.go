package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// pprofExtension is how pprof's files are named.
const pprofExtension = ".pb.gz"

// binaryExtensions is how files are named of formats that no terminal shows.
var binaryExtensions = map[string]string{"pprof": pprofExtension, "parquet": ".parquet", "jfr": ".jfr"}

// destination is where an answer goes that may be for other tools: the flags -o and --force.
type destination struct {
	output string
	force  bool
}

// addDestination adds the flags.
func addDestination(cmd *cobra.Command) *destination {
	d := &destination{}
	cmd.Flags().StringVarP(&d.output, "output", "o", "", "write to `OUT`, - for standard output")
	cmd.Flags().BoolVar(&d.force, "force", false, "overwrite OUT if it exists")
	return d
}

// name is a file's name, or stdoutName.
func (d *destination) name(p *program, format, recording string) (string, error) {
	binary, isBinary := binaryExtensions[format]
	toTerminal := isBinary && isTerminal(p.Stdout)
	switch {
	case d.output == stdoutName && toTerminal:
		return "", usagef("%s output is binary and is not written to a terminal; use -o OUT%s", format, binary)
	case d.output != "":
		return d.output, nil
	case toTerminal:
		return strings.TrimSuffix(filepath.Base(recording), "."+extension) + binary, nil
	}
	return stdoutName, nil
}

// write writes an answer about a recording, or several, to a file of that name.
func (d *destination) write(p *program, name string, write writer, about ...*recording) error {
	if name == stdoutName {
		return p.print(write)
	}
	info, err := os.Stat(name)
	for _, r := range about {
		for _, part := range r.all() {
			if err == nil && os.SameFile(info, part.info) {
				return usagef("%s is the recording itself; choose another output file", name)
			}
		}
	}
	part := partOf(name)
	p.bound.temporary.Store(&part)
	if err := writeFile(name, exportMode, d.force, p.bound.within(write)); err != nil {
		return err
	}
	p.say("wrote %s", name)
	return nil
}
