package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"mallard/internal/jvmtest"
)

// count runs a command with a placement that stays as it is, and says what the recording says.
func (s *session) count(jdk jvmtest.JDK, c jvmtest.Command, placement string) (info *counted, err error) {
	err = s.record(jdk, c, placement, func(recording string) (err error) {
		info, err = s.info(recording)
		return err
	})
	return info, err
}

// record runs a command with a placement that stays as it is: adaptation would make runs differ. The recording is gone
// after use.
func (s *session) record(jdk jvmtest.JDK, c jvmtest.Command, placement string, use func(recording string) error) error {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	recording := filepath.Join(folder, recordingName)
	c.Wrap = []string{s.mallard, "run", "-q", "--no-adapt", "--placement", placement, "-o", recording, "--"}
	if _, err := s.execute(jdk, c); err != nil {
		return err
	}
	return use(recording)
}

func (s *session) info(recording string) (*counted, error) {
	output, err := exec.Command(s.mallard, "info", recording, "--format", "json").Output()
	if err != nil {
		return nil, fmt.Errorf("mallard info %s: %w", filepath.Base(recording), err)
	}
	info := new(counted)
	if err := json.Unmarshal(output, info); err != nil {
		return nil, err
	}
	if info.Objects == 0 {
		return nil, fmt.Errorf("mallard info: no objects in %s", output)
	}
	return info, nil
}
