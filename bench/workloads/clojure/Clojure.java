import clojure.lang.Compiler;
import clojure.lang.IFn;
import clojure.lang.RT;
import java.io.StringReader;

/** Persistent collections, lazy sequences, transducers and multimethods in Clojure. */
public final class Clojure extends Workload {
    private static final String PROGRAM = String.join("\n",
            "(ns workload)",
            "(defn primes [n] (loop [i 2 found []] (if (> i n) found",
            "  (recur (inc i) (if (some #(zero? (rem i %)) (take-while #(<= (* % %) i) found)) found (conj found i))))))",
            "(defn collatz [n] (count (take-while #(not= 1 %) (iterate #(if (even? %) (quot % 2) (inc (* 3 %))) n))))",
            "(defn words [n] (->> (range n) (map #(str \"w\" (rem (* % %) 97))) frequencies (sort-by (juxt (comp - val) key)) (map (fn [[w c]] (str w c))) (apply str)))",
            "(defmulti area :shape)",
            "(defmethod area :circle [{:keys [r]}] (* 3 r r))",
            "(defmethod area :square [{:keys [side]}] (* side side))",
            "(defn shapes [n] (transduce (comp (map #(if (odd? %) {:shape :circle :r %} {:shape :square :side %})) (map area) (filter even?)) + (range n)))",
            "(defn tree [depth] (if (zero? depth) nil {:left (tree (dec depth)) :right (tree (dec depth)) :value depth}))",
            "(defn total [t] (if t (+ (:value t) (total (:left t)) (total (:right t))) 0))",
            "(defn run [] (+ (reduce + (primes 8000)) (reduce + (map collatz (range 1 3000))) (hash (words 30000)) (shapes 60000)",
            "  (total (tree 14)) (get-in (reduce (fn [m i] (update-in m [(rem i 50) (rem i 7)] (fnil + 0) i)) {} (range 40000)) [3 3])))");

    private IFn program;

    @Override
    protected void prepare() {
        RT.init();
        Compiler.load(new StringReader(PROGRAM));
        program = RT.var("workload", "run");
    }

    @Override
    protected long iterate() {
        return ((Number) program.invoke()).longValue() & 0xffffffffL;
    }

    public static void main(String[] args) throws Exception {
        new Clojure().run(args);
    }
}
