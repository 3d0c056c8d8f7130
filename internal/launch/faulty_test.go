package launch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// faultySource has threads, hidden classes, loaders that go, exceptions of the JVM's, a call of a native method's and a
// program that it starts: something for every part of the recorder. It runs until a file is there.
const faultySource = `
import java.net.*;
public class Faulty {
    public static class Loaded { int[] a = new int[3]; }
    static Object[] kept = new Object[100];
    static int read() {
        int sum = 0;
        for (int i = 0; i < 50000; i++) {
            int[] few = { 1, 2, 3, 4 }; // any two are a pair whose contents are said
            kept[i % 100] = few;
            sum += few[i % 4] + ((int[]) kept[(i + 1) % 100])[1];
        }
        return sum;
    }
    static int depth(int n) { return n == 0 ? new int[1].length : depth(n - 1); }
    static void load() throws Exception {
        URL[] here = { Faulty.class.getProtectionDomain().getCodeSource().getLocation() };
        try (URLClassLoader l = new URLClassLoader(here, null)) { l.loadClass("Faulty$Loaded").newInstance(); }
    }
    public static void main(String[] args) throws Exception {
        new ProcessBuilder("true").start().waitFor();
        for (int i = 0; i < 20; i++) {
            load();
            Thread t = new Thread(() -> { for (int k = 0; k < 1000; k++) kept[k % 100] = new int[k]; });
            t.start();
            t.join();
            try { kept[0] = ((Object[]) null)[0]; } catch (NullPointerException e) { kept[1] = e.getMessage(); }
            java.util.function.Supplier<Object> s = i % 2 == 0 ? Object::new : () -> new int[args.length];
            kept[2] = s.get();
            kept[3] = Faulty.class.getMethod("main", String[].class).getReturnType();
            depth(10);
        }
        java.util.Arrays.fill(kept, new int[4]);
        long latest = System.nanoTime() + 30_000_000_000L;
        while (!new java.io.File(args[0]).exists() && System.nanoTime() < latest) {
            load();
            System.gc();
            Thread.sleep(10);
            for (int i = 0; i < 10; i++) read();
        }
        System.out.println("ran");
        System.exit(7);
    }
}`

// compileFaulty compiles it, and the same under another name, whose run leaves a class cache that has nothing of it.
func compileFaulty(t *testing.T, jdk jvmtest.JDK) (classes string) {
	t.Helper()
	folder := t.TempDir()
	faulty, other := filepath.Join(folder, "Faulty.java"), filepath.Join(folder, "Warming.java")
	err := errors.Join(os.WriteFile(faulty, []byte(faultySource), 0o600),
		os.WriteFile(other, []byte(strings.ReplaceAll(faultySource, "Faulty", "Warming")), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return jdk.MustJavac(t, []string{"-nowarn"}, faulty, other)
}

// warming is a command that runs it, with the program of the other name.
func warming(command []string) []string {
	other := slices.Clone(command)
	other[slices.Index(other, "Faulty")] = "Warming"
	return other
}

// copyOf is a copy of a class cache's folder: what a run adds to it is not there for the next one.
func copyOf(t *testing.T, cache string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(cache)); err != nil {
		t.Fatal(err)
	}
	return folder
}
