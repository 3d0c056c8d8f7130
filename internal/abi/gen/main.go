// Command gen prints what is made of package abi: the agent's header, the runtime classes' constants, the Go types
// of the messages, or the documentation.
//
//	gen header|java|messages|docs
package main

import (
	"bytes"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// outputs are what there is to print, by name.
var outputs = map[string]func(*bytes.Buffer, []group) error{
	"header": header, "java": java, "messages": messages, "docs": docs,
}

func run(arguments []string) error {
	if len(arguments) != 1 || outputs[arguments[0]] == nil {
		return fmt.Errorf("header, java, messages or docs?")
	}
	b, err := generate(arguments[0])
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(b)
	return err
}

func generate(output string) ([]byte, error) {
	groups, err := readGroups()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = outputs[output](&b, groups)
	return b.Bytes(), err
}
