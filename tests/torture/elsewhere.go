package main

// Elsewhere is what tests of their own show, because it needs more than a program and a signal. CI runs them.
type Elsewhere struct {
	Does, Promise, Test string
}

var elsewhere = []Elsewhere{
	{"a StackOverflowError in Mallard's own code", "its trace has the program's frames alone", "TestOverflowTrace"},
	{"the recorder is killed at each message of the start-up", "the program runs on as ever", "TestKilledRecorder"},
	{"the recorder is stopped at each message, or while classes come",
		"the program waits once, for `--answer-within`; what was missed is named, and counts later",
		"TestStoppedRecorder, TestStoppedMallard"},
	{"the recorder is stopped when the program ends", "the program waits for 1 s", "TestStoppedAtExit"},
	{"a mistake of Mallard's own (panic) in any goroutine or handler",
		"it costs what was being done, which is a loss; the exit code is the program's",
		"TestFaults, TestGoroutinesHaveFaultPoints, TestLocksAreGivenBack"},
	{"the disk is full from the start, for a while or for good",
		"the recording is incomplete, says so, and has what was written", "TestDiskFull, TestFileLimit"},
	{"the disk takes nothing (frozen)", "nobody waits for it", "TestFrozenDisk"},
	{"the recording cannot be written where `-o` says",
		"found before the program starts: exit code 1 or 2, and it does not start; found later: it runs unrecorded",
		"TestOutputRefused, TestOutputRefusedLate"},
	{"256 MB of memory for all processes together (a container)", "as without limits", "TestContainer"},
	{"fewer counter blocks than threads", "a loss says what is not exact", "TestFewBlocks"},
	{"JVMs that outlive the command", "they are recorded; Ctrl-C ends the recording, not the JVM",
		"TestOutlivingJVM, TestOutlivingCut"},
	{"Ctrl-C on a terminal; signals that are ignored", "the program gets one signal, or none",
		"TestInterruptFromTerminal, TestIgnoredSignal"},
	{"a JVM of another user's", "recorded where root's command started it; else it runs without",
		"TestOtherUser, TestJVMOfAnotherUser"},
	{"a JVM that is process 1 of a container", "recorded", "TestProcessNamespaces"},
	{"a JVM that cannot load the agent (musl, another architecture)", "it runs without", "TestForeignJVM, TestMusl"},
	{"a newer JVM than any that Mallard knows", "recorded, as far as it is understood", "TestUnknownJVM"},
	{"archives of classes (CDS, AOT) that are used", "recorded", "TestArchives"},
	{"archives of classes that are written", "one line says why nothing is recorded", "TestArchives"},
	{"a debugger, before Mallard's agent, behind it and in the environment", "both work",
		"TestDebugger, TestDebugging"},
	{"agents that take what HotSpot gives to one agent only, or all capabilities of JVMTI", "both work",
		"TestSolitaryCapabilities"},
	{"agents that change classes: ASM, JaCoCo, ByteBuddy", "both work",
		"TestOtherAgents, TestJaCoCo, TestByteBuddy"},
	{"a class cache that is damaged, shortened or removed in use", "classes are instrumented anew",
		"TestCacheDamagedInUse"},
	{"what a JVM says of JAVA_TOOL_OPTIONS", "nothing, where a launcher is found by PATH or JAVA_HOME", "TestShims"},
	{"a security manager, modules, images of jlink", "recorded", "TestSecurityManager, TestModules, TestImage"},
}
