package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"

	"mallard/internal/placement"
	"mallard/internal/session"
)

func main() {
	o := session.Options{Force: true, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Version: "dev"}
	if os.Args[1] == "record" {
		fd, _ := strconv.Atoi(os.Args[2])
		fmt.Fprintln(os.Stderr, session.Record(uintptr(fd), o))
		return
	}
	f := flag.NewFlagSet("run", flag.ExitOnError)
	p := f.String("placement", "optimal", "")
	f.StringVar(&o.Output, "o", "", "")
	f.BoolVar(&o.Quiet, "q", false, "")
	f.Parse(os.Args[2:])
	o.Placement, _ = placement.ParseStrategy(*p)
	o.Command = f.Args()
	code, err := session.Run(context.Background(), o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mallard:", err)
	}
	os.Exit(code)
}
