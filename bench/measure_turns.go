package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
