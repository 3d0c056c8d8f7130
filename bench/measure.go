package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"mallard/internal/jvmtest"
)

// runLimit bounds a run; one that takes longer hangs.
const runLimit = 20 * time.Minute

// execute runs a workload, which must succeed and print its checksum. Words before java are taken for a recorder's,
// whose memory is looked at.
func (s *session) execute(jdk jvmtest.JDK, c jvmtest.Command) (Run, error) {
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	command := jdk.Exec(ctx, c)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := s.preparePages(); err != nil {
		return Run{}, err
	}
	before := readClock()
	if err := command.Start(); err != nil {
		return Run{}, err
	}
	peak := func() float64 { return 0 }
	if len(c.Wrap) > 0 {
		peak = watchMemory(command.Process.Pid)
	}
	err := command.Wait()
	spent := readClock().since(before)
	run := Run{Seconds: spent.elapsed.Seconds(), CPU: spent.own.Seconds(), Others: spent.others(), Recorder: peak()}
	if err != nil {
		return Run{}, fmt.Errorf("%w: %s", err, stderr.String())
	}
	return run, run.read(stdout.String())
}
