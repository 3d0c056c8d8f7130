package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"mallard/internal/jvmtest"
)

const (
	warmTurns  = 60 // at least
	warmWindow = 15
	warmLimit  = 240
	turnParts  = 10

	attachedFor = 20 * time.Second

	visitors = 2
)

// tomcatPackage has the server's libraries.
const tomcatPackage = "libtomcat10-java"

var tomcatJars = []string{"tomcat10-catalina", "tomcat10-coyote", "tomcat10-juli", "tomcat10-util",
	"tomcat10-util-scan", "tomcat10-api", "tomcat10-jni", "tomcat10-servlet-api", "tomcat10-annotations-api",
	"tomcat10-jaspic-api"}

// measureAttach has Mallard attached to a server that is under load, several times, and looks at what it does
// afterwards; and the same where the JVM replaces classes by themselves.
func measureAttach(s *session) error {
	var failures []error
	rows := map[[2]string]*Attached{}
	for range s.rounds {
		for _, jdk := range s.jdks {
			for _, way := range attachWays {
				s.say("  %v, %s", jdk, way)
				pair, err := s.attachPair(setting{jdk, s.collectors[0]}, way)
				if err != nil {
					failures = append(failures, fmt.Errorf("%s, %v: %w", way, jdk, err))
					continue
				}
				key := [2]string{jdk.Version, way}
				if rows[key] == nil {
					rows[key] = &Attached{JDK: jdk.Version, Way: way}
				}
				rows[key].Rounds = append(rows[key].Rounds, pair)
				put(&s.figures.Attached, *rows[key], func(r Attached) [2]string { return [2]string{r.JDK, r.Way} })
				if err := s.save(); err != nil {
					return err
				}
			}
		}
	}
	return errors.Join(failures...)
}

// attachPair measures two servers, one of which is attached to.
func (s *session) attachPair(at setting, way string) (pair AttachedPair, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	command, err := s.shop(at)
	if err != nil {
		return pair, err
	}
	var two servers
	for i, name := range []string{"attached", "other"} {
		if two[i], err = s.open(ctx, name, at.jdk, command); err != nil {
			return pair, err
		}
		defer two[i].close()
	}
	if pair.Warm, err = s.warm(two); err != nil {
		return pair, err
	}
	if pair.Before, err = s.phase(two, beforeTurns); err != nil {
		return pair, err
	}
	say := func(name string, p Phase) {
		s.say("    %s: %.3f of the other's processor time a request, %.3f of its throughput", name,
			p.relative(processorTime), p.relative(throughput))
	}
	say("before", pair.Before)
	for i := range attachments {
		if pair.During[i], err = s.whileAttached(ctx, two, at.jdk, way); err != nil {
			return pair, err
		}
		say("attached", pair.During[i])
		if pair.After[i], err = s.phase(two, afterTurns); err != nil {
			return pair, err
		}
		for _, part := range afterwards {
			say(fmt.Sprintf("%d to %d after", part[0]+1, part[1]), pair.After[i][part[0]:part[1]])
		}
	}
	return pair, nil
}

// warm has both servers work until requests do not get cheaper.
func (s *session) warm(two servers) (turns int, err error) {
	for before := math.Inf(1); turns < warmLimit; {
		p, err := s.phase(two, warmWindow)
		if err != nil {
			return 0, err
		}
		turns += len(p)
		var costs []float64
		for _, turn := range p {
			costs = append(costs, processorTime(turn.Attached)+processorTime(turn.Other))
		}
		now := median(costs)
		s.say("    %.1f us of processor time a request", now/2*1e6)
		if turns >= warmTurns && now > 0.99*before {
			break
		}
		before = now
	}
	return turns, nil
}

// phase takes turns.
func (s *session) phase(two servers, turns int) (p Phase, err error) {
	for len(p) < turns && err == nil {
		err = s.takeTurn(two, &p)
	}
	return p, err
}

// whileAttached takes turns until Mallard, or what stands for it, has left the first server again.
func (s *session) whileAttached(ctx context.Context, two servers, jdk jvmtest.JDK, way string) (p Phase, err error) {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	command, err := s.attaching(ctx, two[0].jvm, jdk, way, folder)
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() {
		output, err := command.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%s: %w: %s", way, err, output)
		}
		ended <- err
	}()
	for err == nil {
		select {
		case err := <-ended:
			return p, err
		default:
			err = s.takeTurn(two, &p)
		}
	}
	return p, errors.Join(err, <-ended)
}

