package mallard.portable;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;

/** Records of a recording, as docs/format.md has them, in a block that is not compressed. */
final class Block {
    private static final int HEADER = 36;

    private byte[] bytes = new byte[1 << 12];
    private int end = HEADER;
    private int records;
    private final HashMap<String, Integer> strings = new HashMap<String, Integer>();

    /** Begins a record. */
    Block record(int kind) {
        records++;
        return unsigned(kind);
    }

    Block unsigned(long value) {
        if (bytes.length - end < 10) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        while ((value & -128) != 0) {
            bytes[end++] = (byte) (value | 128);
            value >>>= 7;
        }
        bytes[end++] = (byte) value;
        return this;
    }

    Block signed(long value) {
        return unsigned(value << 1 ^ value >> 63);
    }

    Block flag(boolean value) {
        return unsigned(value ? 1 : 0);
    }

    Block string(String value) throws IOException {
        return string(value, "UTF-8");
    }

    /** A string that has a byte of the file in each character. */
    Block raw(String value) throws IOException {
        return string(value, "ISO-8859-1");
    }

    private Block string(String value, String charset) throws IOException {
        Integer known = strings.get(value);
        if (known != null) {
            return unsigned(known);
        }
        strings.put(value, strings.size() + 1);
        byte[] b = value.getBytes(charset);
        unsigned(0).unsigned(b.length);
        while (bytes.length - end < b.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        System.arraycopy(b, 0, bytes, end, b.length);
        end += b.length;
        return this;
    }

    /** Whether it is time to begin another block. */
    boolean isFull() {
        return end > 1 << 18;
    }

    /**
     * Writes the block, unless it is empty, and empties it.
     *
     * @param first position in the recording of its first record
     * @return position of the record after its last
     */
    long writeTo(OutputStream out, long first) throws IOException {
        if (records == 0) {
            return first;
        }
        int size = end - HEADER;
        int sum = checksum(HEADER, end);
        end = 0;
        fixed(0x4b4c4289, 4); // magic
        fixed(1L << 16, 4); // stored plain; version 1
        fixed(first, 8);
        fixed(records, 4);
        fixed(size, 4);
        fixed(size, 4);
        fixed(sum, 4);
        fixed(checksum(0, 32), 4);
        out.write(bytes, 0, HEADER + size);
        long next = first + records;
        end = HEADER;
        records = 0;
        strings.clear();
        return next;
    }

    private void fixed(long value, int width) {
        for (int i = 0; i < width; i++) {
            bytes[end++] = (byte) (value >>> 8 * i);
        }
    }

    /** CRC-32C, which the class library has since Java 9. */
    private int checksum(int from, int to) {
        int crc = -1;
        for (int i = from; i < to; i++) {
            crc ^= bytes[i] & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc >>> 1 ^ (crc & 1) * 0x82f63b78;
            }
        }
        return ~crc;
    }
}
