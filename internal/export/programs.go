package export

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// programName names one of several programs: main class and process.
func programName(p *trace.Program) string {
	main, _ := profile.MainProgram(p.Command)
	return fmt.Sprintf("%s (pid %d)", cmp.Or(main, "java"), p.PID)
}

// commandLine prints arguments so that they can be told apart.
func commandLine(arguments []string) string {
	quoted := make([]string, len(arguments))
	for i, argument := range arguments {
		quoted[i] = argument
		if argument == "" || strings.ContainsAny(argument, " \t\n\"'\\") {
			quoted[i] = strconv.Quote(argument)
		}
	}
	return strings.Join(quoted, " ")
}

// programsNamed is how many different programs a header names.
const programsNamed = 5

// addPrograms says in one line what a merged recording is the sum of.
func addPrograms(f *facts, p *profile.Profile) {
	times := map[string]int{}
	var names []string
	for i := range p.Programs {
		main, _ := profile.MainProgram(p.Programs[i].Command)
		main = cmp.Or(main, "java")
		if times[main]++; times[main] == 1 {
			names = append(names, main)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(times[b], times[a]) })
	var parts []string
	for i, name := range names {
		if i == programsNamed {
			parts = append(parts, fmt.Sprintf("%d more", len(names)-i))
			break
		}
		if times[name] > 1 {
			name += fmt.Sprintf(" (%d)", times[name])
		}
		parts = append(parts, name)
	}
	text := counted(int64(len(p.Programs)), "program") + ": " + strings.Join(parts, ", ") + "; ran " +
		seconds(p.Duration) + " in all"
	if !p.Started.IsZero() {
		text += ", the first from " + p.Started.Local().Format("2006-01-02 15:04:05 -07:00")
	}
	f.add("Programs", text)
}

// addEachProgram says of each what ran.
func addEachProgram(f *facts, p *profile.Profile) {
	for i := range p.Programs {
		program := &p.Programs[i]
		f.add(fmt.Sprintf("  %d", i+1), program.File+": "+commandLine(program.Command),
			fmt.Sprintf("%s %s, %s, pid %d, ran %s", program.JVMName, program.JVMVersion, program.GC, program.PID,
				seconds(time.Duration(program.Nanos))))
	}
}