// attaching is the command that attaches to a JVM in one of the ways, and ends when it has left.
func (s *session) attaching(ctx context.Context, pid int, jdk jvmtest.JDK, way, folder string) (*exec.Cmd, error) {
	length := attachedFor
	if s.short {
		length = time.Second
	}
	process := strconv.Itoa(pid)
	if way == attachWays[0] {
		return exec.CommandContext(ctx, s.mallard, "attach", process, "--for", length.String(),
			"-o", filepath.Join(folder, recordingName)), nil
	}
	classes, err := jdk.Javac(nil, filepath.Join(s.root, "bench", "attach", "Replace.java"))
	if err != nil {
		return nil, err
	}
	manifest, jar := filepath.Join(folder, "manifest"), filepath.Join(folder, "replace.jar")
	text := "Agent-Class: Replace\nCan-Retransform-Classes: true\n"
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		return nil, err
	}
	made := exec.CommandContext(ctx, jdk.Tool("jar"), "cfm", jar, manifest, "-C", classes, ".")
	if output, err := made.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("jar: %w: %s", err, output)
	}
	return exec.CommandContext(ctx, jdk.Tool("jcmd"), process, "JVMTI.agent_load", jar,
		strconv.FormatInt(length.Milliseconds(), 10)), nil
}

// takeTurn has each server work for a second, a tenth at a time, so that both find the machine as busy.
func (s *session) takeTurn(two servers, p *Phase) error {
	parts := turnParts
	if s.short {
		parts = 1
	}
	var turn ServedTurn
	served := [2]*Served{&turn.Attached, &turn.Other}
	for k := range 2 * parts {
		i := (k + k/2) % 2 // 0, 1, 1, 0
		if err := two[i].serve(time.Second/turnParts, served[i]); err != nil {
			return err
		}
	}
	*p = append(*p, turn)
	return nil
}

// servers are the one that is attached to and the other one.
type servers [2]*server

// A server is a JVM that runs bench/attach/Shop, with those who visit it.
type server struct {
	*player
	visitors [visitors]visitor
}

// shop is the command that runs the server.
func (s *session) shop(at setting) (jvmtest.Command, error) {
	jars, err := jars(tomcatJars, tomcatPackage)
	if err != nil {
		return jvmtest.Command{}, err
	}
	classes, err := at.jdk.Javac([]string{"-cp", strings.Join(jars, string(os.PathListSeparator))},
		filepath.Join(s.root, "bench", "attach", "Shop.java"))
	return jvmtest.Command{
		Options:   append(at.options(), "-XX:+AlwaysPreTouch"),
		Classpath: append([]string{classes}, jars...),
		Main:      "Shop",
	}, err
}

// open starts a server.
func (s *session) open(ctx context.Context, name string, jdk jvmtest.JDK, c jvmtest.Command) (*server, error) {
	inFolder := func(_ *builds, _ jvmtest.JDK, c jvmtest.Command, folder string) (jvmtest.Command, error) {
		c.Args = []string{folder}
		return c, nil
	}
	p, err := s.start(ctx, variant{name: name, command: inFolder}, jdk, c)
	if err != nil {
		return nil, err
	}
	port, err := p.await("port")
	if err != nil {
		p.end()
		return nil, err
	}
	open := &server{player: p}
	for i := range open.visitors {
		open.visitors[i].address = net.JoinHostPort("127.0.0.1", port)
	}
	return open, nil
}

// serve has all visitors ask for a while, and adds up what came of it.
func (s *server) serve(length time.Duration, sum *Served) error {
	began := time.Now()
	before, err := processClock(s.jvm)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	var requests, failed [visitors]int
	for i := range s.visitors {
		all.Go(func() { requests[i], failed[i] = s.visitors[i].visit(began.Add(length)) })
	}
	all.Wait()
	after, err := processClock(s.jvm)
	for i := range s.visitors {
		sum.Requests += requests[i]
		sum.Failed += failed[i]
	}
	sum.Seconds += time.Since(began).Seconds()
	sum.Processor += (after - before).Seconds()
	return err
}

func (s *server) close() {
	for i := range s.visitors {
		s.visitors[i].leave()
	}
	s.end()
}
