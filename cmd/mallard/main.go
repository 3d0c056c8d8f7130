// Mallard says exactly what a Java program allocates, and where.
package main

import (
	"context"
	"os"

	"mallard/internal/cli"
	"mallard/internal/jvm"
	"mallard/internal/launch"
	"mallard/internal/payload"
	"mallard/internal/shim"
	"mallard/internal/view"
)

func main() {
	os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Environment{
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Exit:   os.Exit,
		Operations: cli.Operations{
			Run:       launch.Run,
			Attach:    launch.Attach,
			Detach:    launch.Detach,
			JVMs:      jvm.All,
			Record:    launch.Record,
			Shim:      shim.Start,
			AgentPath: payload.Agent,
			APIJar:    payload.API,
			View:      view.Serve,
		},
	}))
}
