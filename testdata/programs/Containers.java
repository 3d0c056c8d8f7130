// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** The JDK's collections filled with this program's objects: shortest paths, a cache, an index. */
class Containers {
    record Road(int target, int length) {}

    record Visit(int town, int distance) {}

    static final class Cache<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;
        private final int limit;

        Cache(int limit) {
            super(16, 0.75f, true);
            this.limit = limit;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > limit;
        }
    }

    static List<List<Road>> map(int towns) {
        List<List<Road>> roads = new ArrayList<>(); // alloc: java.util.ArrayList x1
        for (int town = 0; town < towns; town++) {
            List<Road> out = new ArrayList<>(4); // alloc: java.util.ArrayList x60
            for (int step = 1; step <= 3; step++) {
                out.add(new Road((town * step + step) % towns, 1 + town * step % 7)); // alloc: Containers$Road x180
            }
            roads.add(out);
        }
        return roads;
    }

    static int[] distances(List<List<Road>> roads, int start) {
        int[] best = new int[roads.size()]; // alloc: int[] x1
        java.util.Arrays.fill(best, Integer.MAX_VALUE);
        PriorityQueue<Visit> queue = new PriorityQueue<>(Comparator.comparingInt(Visit::distance)); // alloc: java.util.PriorityQueue x1
        queue.add(new Visit(start, 0)); // alloc: Containers$Visit x1
        while (!queue.isEmpty()) {
            Visit visit = queue.remove();
            if (visit.distance >= best[visit.town]) {
                continue;
            }
            best[visit.town] = visit.distance;
            for (Road road : roads.get(visit.town)) {
                int distance = visit.distance + road.length;
                if (distance < best[road.target]) {
                    queue.add(new Visit(road.target, distance)); // alloc: Containers$Visit x94
                }
            }
        }
        return best;
    }

    static int cached() {
        Cache<Integer, long[]> cache = new Cache<>(10); // alloc: Containers$Cache x1
        int misses = 0;
        for (int i = 0; i < 200; i++) {
            int key = i * i % 23;
            if (cache.get(key) == null) {
                cache.put(key, new long[key]); // alloc: long[] x44
                misses++;
            }
        }
        return misses;
    }

    static int index(String text) {
        Map<String, List<Integer>> positions = new TreeMap<>(); // alloc: java.util.TreeMap x1
        int position = 0;
        for (String word : text.split(" ")) {
            positions.computeIfAbsent(word, unused -> new ArrayList<>()).add(position++); // alloc: java.util.ArrayList x7
        }
        Map<Integer, ArrayDeque<String>> byCount = new HashMap<>(); // alloc: java.util.HashMap x1
        positions.forEach((word, places) -> {
            ArrayDeque<String> words = byCount.get(places.size());
            if (words == null) {
                byCount.put(places.size(), words = new ArrayDeque<>()); // alloc: java.util.ArrayDeque x3
            }
            words.push(word);
        });
        return byCount.size() + position;
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int distance : distances(map(60), 0)) {
            sum += distance == Integer.MAX_VALUE ? 0 : distance;
        }
        sum += 1000L * cached() + index("a rose is a rose and a daisy is not a tulip");
        System.out.println("checksum " + sum);
    }
}
