// Mallard says exactly what a Java program allocates, and where.
package main

import (
	"context"
	"os"

	"mallard/internal/cli"
	"mallard/internal/payload"
	"mallard/internal/session"
)

func main() {
	os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Environment{
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Session: cli.Session{
			Run:       session.Run,
			Record:    session.Record,
			AgentPath: payload.Agent,
			APIJar:    payload.API,
		},
	}))
}
