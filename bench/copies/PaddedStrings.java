package copies;

import org.hsqldb.types.CharacterType;

/** Cache: HSQLDB fills up the same strings with spaces each time that they are read or compared. */
public final class PaddedStrings {
    private static final int PLACES = 1 << 13;
    private static final String[][] KNOWN = new String[PLACES][];

    private PaddedStrings() {}

    /** In the place of CharacterType's. */
    public static String padString(String text, int length) {
        int place = (text.hashCode() * 31 + length) & (PLACES - 1);
        String[] known = KNOWN[place];
        if (known != null && known[1].length() == length && known[0].equals(text)) {
            return known[1];
        }
        String padded = CharacterType.padString(text, length);
        KNOWN[place] = new String[] {text, padded};
        return padded;
    }
}
