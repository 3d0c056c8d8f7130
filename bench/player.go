package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"mallard/internal/jvmtest"
)

// A player is a JVM that runs an iteration when it is told to.
type player struct {
	name       string
	folder     string
	safepoints bool // the JVM logs them in the folder
	command    *exec.Cmd
	say        io.WriteCloser
	hear       *bufio.Scanner
	complain   *strings.Builder
	jvm        int // process
	checksum   string
}

func (s *session) start(ctx context.Context, v variant, jdk jvmtest.JDK, plain jvmtest.Command) (*player, error) {
	p := &player{name: v.name, safepoints: v.safepoints, complain: new(strings.Builder)}
	err := s.preparePages()
	if err != nil {
		return nil, err
	}
	if p.folder, err = os.MkdirTemp("", "mallard-bench-"); err != nil {
		return nil, err
	}
	c, err := v.command(&s.builds, jdk, plain, p.folder)
	if err == nil {
		if p.safepoints {
			c.Options = append(slices.Clone(c.Options), safepointOption(p.folder))
		}
		p.command = jdk.Exec(ctx, c)
		p.command.Stdin, p.command.Stderr = nil, p.complain
		p.say, err = p.command.StdinPipe()
	}
	if err == nil {
		var out io.Reader
		out, err = p.command.StdoutPipe()
		p.hear = bufio.NewScanner(out)
	}
	if err == nil {
		err = p.command.Start()
	}
	if err == nil {
		var pid string
		if pid, err = p.await("process"); err == nil {
			p.jvm, err = strconv.Atoi(pid)
		}
	}
	if err != nil {
		p.end()
		return nil, err
	}
	return p, nil
}

// await reads up to a line that begins with a word, and gives the rest of it.
func (p *player) await(word string) (rest string, err error) {
	for p.hear.Scan() {
		if first, rest, _ := strings.Cut(p.hear.Text(), " "); first == word {
			return rest, nil
		}
	}
	p.stop() // or it may still complain
	return "", errors.Join(p.hear.Err(), fmt.Errorf("%s: ended before it said %s: %s", p.name, word, p.complain))
}

// goOn has the workload do what is next, up to the line that begins with a word.
func (p *player) goOn(word string) (rest string, err error) {
	if _, err := io.WriteString(p.say, "\n"); err != nil {
		return "", err
	}
	return p.await(word)
}

// spent is a player's processor time so far.
type spent struct {
	all     time.Duration      // of the JVM and of what started it
	threads map[string]float64 // seconds, by kind
}

// clocks reads that of each player.
func clocks(players []*player) (map[string]spent, error) {
	clocks := map[string]spent{}
	for _, p := range players {
		var now spent
		var err error
		if now.threads, err = p.threadClocks(); err != nil {
			return nil, err
		}
		processes := []int{p.jvm, p.command.Process.Pid}
		for _, pid := range slices.Compact(processes) {
			of, err := processClock(pid)
			if err != nil {
				return nil, err
			}
			now.all += of
		}
		clocks[p.name] = now
	}
	return clocks, nil
}

// threadClocks is that of the JVM's threads and the recorder.
func (p *player) threadClocks() (map[string]float64, error) {
	clocks, err := threadClocks(p.jvm)
	if err == nil && p.command.Process.Pid != p.jvm {
		var recorder time.Duration
		recorder, err = processClock(p.command.Process.Pid)
		clocks[recorderThreads] = recorder.Seconds()
	}
	return clocks, err
}

// finish has the workload end, reads its checksum and gives the processor time of all.
func (p *player) finish() (whole time.Duration, err error) {
	if p.checksum, err = p.goOn("checksum"); err != nil {
		return 0, err
	}
	for p.hear.Scan() {
	}
	if err := p.command.Wait(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", p.name, err, p.complain)
	}
	// of those, too, that it has waited for
	return p.command.ProcessState.UserTime() + p.command.ProcessState.SystemTime(), nil
}

// stop ends what is still running.
func (p *player) stop() {
	if p.command != nil && p.command.Process != nil && p.command.ProcessState == nil {
		p.command.Process.Kill()
		p.command.Wait()
	}
}

// end stops what is still running, and removes its files.
func (p *player) end() {
	p.stop()
	os.RemoveAll(p.folder)
}
