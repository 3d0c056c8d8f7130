package session

import (
	"fmt"
	"time"
)

// writePatience is how long a JVM that ends waits for its recording to be in the file, where nobody else does.
const writePatience = 5 * time.Second

// agentsWords is what the agent is to say of the finished recording.
func (s *Session) agentsWords() string {
	if !s.recording.Written(writePatience) {
		return "the disk is slow: " + s.file.Name() + " is still being written"
	}
	return s.words(s.recording.Close())
}

// LastWords says what became of the recording; "" if nobody wants to know. It is called after Run.
func (s *Session) LastWords() string { return s.words(s.failed) }

func (s *Session) words(failed error) string {
	switch {
	case failed != nil:
		return fmt.Sprintf("%s is incomplete: %v", s.file.Name(), failed)
	case s.options.Quiet:
		return ""
	}
	return "wrote " + s.file.Name()
}
