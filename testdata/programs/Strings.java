// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.Locale;
import java.util.StringJoiner;

/** Text: builders of this program's own making, and concatenation, which allocates at no bytecode of this program. */
class Strings {
    static String reverse(String text) {
        StringBuilder reversed = new StringBuilder(text.length()); // alloc: java.lang.StringBuilder x40
        for (int i = text.length() - 1; i >= 0; i--) {
            reversed.append(text.charAt(i));
        }
        return reversed.toString();
    }

    static String hex(int value) {
        char[] digits = new char[8]; // alloc: char[] x40
        for (int i = 7; i >= 0; i--) {
            digits[i] = "0123456789abcdef".charAt(value & 15);
            value >>>= 4;
        }
        return String.valueOf(digits);
    }

    static String join(String... parts) {
        StringJoiner joiner = new StringJoiner(", ", "[", "]"); // alloc: java.util.StringJoiner x40
        for (String part : parts) {
            joiner.add(part);
        }
        return joiner.toString();
    }

    static int words(String text) {
        int count = 0;
        StringBuffer word = null;
        for (char c : text.toCharArray()) {
            if (c == ' ') {
                count += word == null ? 0 : 1;
                word = null;
                continue;
            }
            if (word == null) {
                word = new StringBuffer(); // alloc: java.lang.StringBuffer x9
            }
            word.append(c);
        }
        return word == null ? count : count + 1;
    }

    public static void main(String[] args) {
        int hash = 0;
        for (int i = 0; i < 40; i++) {
            String joined = join(reverse("item " + i), hex(i * 31), String.format(Locale.ROOT, "%03d", i)); // alloc: java.lang.String[] x40, java.lang.Object[] x40
            hash = 31 * hash + joined.hashCode();
        }
        hash += words("the quick brown fox  jumps over the lazy dog ");
        System.out.println("checksum " + hash);
    }
}
