// Package cli is the command line of mallard: one file per command. It parses
// arguments, opens recordings, chooses where output goes, and turns errors into
// one line and an exit code. What commands compute is elsewhere.
//
// Standard output is the answer and nothing else; what mallard has to say goes
// to standard error with the prefix "mallard: ". Exit codes are 0, 1 for a
// failure, and 2 for a command line that cannot be carried out, in which case
// nothing was started or written. The command run passes on its program's.
//
//	$ mallard report no.mallard
//	mallard: no.mallard: no such file; "mallard run -- COMMAND" records one
//	$ echo $?
//	1
package cli
