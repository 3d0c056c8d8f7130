package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"mallard/internal/jvmtest"
)

// Startup is the time of a whole short process, started one way.
type Startup struct {
	Program string  `json:"program"`
	JDK     string  `json:"jdk"`
	How     string  `json:"how"`
	Millis  Spread  `json:"millis"`
	CPU     Spread  `json:"cpu_millis"` // processor time, which a busy machine disturbs less
	Ratio   float64 `json:"ratio"`      // of medians, to plain
}

// A start is one way to start a JVM. Each names what it adds to the one before.
type start struct {
	how     string
	options []string
	wrap    []string
}

// measureStartup starts short programs plain, with each part of an agent's cost alone, and under Mallard, all in turns, on each JDK.
func measureStartup(s *session) error {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	echo, err := listenEcho(filepath.Join(folder, "echo"))
	if err != nil {
		return err
	}
	defer echo.Close()
	s.figures.Startup = nil
	for _, jdk := range s.jdks {
		programs, err := s.startupPrograms(jdk, folder)
		if err != nil {
			return err
		}
		library, err := jdk.Agent(filepath.Join(s.root, "bench", "startup", "hook.c"))
		if err != nil {
			return err
		}
		agent := func(mode string) []string { return []string{"-agentpath:" + library + "=" + mode} }
		starts := []start{
			{how: "plain"},
			{how: "no class data sharing", options: []string{"-Xshare:off"}},
			{how: "late hook", options: agent("late")},
			{how: "early hook", options: agent("early")},
			{how: "early hook, socket", options: agent("socket=" + echo.path)},
			{how: "early hook, socket, new bytes", options: agent("define=" + echo.path)},
		}
		if _, err := os.Stat(s.mallard); err == nil {
			recording := filepath.Join(folder, "run.mallard")
			starts = append(starts, start{how: "mallard run", wrap: []string{s.mallard, "run", "-q", "--force", "-o", recording, "--"}})
		}
		for _, program := range programs {
			s.say("  %s, %v", program.name, jdk)
			rows, err := s.timeStarts(jdk, program, starts)
			if err != nil {
				return fmt.Errorf("%s, %v: %w", program.name, jdk, err)
			}
			s.figures.Startup = append(s.figures.Startup, rows...)
		}
	}
	return nil
}

// shortProgram is a command that ends by itself with exit code 0.
type shortProgram struct {
	name    string
	command jvmtest.Command
}

// manyClasses is the number of classes of the generated program.
const manyClasses = 10_000

func (s *session) startupPrograms(jdk jvmtest.JDK, folder string) ([]shortProgram, error) {
	hello, err := jdk.Javac(nil, filepath.Join(s.root, "bench", "startup", "Hello.java"))
	if err != nil {
		return nil, err
	}
	sources, err := writeManyClasses(filepath.Join(folder, "many"), manyClasses)
	if err != nil {
		return nil, err
	}
	many, err := jdk.Javac([]string{"-g:none"}, sources...)
	if err != nil {
		return nil, err
	}
	compile := []string{"-proc:none", "-d", filepath.Join(folder, "compiled"), filepath.Join(s.root, "testdata", "programs", "Interpreter.java")}
	return []shortProgram{
		{"hello", jvmtest.Command{Classpath: []string{hello}, Main: "Hello"}},
		{"javac, one file", jvmtest.Command{Options: []string{"-m"}, Main: "jdk.compiler/com.sun.tools.javac.Main", Args: compile}},
		{fmt.Sprintf("%d classes", manyClasses), jvmtest.Command{Classpath: []string{many}, Main: "Many"}},
	}, nil
}

// timeStarts runs a program each way, in turns; one round more at the beginning brings the files into memory.
func (s *session) timeStarts(jdk jvmtest.JDK, program shortProgram, starts []start) ([]Startup, error) {
	millis, cpu := make([][]float64, len(starts)), make([][]float64, len(starts))
	for round := range s.runs + 1 {
		for i, how := range starts {
			command := program.command
			command.Options = append(slices.Clone(how.options), command.Options...)
			command.Wrap = how.wrap
			output, err := jdk.Run(command)
			if err != nil {
				return nil, err
			}
			if output.ExitCode != 0 {
				return nil, fmt.Errorf("%s: exit code %d: %s", how.how, output.ExitCode, output.Stderr)
			}
			if round > 0 {
				millis[i] = append(millis[i], output.Elapsed.Seconds()*1e3)
				cpu[i] = append(cpu[i], output.CPU.Seconds()*1e3)
			}
		}
	}
	var rows []Startup
	for i, how := range starts {
		row := Startup{Program: program.name, JDK: jdk.Version, How: how.how, Millis: spread(millis[i]), CPU: spread(cpu[i])}
		rows = append(rows, row)
		rows[i].Ratio = row.Millis.Median / rows[0].Millis.Median
	}
	return rows, nil
}
