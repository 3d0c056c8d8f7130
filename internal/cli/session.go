package cli

import (
	"context"

	"mallard/internal/session"
)

// Session is what the command line needs of a profiling session.
type Session struct {
	Run       func(context.Context, session.Options) (exitCode int, err error) // as session.Run
	Record    func(fd uintptr, o session.Options) error                        // as session.Record
	AgentPath func() (string, error)                                           // as payload.Agent
	APIJar    func() (string, error)                                           // as payload.API
}
