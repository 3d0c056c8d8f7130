// Groovy's own shapes around exceptions: closures with try and finally, with static compilation and without. All its arrays are made by multianewarray,
// in whose place the JVM makes byte[] of its own: there are none here.
import groovy.transform.CompileStatic

class Stop extends RuntimeException {
    Stop() { super(null, null, false, false) }
}

int strike(int n, int when) { if (n % 8 == when) throw new Stop(); n }

int dynamic(int n) {
    int made = 0
    try {
        (0..<6).each { i ->
            try {
                made += new int[i].length + strike(n + i, 7)
            } finally {
                made += new short[2].length
            }
        }
    } catch (Stop s) {
        made += new char[3].length
    } finally {
        made += new Object[1].length
    }
    made
}

@CompileStatic
class Compiled {
    static int strike(int n, int when) { if (n % 8 == when) throw new Stop(); n }

    static int work(int n) {
        int made = 0
        for (int i = 0; i < 5; i++) {
            made += new boolean[i].length
            try {
                made += new int[2].length + strike(n + i, 4)
                if (i == 3) continue
                made += new long[1].length
            } catch (Stop s) {
                made += new float[1].length
                if (n % 3 == 0) return made
            } finally {
                made += new double[1].length
            }
        }
        synchronized (Compiled) {
            made += new int[[1, 2, 3].size()].length + strike(n, 6)
        }
        made
    }

    static int outside(int n) {
        Closure<Integer> c = { int i -> new int[i].length + strike(i, 5) }
        try { c(n) + new Object[2].length } catch (Stop s) { new char[1].length }
    }
}

long sum = 0
for (int n = 0; n < 40; n++) {
    for (f in [{ dynamic(n) }, { Compiled.work(n) }, { Compiled.outside(n) }]) {
        try {
            sum = sum * 7 + f() + new Object[1].length
        } catch (Stop s) {
            sum += new boolean[1].length
        }
    }
}
println "sum $sum"
