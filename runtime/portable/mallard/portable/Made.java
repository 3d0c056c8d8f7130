package mallard.portable;

import java.io.IOException;
import java.util.HashMap;

/**
 * A class of what calls make, where the code does not tell: a call and a class have three counters besides the call's
 * own, as those are. They are found by the class, which is not kept alive by it.
 */
final class Made {
    private static final int CLASS_DEF = 3;

    /** Kinds of a site and of its counters. */
    private static final int MULTI = 3;
    private static final int ARRAYS = 3;
    private static final int ELEMENTS = 1;
    private static final int BYTES = 2;

    /** Counters of a pair, and from one pair's to the next one's, so that all of one are in the same chunk. */
    static final int WIDTH = 3;
    static final int STEP = 4;

    /** Pairs of a call and a class that have counters. */
    static final int MOST = 4096;

    private static final HashMap<String, Integer> numbers = new HashMap<String, Integer>();
    private static String[] classes = new String[16]; // of pairs, internal form
    private static int[] calls = new int[16]; // of pairs: the first counter
    private static int pairs;
    private static boolean full;

    private static final ClassValue<Made> MADE = new ClassValue<Made>() {
        @Override
        protected Made computeValue(Class<?> type) {
            return new Made(type.isArray() ? 0 : Sizes.align(Sizes.ofInstances(type)));
        }
    };

    /** What an object of the class takes; 0 for arrays. */
    final long bytes;

    private volatile int[] table = new int[8]; // of calls, each plus one, and first counters
    private int size;

    private Made(long bytes) {
        this.bytes = bytes;
    }

    /** Sees to it that these classes are initialised. */
    static void load() {
        of(Made.class);
    }

    static Made of(Class<?> type) {
        return MADE.get(type);
    }

    /** The first of the counters that a call has for the class, given the first of its own. */
    int counters(int call, Class<?> type) {
        int[] table = this.table;
        int i = start(call, table);
        for (int key = table[i]; key != 0; key = table[i]) {
            if (key == call + 1) {
                return table[i + 1];
            }
            i = i + 2 & table.length - 1;
        }
        return add(type, call);
    }

    private static int start(int call, int[] table) {
        return (call * 0x9e3779b9 >>> 16) * 2 & table.length - 1;
    }

    /** Gives a pair counters, the same for classes of the same name; if there are none left the call's own. */
    private static synchronized int add(Class<?> type, int call) {
        try {
            String name = type.getName();
            String key = call + name;
            Integer first = numbers.get(key);
            if (first == null) {
                if (pairs == MOST) {
                    full = true;
                    first = call;
                } else {
                    first = number(pairs);
                    put(name, call);
                    numbers.put(key, first);
                }
            }
            of(type).know(call, first);
            return first;
        } catch (OutOfMemoryError e) {
            return call;
        } catch (StackOverflowError e) {
            return call;
        }
    }

    private static int number(int pair) {
        return Counters.FIRST_MADE + STEP * pair;
    }

    private static void put(String name, int call) {
        if (pairs == classes.length) {
            String[] moreClasses = new String[2 * pairs];
            int[] moreCalls = new int[2 * pairs];
            System.arraycopy(classes, 0, moreClasses, 0, pairs);
            System.arraycopy(calls, 0, moreCalls, 0, pairs);
            classes = moreClasses;
            calls = moreCalls;
        }
        classes[pairs] = name;
        calls[pairs++] = call;
    }

    private void know(int call, int first) {
        int[] table = new int[4 * size >= this.table.length ? 2 * this.table.length : this.table.length];
        for (int i = 0; i < this.table.length; i += 2) {
            if (this.table[i] != 0) {
                enter(table, this.table[i] - 1, this.table[i + 1]);
            }
        }
        enter(table, call, first);
        size++;
        this.table = table;
    }

    private static void enter(int[] table, int call, int first) {
        int i = start(call, table);
        while (table[i] != 0) {
            i = i + 2 & table.length - 1;
        }
        table[i] = call + 1;
        table[i + 1] = first;
    }

    /**
     * Records what the counters of all pairs mean, given what facts say of calls, by their first counters: loader,
     * class, source, method, descriptor, bytecode index, line, the method's number.
     *
     * @param id of the first class that is defined
     * @param site the first
     */
    static synchronized void define(Recording recording, HashMap<Integer, String[]> facts, long id,
            long site) throws IOException {
        for (int i = 0; i < pairs; i++) {
            String[] call = facts.get(calls[i]);
            if (call == null) {
                continue;
            }
            Block block = recording.block.record(CLASS_DEF).unsigned(id++).unsigned(Long.parseLong(call[2]))
                .raw(call[3]).raw(call[4]).unsigned(site++).unsigned(number(i)).unsigned(WIDTH);
            block.unsigned(1).raw(call[5]).raw(call[6]);
            block.unsigned(1).signed(Long.parseLong(call[7])).signed(Long.parseLong(call[8])).string(internal(
                classes[i])).unsigned(MULTI).unsigned(0);
            block.unsigned(WIDTH).signed(0).signed(1).signed(1).unsigned(ARRAYS).unsigned(ELEMENTS).unsigned(BYTES);
            block.unsigned(1).unsigned(1).unsigned(1).signed(0).signed(0).signed(0).signed(1).signed(1).signed(1);
            block.raw("").flag(false).signed(Long.parseLong(call[9])).flag(false).unsigned(0);
            block.unsigned(0).unsigned(0).unsigned(0);
            recording.next();
        }
        if (full) {
            recording.block.record(Recording.LOSS).string("classes").unsigned(1)
                .string("calls that make objects of more than " + MOST +
                        " classes: those of others are reported as what the code takes them for");
        }
    }

    /** A class's name in internal form: that of a hidden one without what the JVM has put behind it. */
    private static String internal(String name) {
        int hidden = name.indexOf('/');
        if (hidden > 0) {
            name = name.substring(0, hidden) + (name.endsWith(";") ? ";" : "");
        }
        return name.replace('.', '/');
    }
}
