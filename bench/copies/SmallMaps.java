package copies;

import org.hsqldb.lib.OrderedLongKeyHashMap;

/** Smaller form: HSQLDB has tables for 64 rows in each set of changed rows, which has one row mostly. */
public final class SmallMaps {
    private static final int ROWS = 8;

    private SmallMaps() {}

    /** In the place of the constructor: the map grows where it has to. */
    public static OrderedLongKeyHashMap<?> make(int capacity, boolean hasThirdTable) {
        return new OrderedLongKeyHashMap<>(Math.min(capacity, ROWS), hasThirdTable);
    }
}
