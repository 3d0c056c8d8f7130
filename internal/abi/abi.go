// Package abi is the one table of what the recorder (Go), the agent (C) and the runtime classes (Java) share: the
// memory in which threads count, the layouts in it, the messages between agent and recorder, and the class cache's
// file. It has constants and tables, and no code that reads or writes what they describe.
//
// Each constant is written once, here. Package gen reads this package's source and prints from it the agent's
// header (build/abi.h), the runtime classes' constants (java.lang.$MallardABI), the Go types of the messages
// (internal/transport/messages.go) and docs/memory.md. The comments here are the documentation there. Directives
// in front of a group of constants say what becomes of it:
//
//	//abi:title TEXT   the heading in docs/memory.md
//	//abi:unit TEXT    what the numbers count: words, bytes, ...
//	//abi:to c java    which languages have the group
//	//abi:long         Java has its constants as long, not int
//
// A constant is named BlockWords here, ABI_BLOCK_WORDS in C and BLOCK_WORDS in Java.
package abi

//go:generate sh -c "go run mallard/internal/abi/gen docs > ../../docs/memory.md"
