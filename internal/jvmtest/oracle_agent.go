package jvmtest

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// An oracleAgent writes tables.
type oracleAgent struct {
	library string
	options []string // of the JVM
	format  string   // of its arguments, with FOLDER for that of its tables
	tables  []string // files that it writes
}

// wrote returns an error if a table is missing, as when the JVM was killed or has crashed.
func (a *oracleAgent) wrote(folder string) error {
	for _, table := range a.tables {
		if _, err := os.Stat(filepath.Join(folder, table)); err != nil {
			return fmt.Errorf("jvmtest: the oracle wrote no table: %w", err)
		}
	}
	return nil
}

// option makes the JVM load the agent.
func (a *oracleAgent) option(folder string) string {
	return "-agentpath:" + a.library + "=" + strings.ReplaceAll(a.format, "FOLDER", folder)
}

// newOracle compiles the oracle, which is to write tables, each into a file of its name.
func newOracle(tb testing.TB, jdk JDK, tables ...string) *oracleAgent {
	tb.Helper()
	var sources []string
	for _, name := range []string{"oracle.h", "oracle.c", "names.c", "sites.c", "stacks.c"} {
		sources = append(sources, filepath.Join(MustRoot(tb), "testdata", "oracle", name))
	}
	library, err := jdk.Agent(sources...)
	if err != nil {
		tb.Fatal(err)
	}
	var arguments []string
	for _, table := range tables {
		arguments = append(arguments, table+"=FOLDER/"+table)
	}
	return &oracleAgent{library: library, format: strings.Join(arguments, ","), tables: tables}
}

// errColumns says that a line of a table has too few columns, or too many.
var errColumns = errors.New("not as many columns as there should be")

// readTable calls row for each line of a table of the oracle.
func readTable(path string, row func(field []string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("jvmtest: the oracle wrote no table: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := row(strings.Split(lines.Text(), "\t")); err != nil {
			return fmt.Errorf("jvmtest: %s: %q: %w", path, lines.Text(), err)
		}
	}
	return lines.Err()
}

func parseCounts(field []string) (c Counts, err error) {
	for i, to := range []*int64{&c.Objects, &c.Bytes, &c.Elements}[:len(field)] {
		if *to, err = strconv.ParseInt(field[i], 10, 64); err != nil {
			return Counts{}, err
		}
	}
	return c, nil
}
