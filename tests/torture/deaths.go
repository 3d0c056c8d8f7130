package main

import "syscall"

// small is a heap that is soon full.
var small = []string{"-Xmx48m", "-XX:+UseSerialGC"}

// deaths are the ways in which a JVM, or its recorder, ends.
var deaths = []Ending{
	{Name: "return", Does: "returns from main", Argument: "return", Markers: 1},
	{Name: "exit", Does: "calls System.exit in main", Argument: "exit", Markers: 1},
	{Name: "live threads", Does: "calls System.exit while threads allocate", Argument: "live threads", Markers: 1},
	{Name: "exit in a thread", Does: "calls System.exit in another thread while threads allocate",
		Argument: "exit in thread", Markers: 1},
	{Name: "hook", Does: "has a shutdown hook that allocates", Argument: "hook", Markers: 2},
	{Name: "exit in a hook", Does: "calls System.exit in a shutdown hook, which waits for ever, and is killed",
		Argument: "exit in hook", Line: "in the hook", Signals: []Signal{{JVM, syscall.SIGKILL}}, Promise: UpToDeath,
		Markers: 1},
	{Name: "halt", Does: "calls Runtime.halt", Argument: "halt", Markers: 1},
	{Name: "halt in a hook", Does: "calls Runtime.halt in a shutdown hook", Argument: "halt in hook", Markers: 2},
	{Name: "uncaught", Does: "an exception leaves main", Argument: "uncaught", Markers: 1},
	{Name: "uncaught in a thread", Does: "an exception leaves another thread", Argument: "uncaught in thread",
		Markers: 1},
	{Name: "stack overflow", Does: "a StackOverflowError leaves main", Argument: "stack overflow", Markers: 1},
	{Name: "caught overflow", Does: "catches a StackOverflowError and exits", Argument: "caught overflow", Markers: 1},
	{Name: "deep", Does: "exits below 100,000 frames", Argument: "deep", Markers: 1},
	{Name: "out of memory", Does: "an OutOfMemoryError leaves main", Argument: "out of memory", Options: small,
		Markers: 1},
	{Name: "exit on OutOfMemoryError", Does: "has -XX:+ExitOnOutOfMemoryError and no memory",
		Argument: "out of memory", Options: append([]string{"-XX:+ExitOnOutOfMemoryError"}, small...),
		Promise: UpToDeath, Markers: 1},
	{Name: "crash on OutOfMemoryError", Does: "has -XX:+CrashOnOutOfMemoryError and no memory",
		Argument: "out of memory", Options: append([]string{"-XX:+CrashOnOutOfMemoryError"}, small...),
		Promise: UpToDeath, Markers: 1},
	{Name: "fault", Does: "native code writes to address 0 (SIGSEGV)", Argument: "fault", Promise: UpToDeath,
		Markers: 1},

	waiting("kill -9 of the JVM", UpToDeath, Signal{JVM, syscall.SIGKILL}),
	waiting("kill -15 of the JVM", Whole, Signal{JVM, syscall.SIGTERM}),
	waiting("kill -2 of the JVM", Whole, Signal{JVM, syscall.SIGINT}),
	waiting("kill -1 of the JVM", Whole, Signal{JVM, syscall.SIGHUP}),
	waiting("kill -6 of the JVM", UpToDeath, Signal{JVM, syscall.SIGABRT}),
	waiting("kill -15 of mallard", Whole, Signal{Command, syscall.SIGTERM}),
	waiting("kill -2 of mallard", Whole, Signal{Command, syscall.SIGINT}),
	waiting("kill -1 of mallard", Whole, Signal{Command, syscall.SIGHUP}),
	waiting("kill -9 of the recorder", Readable, Signal{Recorder, syscall.SIGKILL}),
	waiting("kill -9 of recorder and JVM", Readable, Signal{Recorder, syscall.SIGKILL}, Signal{JVM, syscall.SIGKILL}),
	waiting("kill -9 of JVM and recorder", Readable, Signal{JVM, syscall.SIGKILL}, Signal{Recorder, syscall.SIGKILL}),
	waiting("JVM stopped for a while", Whole, Signal{JVM, syscall.SIGSTOP}, Signal{JVM, syscall.SIGCONT}),
	waiting("recorder stopped for a while", Whole, Signal{Recorder, syscall.SIGSTOP},
		Signal{Recorder, syscall.SIGCONT}),
	waiting("both stopped for a while", Whole, Signal{Recorder, syscall.SIGSTOP}, Signal{JVM, syscall.SIGSTOP},
		Signal{JVM, syscall.SIGCONT}, Signal{Recorder, syscall.SIGCONT}),
}

// waiting is a program that waits until something was done, and then works on, if it lives, and exits with 7.
func waiting(does string, promise Promise, signals ...Signal) Ending {
	e := Ending{Name: does, Does: does, Argument: "waits", Line: "waiting", Signals: signals, Promise: promise,
		Markers: 1}
	if e.goesOn() {
		e.Markers = 2 // work makes another
	}
	return e
}

// goesOn tells whether the program is alive when all was done to it.
func (e *Ending) goesOn() bool {
	for _, d := range e.Signals {
		if d.To != Recorder && d.Signal != syscall.SIGSTOP && d.Signal != syscall.SIGCONT {
			return false
		}
	}
	return true
}

// limits are what a shell gives a program little of.
var limits = []Ending{
	limited("address space", "ulimit -v 3000000", Readable, tight...), // contexts are not recorded; TestShims: less
	limited("files of 1 MB", "ulimit -f 2000", Unrecorded, tight...),
	limited("24 open files", "ulimit -n 24", Whole, tight...),
	limited("stacks of 256 KB", "ulimit -s 256", Whole),
	limited("no core files", "ulimit -c 0", Whole),
	limited("no home", "export HOME=/nowhere XDG_CACHE_HOME=/nowhere", Whole),
	limited("no temporary folder", "export TMPDIR=/nowhere", Whole),
	limited("closed streams", "exec 0<&-", Whole),
	limited("one processor", "command -v taskset >/dev/null && exec taskset -c 0 \"$@\"", Whole),
	limited("nice", "command -v nice >/dev/null && exec nice -n 19 \"$@\"", Whole),
	limited("hardly any environment", "exec env -i \"$@\"", Whole),
}

// tight makes a JVM small enough for little address space.
var tight = []string{"-Xmx16m", "-XX:+UseSerialGC", "-XX:CompressedClassSpaceSize=16m", "-XX:ReservedCodeCacheSize=16m",
	"-Xss256k"}

func limited(name, shell string, promise Promise, options ...string) Ending {
	return Ending{Name: name, Does: "`" + shell + "`", Shell: shell, Argument: "busy", Options: options,
		Promise: promise, Markers: 2}
}
