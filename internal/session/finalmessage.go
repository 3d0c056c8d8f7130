package session

import (
	"fmt"
	"time"
)

// writeTimeout is how long a JVM that ends waits for its recording to be in the file, where nobody else does.
const writeTimeout = 5 * time.Second

// agentsFinalMessage is what the agent is to say of the finished recording.
func (s *Session) agentsFinalMessage() string {
	if !s.recording.Written(writeTimeout) {
		return "the disk is slow: " + s.file.Name() + " is still being written"
	}
	return s.finalMessage(s.recording.Close())
}

// FinalMessage says what became of the recording; "" if nobody wants to know. It is called after Run.
func (s *Session) FinalMessage() string { return s.finalMessage(s.failed) }

func (s *Session) finalMessage(failed error) string {
	switch {
	case failed != nil:
		return fmt.Sprintf("%s is incomplete: %v", s.file.Name(), failed)
	case s.options.Quiet:
		return ""
	}
	return "wrote " + s.file.Name()
}
