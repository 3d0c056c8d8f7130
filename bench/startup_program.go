package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// classesPerFile keeps the sources of the generated program few and each of moderate size.
const classesPerFile = 100

// writeManyClasses writes a program of so many small classes, each used once, and returns its sources. Its main class
// is Many.
func writeManyClasses(folder string, classes int) ([]string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	files := (classes + classesPerFile - 1) / classesPerFile
	var main strings.Builder
	main.WriteString("class Many {\n    public static void main(String[] args) {\n        int sum = 0;\n")
	var paths []string
	for file := range files {
		var text strings.Builder
		var use strings.Builder
		for i := file * classesPerFile; i < min((file+1)*classesPerFile, classes); i++ {
			fmt.Fprintf(&text, manyClass, i)
			fmt.Fprintf(&use, "        sum += new C%d(%d).work(%d);\n", i, i, i%7)
		}
		fmt.Fprintf(&text, "class F%d {\n    static int use() {\n        int sum = 0;\n%s        return sum;\n"+
			"    }\n}\n",
			file, use.String())
		fmt.Fprintf(&main, "        sum += F%d.use();\n", file)
		path := filepath.Join(folder, fmt.Sprintf("F%d.java", file))
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	main.WriteString("        System.out.println(\"checksum \" + sum);\n    }\n}\n")
	path := filepath.Join(folder, "Many.java")
	return append(paths, path), os.WriteFile(path, []byte(main.String()), 0o644)
}

// manyClass is one class: a constructor, two methods, a loop, a branch, three allocation sites.
const manyClass = `class C%[1]d {
    private final int[] values;

    C%[1]d(int seed) {
        values = new int[] {seed, seed + 1, seed * 3};
    }

    int work(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += i %% 2 == 0 ? new long[i + 1].length : copy(i).length;
        }
        return sum + values[rounds %% 3];
    }

    private int[] copy(int offset) {
        int[] result = new int[values.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = values[i] + offset;
        }
        return result;
    }
}

`

// echoServer answers each class that bench/startup/hook.c sends with itself.
type echoServer struct {
	net.Listener
	path string
}

func listenEcho(path string) (*echoServer, error) {
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go echo(connection)
		}
	}()
	return &echoServer{listener, path}, nil
}

// maxClass bounds what is taken as the length of a class.
const maxClass = 64 << 20

func echo(connection net.Conn) {
	defer connection.Close()
	var message []byte
	for {
		message = append(message[:0], 0, 0, 0, 0)
		if _, err := io.ReadFull(connection, message); err != nil {
			return
		}
		length := binary.BigEndian.Uint32(message)
		if length > maxClass {
			return
		}
		message = append(message, make([]byte, length)...)
		if _, err := io.ReadFull(connection, message[4:]); err != nil {
			return
		}
		if _, err := connection.Write(message); err != nil {
			return
		}
	}
}
