package launch

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/abi"
	"mallard/internal/jvm"
	"mallard/internal/shim"
	"mallard/internal/transport"
)

// injection is how the agent gets into JVMs below one mallard.
type injection struct {
	agent jvm.Agent
	shims *shim.Shims // nil: none
	log   *slog.Logger
}

// into gives a command and an environment with the agent. Shims are for commands that are no launchers themselves.
func (in *injection) into(command, environment []string) ([]string, []string, error) {
	command, environment, err := in.agent.Into(command, environment)
	if err != nil {
		return nil, nil, err
	}
	if _, direct := jvm.FindLauncher(command[0]); !direct && in.shims != nil {
		if environment, err = in.shims.Into(environment); err != nil {
			in.log.Debug("JVMs get the agent from JAVA_TOOL_OPTIONS alone", "error", err)
		}
	}
	return command, environment, nil
}

// child says how a program is to be started that a JVM is about to start: what is not a launcher as [injection.into]
// has it, unless its environment has an agent already; a launcher with the agent as an argument alone.
func (in *injection) child(pid int, c *transport.Command) (answer transport.CommandAnswer) {
	program, ok := programOf(pid, c)
	if !ok {
		return answer
	}
	environment := split(c.Environment)
	agent, without, has := jvm.TakeOut(environment)
	if _, launcher := jvm.FindLauncher(program); !launcher {
		if has {
			return answer
		}
		_, changed, err := in.into([]string{program}, environment)
		if err == nil {
			answer.Flags, answer.Environment = abi.CommandEnvironment, join(changed)
		}
		return answer
	}
	if !has {
		agent = in.agent
	}
	if !slices.Equal(without, environment) {
		answer.Flags, answer.Environment = abi.CommandEnvironment, join(without)
	}
	command := append([]string{program}, split(c.Arguments)...)
	if why := agent.Obstacle(command, without); why != "" {
		in.log.Debug("a program is started without the agent", "program", program, "reason", why)
		return answer
	}
	if command, _, err := agent.Into(command, without); err == nil {
		answer.Flags |= abi.CommandArguments
		answer.Arguments = join(command[1:])
	}
	return answer
}

// programOf finds the file of a program as the JVM's process will (java.lang.ProcessImpl); false where there is none,
// or that process sees other files than this one.
func programOf(pid int, c *transport.Command) (string, bool) {
	process := "/proc/" + strconv.Itoa(pid)
	if !sameLink(process+"/ns/mnt", "/proc/self/ns/mnt") || !sameLink(process+"/root", "/proc/self/root") {
		return "", false
	}
	if !bytes.ContainsRune(c.Program, '/') {
		for folder := range strings.SplitSeq(string(c.Path), ":") {
			if !filepath.IsAbs(folder) {
				return "", false
			}
			if path := filepath.Join(folder, string(c.Program)); isProgram(path) {
				return path, true
			}
		}
		return "", false
	}
	path := string(c.Program)
	if !filepath.IsAbs(path) {
		folder := string(c.Directory)
		if !filepath.IsAbs(folder) {
			here, err := os.Readlink(process + "/cwd")
			if err != nil {
				return "", false
			}
			folder = filepath.Join(here, folder)
		}
		path = filepath.Join(folder, path)
	}
	return path, isProgram(path)
}

func sameLink(a, b string) bool {
	one, err := os.Readlink(a)
	if err != nil {
		return false
	}
	other, err := os.Readlink(b)
	return err == nil && one == other
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// split gives what has a 0 byte behind each.
func split(list []byte) []string {
	if len(list) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
}

func join(list []string) []byte {
	var b []byte
	for _, word := range list {
		b = append(append(b, word...), 0)
	}
	return b
}
