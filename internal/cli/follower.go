package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"mallard/internal/push"
)

// followOptions say what another process does with recordings while they are written. They are what it reads first.
type followOptions struct {
	Push    string // URL; "" for none
	Every   time.Duration
	Metrics string // address; "" for none
	Series  int
	Linger  time.Duration
	Labels  labels
}

// Bounds of what is asked for.
const (
	shortestPush  = time.Second
	defaultSeries = 100
	mostSeries    = 10_000
	// followerTime is how long it may take at the end to read the rest, and to send it
	followerTime = time.Minute
)

// addFollow adds the flags.
func addFollow(cmd *cobra.Command) *followOptions {
	o := &followOptions{}
	flags := cmd.Flags()
	flags.StringVar(&o.Push, "push", "", "send what is allocated to a Pyroscope server at this `URL`")
	flags.DurationVar(&o.Every, "push-every", 10*time.Second, "with --push: send it each `TIME`")
	flags.StringVar(&o.Metrics, "metrics", "", "answer Prometheus at this `ADDRESS`: :9464 is a port of this machine "+
		"alone, 0.0.0.0:9464 one that others reach")
	flags.IntVar(&o.Series, "metrics-series", defaultSeries, "with --metrics: `N` packages, classes and transactions "+
		"of a program have counters of their own at most, the rest is other")
	flags.DurationVar(&o.Linger, "metrics-linger", 0, "with --metrics: when the program has ended answer until it was "+
		"asked once more, for `TIME` at most")
	o.Labels = addLabels(cmd, "with --push: a label of the profiles, e.g. version=1.1; may be repeated")
	completeFlag(cmd, "push", []string{"http://127.0.0.1:4040"})
	completeFlag(cmd, "metrics", []string{":9464"})
	for _, name := range []string{"push-every", "metrics-series", "metrics-linger"} {
		completeFlag(cmd, name, nil)
	}
	return o
}

// check refuses what cannot be carried out, and completes the labels.
func (o *followOptions) check(output string) error {
	switch {
	case o.Push == "" && len(o.Labels) > 0:
		return usagef("--label needs --push")
	case o.Push == "" && o.Metrics == "":
		return nil
	case o.Every < shortestPush:
		return usagef("--push-every: %v is less than %v", o.Every, shortestPush)
	case o.Series < 1 || o.Series > mostSeries:
		return usagef("--metrics-series: %d is not a number from 1 to %d", o.Series, mostSeries)
	case o.Linger < 0:
		return usagef("--metrics-linger: %v is less than 0", o.Linger)
	}
	if info, err := os.Stat(output); err == nil && !info.Mode().IsRegular() {
		return usagef("--push and --metrics need a regular file, which %s is not", output)
	}
	if o.Push == "" {
		return nil
	}
	if _, given := o.Labels["host"]; !given {
		if host, err := os.Hostname(); err == nil {
			o.Labels["host"] = host
		}
	}
	if _, err := push.NewServer(o.Push, os.Getenv, o.Labels); err != nil {
		return usagef("--push: %v", err)
	}
	return nil
}

// follower is the process that follows the recordings, nil for none.
type follower struct {
	command *exec.Cmd
	files   chan string
	ended   chan error
	linger  time.Duration
}

// startFollower starts it before the program, so that an address that is taken is found then.
func (p *program) startFollower(o *followOptions, output string) (*follower, error) {
	if err := o.check(output); err != nil {
		return nil, err
	}
	if o.Push == "" && o.Metrics == "" {
		return nil, nil
	}
	binary, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f := &follower{command: exec.Command(binary, "follow"), files: make(chan string, 1024), ended: make(chan error, 1),
		linger: o.Linger}
	f.command.Stderr = p.Stderr
	f.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the program
	if o.Metrics != "" {
		listener, err := listen(o.Metrics)
		if err != nil {
			return nil, usagef("--metrics: %v", err)
		}
		defer listener.Close()
		p.say("metrics at http://%s/metrics", listener.Addr())
		file, err := listener.File()
		if err != nil {
			return nil, err
		}
		defer file.Close()
		f.command.ExtraFiles = []*os.File{file}
	}
	in, err := f.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := f.command.Start(); err != nil {
		return nil, fmt.Errorf("cannot follow the recording: %w", err)
	}
	go f.tell(in, o)
	go func() { f.ended <- f.command.Wait() }()
	return f, nil
}

// listen gives a socket of this machine alone, unless a host is given.
func listen(address string) (*net.TCPListener, error) {
	if !strings.Contains(address, ":") {
		address = ":" + address
	}
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, err
	}
	return net.ListenTCP("tcp", resolved)
}

// tell writes to the process: what it is to do, then the files. It may have to wait, which nobody else does.
func (f *follower) tell(in io.WriteCloser, o *followOptions) {
	defer in.Close()
	to := json.NewEncoder(in)
	if to.Encode(o) != nil {
		return
	}
	for file := range f.files {
		if to.Encode(file) != nil {
			return
		}
	}
}

// opened takes the recordings that begin; nil for no follower.
func (f *follower) opened() func(file string) {
	if f == nil {
		return nil
	}
	return func(file string) {
		select {
		case f.files <- file:
		default: // it reads nothing
		}
	}
}

// end waits until all was sent, for a while.
func (f *follower) end(p *program) {
	if f == nil {
		return
	}
	close(f.files)
	select {
	case err := <-f.ended:
		if err != nil {
			p.say("what follows the recording has failed: %v", err)
		}
	case <-time.After(followerTime + f.linger):
		f.command.Process.Kill()
		<-f.ended
		p.say("what follows the recording took too long")
	}
}
