;; Clojure's own shapes around exceptions: try inside loop and recur, in the middle of expressions, lazy sequences, deftype, letfn.
(ns crossing
  (:gen-class))

(set! *warn-on-reflection* false)

(def ^RuntimeException stop (proxy [RuntimeException] [nil nil false false]))

(defn strike [n when] (if (= (rem n 8) when) (throw stop) n))

(defn looping [n]
  (loop [i 0 made []]
    (if (< i 6)
      (let [a (try
                (conj [i (int-array i)] (strike (+ n i) 5))
                (catch RuntimeException e [(char-array 2)])
                (finally (byte-array 1)))]
        (recur (inc i) (into made [(count a)])))
      (reduce + made))))

(defn middle [n]
  (+ (count (vector n (Object.) (try (strike n 3) (catch RuntimeException e (str "x" n))))) (count {:a n :b (Object.)})))

(defprotocol Shape (area [s n]))
(deftype Square [side] Shape (area [_ n] (+ (strike n 2) (* side side (count [(Object.) n])))))
(defrecord Circle [r] Shape (area [_ n] (* (strike n 6) r)))

(defn shapes [n]
  (letfn [(one [s] (try (area s n) (catch RuntimeException e (count [(Object.)]))))]
    (reduce + (map one [(Square. n) (Circle. n)]))))

(defn lazily [n]
  (try (reduce + (map #(strike (+ % (count [(Object.)])) 7) (range n)))
       (catch RuntimeException e (hash-map :n n) -1)))

(defn run []
  (loop [n 0 sum 0]
    (if (= n 40)
      sum
      (recur (inc n) (rem (reduce (fn [s f] (+ (* 7 s) (long (try (f n) (catch RuntimeException e (count [(Object.)]))))))
                                  sum [looping middle shapes lazily])
                          1000003)))))

(defn -main [& args]
  (println "sum" (run))
  (flush)
  (System/exit 0))
