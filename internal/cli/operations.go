package cli

import (
	"context"
	"time"

	"mallard/internal/jvm"
	"mallard/internal/launch"
	"mallard/internal/view"
)

// Operations are what commands do outside of this package: start programs and JVMs, unpack files.
type Operations struct {
	Run       func(context.Context, launch.Options) (exitCode int, err error)                // as launch.Run
	Attach    func(_ context.Context, pid int, during time.Duration, o launch.Options) error // as launch.Attach
	JVMs      func() []jvm.Running                                                           // as jvm.All
	Detach    func(pid int) error                                                            // as launch.Detach
	Record    func(fd uintptr, o launch.Options) error                                       // as launch.Record
	Shim      func(shim string, arguments []string, say func(string)) error                  // as shim.Start
	AgentPath func() (string, error)                                                         // as payload.Agent
	APIJar    func() (string, error)                                                         // as payload.API
	View      func(context.Context, view.Serving) error                                      // as view.Serve
}
