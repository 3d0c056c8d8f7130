package mallard.portable;

import java.io.FileInputStream;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * How large objects are on the heap, in bytes. The VM tells nobody without an agent; these are estimates: HotSpot's
 * layout (JDK 15 and newer), with the options that the VM was started with, as far as they can be found out.
 */
final class Sizes {
    private static final String options = options();
    /** The release of Java: 8, 17. */
    static final int FEATURE = feature();
    private static final boolean wide = !"32".equals(System.getProperty("sun.arch.data.model"));

    /** Bytes of a reference. HotSpot has the property where references are compressed. */
    static final long REFERENCE = wide && System.getProperty("java.vm.compressedOopsMode") == null ? 8 : 4;

    /** Bytes to which objects are aligned. */
    static final long ALIGNMENT = number("-XX:ObjectAlignmentInBytes=", 8);

    /** Bytes of an object's header. */
    static final int HEADER = !wide || FEATURE >= 24 && options.contains("-XX:+UseCompactObjectHeaders") ? 8
        : options.contains("-XX:-UseCompressedClassPointers") || FEATURE < 15 && REFERENCE == 8 ? 16 : 12;

    /** Header bytes of arrays with elements of 1, 2 and 4 bytes, of 8 bytes, and of references. */
    static final long BASE = base(4);
    static final long BASE8 = base(8);
    static final long BASE_REF = base((int) REFERENCE);

    /** By class, what {@link #instance} computes. */
    private static final ClassValue<Long> instances = new ClassValue<Long>() {
        @Override
        protected Long computeValue(Class<?> type) {
            return instance(type);
        }
    };

