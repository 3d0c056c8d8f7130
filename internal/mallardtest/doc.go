// Package mallardtest runs programs under the binary bin/mallard for the tests in the folder tests, and reads what was
// recorded.
//
//	command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), "--track", "contexts")
//	p := mallardtest.Spawn(t, jdk, command)
//	p.Step()
//	p.End()
//	arrays := mallardtest.Objects(t, file, "Steps", "int[]")
//
// Package jvmtest runs JVMs, and knows nothing of recordings.
package mallardtest
