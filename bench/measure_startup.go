package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"mallard/internal/jvmtest"
	"mallard/internal/launch"
	"mallard/internal/payload"
	"mallard/internal/placement"
	recording "mallard/internal/session"
)

// A start is one way to start a JVM.
type start struct {
	how  string
	part string
	run  func(jvmtest.Command) error
}

// shortProgram is a command that ends by itself with exit code 0.
type shortProgram struct {
	name    string
	command jvmtest.Command
}

// manyClasses is the number of classes of the generated program.
const manyClasses = 10_000

// measureStartup starts short programs plain, with one part more of an agent's cost at a time, and under Mallard, all
// in turns, on each JDK.
func measureStartup(s *session) error {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, jdk := range s.installed {
		programs, err := s.startupPrograms(jdk, folder)
		if err != nil {
			return err
		}
		for _, program := range programs {
			s.say("  %s, %v", program.name, jdk)
			err := s.timeStarts(jdk, program, func(rows []Startup) error {
				for _, row := range rows {
					put(&s.figures.Startup, row, func(r Startup) startKey { return r.startKey })
				}
				return s.save()
			})
			if err != nil {
				return fmt.Errorf("%s, %v: %w", program.name, jdk, err)
			}
		}
	}
	return nil
}

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
	compile := []string{"-proc:none", "-d", filepath.Join(folder, "compiled"), filepath.Join(s.root, "testdata",
		"programs", "Interpreter.java")}
	return []shortProgram{
		{"hello", jvmtest.Command{Classpath: []string{hello}, Main: "Hello"}},
		{"javac, one file", jvmtest.Command{Options: []string{"-m"}, Main: "jdk.compiler/com.sun.tools.javac.Main",
			Args: compile}},
		{fmt.Sprintf("%d classes", manyClasses), jvmtest.Command{Classpath: []string{many}, Main: "Many"}},
	}, nil
}

// timeStarts runs a program each way, in turns; one round more at the beginning brings the files into memory. keep gets
// what was measured so far after each round.
func (s *session) timeStarts(jdk jvmtest.JDK, program shortProgram, keep func([]Startup) error) error {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	starts, stop, err := s.starts(jdk, folder)
	if err != nil {
		return err
	}
	defer stop()
	rows := make([]Startup, len(starts))
	for round := range s.rounds + 1 {
		s.awaitQuiet()
		for i, how := range starts {
			before := readClock()
			if err := how.run(program.command); err != nil {
				return fmt.Errorf("%s: %w", how.how, err)
			}
			spent := readClock().since(before)
			if round > 0 {
				row := &rows[i]
				row.startKey, row.Part = startKey{jdk.Version, program.name, how.how}, how.part
				row.Millis = append(row.Millis, spent.elapsed.Seconds()*1e3)
				row.CPU = append(row.CPU, spent.own.Seconds()*1e3)
				row.Others = append(row.Others, spent.others())
			}
		}
		if round > 0 {
			if err := keep(rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// starts lists the ways, each of which does one thing more than the one before. Whoever answers JVMs does so until stop
// is called.
func (s *session) starts(jdk jvmtest.JDK, folder string) (list []start, stop func(), err error) {
	var servers []io.Closer
	stop = func() {
		for _, server := range servers {
			server.Close()
		}
	}
	hook, err := jdk.Agent(filepath.Join(s.root, "bench", "startup", "hook.c"))
	if err != nil {
		return nil, stop, err
	}
	agent, err := payload.Agent()
	if err != nil {
		return nil, stop, err
	}
	with := func(options ...string) func(jvmtest.Command) error {
		return func(c jvmtest.Command) error {
			c.Options = append(slices.Clone(options), c.Options...)
			return succeed(jdk.Run(c))
		}
	}
	echo, err := listenEcho(filepath.Join(folder, "echo"))
	if err != nil {
		return nil, stop, err
	}
	servers = append(servers, echo)
	list = []start{
		{plain, "", with()},
		{"no class data sharing", "class data sharing lost", with("-Xshare:off")},
		{"early hook", "hook", with("-agentpath:" + hook + "=early")},
		{"early hook, socket", "socket", with("-agentpath:" + hook + "=socket=" + echo.path)},
	}
	for _, partial := range []struct {
		how, part string
		answer    func(*conversation, string, []byte) []byte
	}{
		{"agent, classes unchanged", "agent", rewriteThreads},
		{"agent, rewritten classes from memory", "slower interpretation", remembered()},
		{"agent, classes rewritten", "rewriting", rewrite},
	} {
		server, err := listenPartial(filepath.Join(folder, fmt.Sprint(len(list))), partial.answer)
		if err != nil {
			return nil, stop, err
		}
		servers = append(servers, server)
		run := with("-agentpath:" + agent + "=socket=" + server.path)
		list = append(list, start{partial.how, partial.part, func(c jvmtest.Command) error {
			before := server.ended.Load()
			err := run(c)
			if err == nil && server.ended.Load() == before {
				err = errors.New("the agent gave up")
			}
			return err
		}})
	}
	file := filepath.Join(folder, recordingName)
	run := func(flags ...string) func(jvmtest.Command) error {
		return func(c jvmtest.Command) error {
			c.Wrap = slices.Concat([]string{s.mallard, "run", "-q", "--force", "-o", file}, flags, []string{"--"})
			return succeed(jdk.Run(c))
		}
	}
	return append(list,
		start{"recorder in this process", "recording", func(c jvmtest.Command) error {
			words := jdk.Exec(context.Background(), c).Args
			code, err := launch.Run(context.Background(), launch.Options{
				Command: words, Output: file, Force: true, Quiet: true, Stderr: os.Stderr,
				Record: recording.Options{NoCache: true, Placement: placement.Optimal},
			})
			return succeed(jvmtest.Output{ExitCode: code}, err)
		}},
		start{"mallard run --no-cache", "start of the recorder", run("--no-cache")},
		start{"mallard run", "classes in the cache", run()},
		start{lateHook, "", with("-agentpath:" + hook + "=late")},
	), stop, nil
}

// succeed makes an error of an exit code.
func succeed(output jvmtest.Output, err error) error {
	if err == nil && output.ExitCode != 0 {
		err = fmt.Errorf("exit code %d: %s", output.ExitCode, output.Stderr)
	}
	return err
}