    private static final ClassValue<Boolean> clones = new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return findsObjectsClone(type);
        }
    };

    private Sizes() {}

    /** Sees to it that this class, and the one that it needs, are initialised. */
    static void load() {
        Layout.OBJECT.size();
    }

    /**
     * The length of the header and an array's length, as arrays with elements of some bytes have it: they begin at a
     * multiple of 8 before JDK 23.
     */
    private static long base(int width) {
        int unit = FEATURE >= 23 ? Math.max(width, 4) : wide ? 8 : 4;
        return (HEADER + 4 + unit - 1) / unit * unit;
    }

    static long align(long size) {
        return size + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** The size of an object or array before it is aligned. */
    static long of(Object made) {
        if (made instanceof Object[]) {
            return BASE_REF + REFERENCE * ((Object[]) made).length;
        }
        Class<?> type = made.getClass();
        if (!type.isArray()) {
            return instances.get(type);
        }
        long length = Array.getLength(made);
        Class<?> element = type.getComponentType();
        return element == long.class || element == double.class ? BASE8 + 8 * length : BASE + width(element) * length;
    }

    /** The size of objects of a class that is none of arrays. */
    static long ofInstances(Class<?> type) {
        return instances.get(type);
    }

    /** An array's length. */
    static long length(Object array) {
        return array instanceof Object[] ? ((Object[]) array).length : Array.getLength(array);
    }

    /** Bytes of the array that a string has: of 1 byte a character if that is enough for each. */
    static int bytes(String s) {
        int length = s.length();
        for (int i = 0; i < length; i++) {
            if (s.charAt(i) > 0xff) {
                return 2 * length;
            }
        }
        return length;
    }

    static int width(Class<?> type) {
        if (type == boolean.class || type == byte.class) {
            return 1;
        }
        if (type == char.class || type == short.class) {
            return 2;
        }
        if (type == int.class || type == float.class) {
            return 4;
        }
        return type.isPrimitive() ? 8 : (int) REFERENCE;
    }

    private static long instance(Class<?> type) {
        try {
            return Layout.of(type).size();
        } catch (Throwable e) {
            return align(HEADER); // a class that a field has cannot be loaded
        }
    }

    /** Whether a class's clone is that of Object. */
    static boolean inheritsClone(Class<?> type) {
        return clones.get(type);
    }

    private static boolean findsObjectsClone(Class<?> type) {
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            try {
                c.getDeclaredMethod("clone");
                return false;
            } catch (NoSuchMethodException e) {
                continue;
            } catch (Throwable e) {
                return false; // nobody can tell
            }
        }
        return true;
    }

    /** Where an object has its fields: it matters where gaps are that a subclass's fields fit into. */
    static final class Layout {
        private final int end;
        private final int[] gaps; // offset and size of each, by offset

        private Layout(int end, int[] gaps) {
            this.end = end;
            this.gaps = gaps;
        }

        static final Layout OBJECT = new Layout(HEADER, new int[0]);

        long size() {
            return align(end + 7 & -8);
        }

        static Layout of(Class<?> type) {
            if (type == null || type == Object.class) {
                return OBJECT;
            }
            StringBuilder fields = new StringBuilder();
            boolean backtrace = type != Throwable.class;
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    fields.append("?BS?I???J".charAt(field.getType().isPrimitive() ? width(field.getType()) : 0));
                    backtrace |= field.getName().equals("backtrace");
                }
            }
            if (!backtrace) {
                fields.append('?'); // reflection does not show it before JDK 12
            }
            return of(type.getSuperclass()).with(fields.toString());
        }

        /**
         * The layout of a subclass with fields of these types: large primitive ones are laid out first, references
         * last.
         */
        Layout with(String fields) {
            Layout layout = this;
            for (String types : new String[] {"JD", "IF", "SC", "BZ"}) {
                for (int i = 0; i < fields.length(); i++) {
                    if (types.indexOf(fields.charAt(i)) >= 0) {
                        layout = layout.with(types == "JD" ? 8 : types == "IF" ? 4 : types == "SC" ? 2 : 1);
                    }
                }
            }
            for (int i = 0; i < fields.length(); i++) {
                if ("JDIFSCBZ".indexOf(fields.charAt(i)) < 0) {
                    layout = layout.with((int) REFERENCE);
                }
            }
            return layout;
        }

        /** With one field more, in the smallest gap where it fits, the last of equal ones, or at the end. */
        private Layout with(int width) {
            int best = -1;
            for (int i = gaps.length - 2; i >= 0; i -= 2) {
                int start = gaps[i] + width - 1 & -width;
                if (start + width <= gaps[i] + gaps[i + 1] && (best < 0 || gaps[i + 1] < gaps[best + 1])) {
                    best = i;
                }
            }
            int from = best < 0 ? end : gaps[best];
            int to = best < 0 ? Integer.MAX_VALUE : from + gaps[best + 1];
            int start = from + width - 1 & -width;
            int[] more = new int[gaps.length + 4];
            int n = 0;
            for (int i = 0; i <= gaps.length; i += 2) {
                if (i == best || best < 0 && i == gaps.length) {
                    n = gap(more, n, from, start);
                    n = best < 0 ? n : gap(more, n, start + width, to);
                } else if (i < gaps.length) {
                    n = gap(more, n, gaps[i], gaps[i] + gaps[i + 1]);
                }
            }
            int[] left = new int[n];
            System.arraycopy(more, 0, left, 0, n);
            return new Layout(best < 0 ? start + width : end, left);
        }

        private static int gap(int[] gaps, int n, int from, int to) {
            if (from == to) {
                return n;
            }
            gaps[n] = from;
            gaps[n + 1] = to - from;
            return n + 2;
        }
    }

    /**
     * What the VM was started with, as one line: where it can be read, in the command line, and in the variables that
     * the VM reads.
     */
    private static String options() {
        StringBuilder all = new StringBuilder();
        try {
            for (String argument : command()) {
                all.append(argument).append(' ');
            }
        } catch (Throwable e) {
            // no /proc, or not for us
        }
        try {
            for (String variable : new String[] {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"}) {
                all.append(System.getenv(variable)).append(' ');
            }
        } catch (Throwable e) {
            // not for us
        }
        return all.toString();
    }

    /** The command line of this process; empty where it cannot be read. */
    static String[] command() throws java.io.IOException {
        byte[] b = new byte[1 << 16];
        int n = 0;
        InputStream in = new FileInputStream("/proc/self/cmdline");
        try {
            for (int read; n < b.length && (read = in.read(b, n, b.length - n)) > 0;) {
                n += read;
            }
        } finally {
            in.close();
        }
        return new String(b, 0, n, "UTF-8").split("\0");
    }

    private static long number(String option, long otherwise) {
        int at = options.lastIndexOf(option);
        try {
            int start = at + option.length();
            long n = at < 0 ? otherwise : Long.parseLong(options.substring(start, options.indexOf(' ', start)));
            return n >= 8 && (n & n - 1) == 0 ? n : otherwise;
        } catch (RuntimeException e) {
            return otherwise;
        }
    }

    private static int feature() {
        try {
            String version = System.getProperty("java.specification.version"); // 1.8, 17
            return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
        } catch (RuntimeException e) {
            return 8;
        }
    }
}
