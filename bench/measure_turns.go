package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"mallard/internal/jvmtest"
)

// measureTurns measures the variants that are asked for.
func measureTurns(s *session) error { return s.measureInTurns(s.variants, &s.figures.Turns, sayTurns) }

// measureTracks measures what else than sites can be tracked.
func measureTracks(s *session) error {
	of, err := selectVariants(strings.Join([]string{mallard, mallardObjects, mallardSampled, mallardReplicas}, ","))
	return errors.Join(err, s.measureInTurns(of, &s.figures.Tracks, sayTurns))
}

// measureObjects measures what objects take, and their sites, with pauses.
func measureObjects(s *session) error {
	of, err := selectVariants(strings.Join([]string{mallard, mallardUntagged, mallardObjects}, ","))
	return errors.Join(err, s.measureInTurns(withSafepoints(of), &s.figures.Objects, sayObjects))
}

// sayObjects says what a round has taken with objects.
func sayObjects(round map[string]Turn) string {
	with, without := round[mallardObjects], round[plain]
	return fmt.Sprintf("%.2f of the plain run's processor time in steady state, %.2f of its wall time",
		with.Steady/without.Steady, with.Elapsed/without.Elapsed)
}

// sayTurns says what a round has taken.
func sayTurns(round map[string]Turn) string {
	return fmt.Sprintf("%.2f of the plain run's processor time, %.2f in steady state",
		round[mallard].Whole/round[plain].Whole, round[mallard].Steady/round[plain].Steady)
}

// measureInTurns measures round by round, as measureRuntime does, and says what each has.
func (s *session) measureInTurns(variants []variant, figures *[]Turns, say func(map[string]Turn) string) error {
	var failures []error
	rows := map[string]*Turns{}
	for range s.rounds {
		for _, at := range s.settings() {
			for _, w := range s.workloads {
				if !w.runsOn(at.jdk) {
					continue
				}
				round, err := s.takeTurns(w, at, variants)
				if err != nil {
					failures = append(failures, fmt.Errorf("%s, %v: %w", w.Name, at, err))
					continue
				}
				row := rows[w.Name+at.String()]
				if row == nil {
					row = &Turns{subject: subject{at.jdk.Version, w.Name}, Collector: at.collector}
					rows[w.Name+at.String()] = row
				}
				row.Rounds = append(row.Rounds, round)
				put(figures, *row, func(r Turns) [2]any { return [2]any{r.subject, r.Collector} })
				s.say("  %v, %s: %s", at, w.Name, say(round))
				if err := s.save(); err != nil {
					return err
				}
			}
		}
	}
	return errors.Join(failures...)
}

// takeTurns runs a workload in all variants.
func (s *session) takeTurns(w Workload, at setting, variants []variant) (map[string]Turn, error) {
	if s.short {
		w.Warmup, w.Timed = 0, 1
	}
	command, err := w.command(at, s.root)
	if err != nil {
		return nil, err
	}
	// The heap is touched at once: memory that nobody has used for two seconds is dearer (preparePages).
	command.Options = append(command.Options, "-XX:+AlwaysPreTouch")
	return s.playTurns(at.jdk, command, w.Warmup, w.Timed, variants)
}

// playTurns runs a workload's command, which says how many iterations there are.
func (s *session) playTurns(jdk jvmtest.JDK, command jvmtest.Command, warmup, timed int,
	variants []variant) (map[string]Turn, error) {
	command.Options = append(slices.Clone(command.Options), "-Dworkload.turns=true")
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	var players []*player
	defer func() {
		for _, p := range players {
			p.end()
		}
	}()
	for _, v := range variants {
		p, err := s.start(ctx, v, jdk, command)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
		players = append(players, p)
	}
	var began map[string]spent
	var beganAt int64 // in ms since 1970
	elapsed := map[string]time.Duration{}
	for i := range warmup + timed {
		if i == warmup {
			var err error
			if began, err = clocks(players); err != nil {
				return nil, err
			}
			beganAt = time.Now().UnixMilli()
			clear(elapsed)
		}
		// Not one after the other in a circle: then each would always find the caches as the same one left them.
		for _, k := range rand.New(rand.NewPCG(0, uint64(i))).Perm(len(players)) {
			at := time.Now()
			if _, err := players[k].goOn("turn"); err != nil {
				return nil, err
			}
			elapsed[players[k].name] += time.Since(at)
		}
	}
	endedAt := time.Now().UnixMilli()
	ended, err := clocks(players)
	if err != nil {
		return nil, err
	}
	round := map[string]Turn{}
	for _, p := range players {
		memory, recorder := mostResident(p.jvm), 0.0
		if p.command.Process.Pid != p.jvm {
			recorder = mostResident(p.command.Process.Pid)
		}
		whole, err := p.finish()
		if err != nil {
			return nil, err
		}
		turn := Turn{Whole: whole.Seconds(), Steady: (ended[p.name].all - began[p.name].all).Seconds(),
			Elapsed: elapsed[p.name].Seconds(), Memory: memory, Recorder: recorder}
		turn.Threads = spentByThreads(began[p.name].threads, ended[p.name].threads, turn.Steady)
		if p.safepoints {
			list, err := readSafepoints(p.folder)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			turn.Pauses = sumPauses(list, beganAt, endedAt)
		}
		round[p.name] = turn
		if p.checksum != players[0].checksum {
			return nil, fmt.Errorf("%s: checksum %s, without a profiler %s", p.name, p.checksum, players[0].checksum)
		}
	}
	return round, nil
}

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
