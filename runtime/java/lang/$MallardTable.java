package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardTree.*;

/**
 * Tables from numbers to nodes: of a thread's hashes, or numbers that are decoded, and of the transactions that it has
 * entered. A pair stands where its number says, or behind that. A table is named by its offset, a multiple of 64, plus
 * the binary logarithm of half the number of its pairs; 0 is one too, with two pairs that stay empty. In front of a
 * table is what its owner keeps there. The place where a number is looked for first belongs to {@link $MallardHash} and
 * {@link $MallardDecoder}: code that counts looks there by itself.
 *
 * <p>Where a pair stands is defined here, and the recorder's calltree follows; its TestJava runs both on the same
 * cases.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
final class $MallardTable {
    /** Bytes of a pair. */
    static final long PAIR = PAIR_BYTES;

    private $MallardTable() {}

    private static long home(long table, long number, int method) {
        return $MallardCode.is() ? $MallardDecoder.home(table, number, method) : $MallardHash.home(table, number);
    }

    /** Address of the first pair. */
    static long start(long table) {
        return NODES + (table & ~TABLE_LOG_MASK);
    }

    static long bytes(long table) {
        return 2 * PAIR << table;
    }

    /** Address of the next pair. */
    static long after(long pair, long table) {
        long start = start(table);
        return start + (pair + PAIR - start & bytes(table) - 1);
    }

    /** Gives the node that a number stands for, 0 without, and makes it the first that is looked at. It is one of the
     * method, which is 0 for hashes: they say that. */
    static long known(long table, long number, int method) {
        long home = home(table, number, method);
        for (long pair = home; ; pair = after(pair, table)) {
            long found = U.getLong(null, pair);
            if (found == 0) {
                return 0;
            }
            long node = U.getLong(null, pair + PAIR_NODE);
            if (found == number && (method == 0 || U.getInt(null, NODES + node) == method)) {
                if (pair != home) { // both are still found: there is no gap between
                    U.putLong(null, pair, U.getLong(null, home));
                    U.putLong(null, pair + PAIR_NODE, U.getLong(null, home + PAIR_NODE));
                    U.putLong(null, home, number);
                    U.putLong(null, home + PAIR_NODE, node);
                }
                return node;
            }
        }
    }

    /** Puts a number into a table that is not full. */
    static void putPair(long table, long number, long node) {
        long pair = home(table, number, U.getInt(null, NODES + node));
        while (U.getLong(null, pair) != 0) {
            pair = after(pair, table);
        }
        U.putLong(null, pair + PAIR_NODE, node);
        U.putLong(null, pair, number);
    }

    /** Gives a table of twice the size, with what is in one and in front of it; a first one for 0. 0 without memory. */
    static long larger(long last, long first, long front) {
        long log = last == 0 ? first : (last & TABLE_LOG_MASK) + 1;
        long memory = take(front + bytes(log));
        if (memory == 0) {
            return 0;
        }
        long table = memory + front | log;
        if (last != 0) {
            for (long i = -front; i < 0; i += 8) {
                U.putLong(null, start(table) + i, U.getLong(null, start(last) + i));
            }
            long end = start(last) + bytes(last);
            for (long pair = start(last); pair < end; pair += PAIR) {
                long number = U.getLong(null, pair);
                if (number != 0) {
                    putPair(table, number, U.getLong(null, pair + PAIR_NODE));
                }
            }
        }
        return table;
    }

    /** Gives the thread itself a larger table, or its first; false without memory. */
    static boolean grow(long first, long front) {
        long table = larger(get(wordAt(TABLE)), first, front);
        if (table == 0) {
            return false;
        }
        put(wordAt(TABLE), table);
        $MallardEntered.use(table);
        return true;
    }
}
