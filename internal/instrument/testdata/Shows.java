import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Classes whose constructors show their object to others, and such whose constructors do not, by their names. */
class Shows {
    static Object field;
    static final List<Object> all = new ArrayList<>();
    static final Object[] array = new Object[1];

    static class HidesNothing {}

    static class HidesFields {
        int a, b = 2;
        long c;
        double[] d = new double[3];
        Object other;

        HidesFields(int a, long c, Object other) {
            this.a = a;
            this.c = a > 3 ? c : c + 1;
            this.other = other == null ? new Object() : other;
            this.b += a;
            this.c++;
            for (int i = 0; i < d.length; i++) d[i] = this.a * i;
        }
    }

    static class HidesOthers {
        final List<Object> list = new ArrayList<>();
        final String text;

        HidesOthers(String text) {
            this(text, 1);
        }

        HidesOthers(String text, int times) {
            list.add(text);
            field = text;
            array[0] = list;
            this.text = times > 1 ? text.repeat(times) : text;
            if (this.text.isEmpty()) throw new IllegalArgumentException(text);
        }
    }

    static class HidesBehindCatch extends HidesNothing {
        int n;

        HidesBehindCatch(String s) {
            try {
                n = Integer.parseInt(s);
            } catch (NumberFormatException e) {
                field = e;
            }
        }
    }

    static class HidesComparison {
        HidesComparison other;
        boolean same;

        HidesComparison(HidesComparison other) {
            same = other == this || (Object) this instanceof Runnable;
            this.other = other;
        }
    }

    class HidesOuter {
        int n = array.length;
    }

    static class ShowsInField {
        ShowsInField() {
            field = this;
        }
    }

    static class ShowsInElement {
        ShowsInElement() {
            array[0] = this;
        }
    }

    static class ShowsInFieldOfAnother {
        ShowsInFieldOfAnother last;

        ShowsInFieldOfAnother(ShowsInFieldOfAnother other) {
            other.last = this;
        }
    }

    static class ShowsInOwnField {
        final Object self = this;
    }

    static class ShowsAsArgument {
        ShowsAsArgument() {
            all.add(this);
        }
    }

    static class ShowsToMethod {
        ShowsToMethod() {
            show();
        }

        void show() {
            field = this;
        }
    }

    static class ShowsToConstructor {
        ShowsToConstructor() {
            field = new Other(this);
        }

        static class Other {
            Other(Object of) {}
        }
    }

    static class ShowsToLambda {
        int n;

        ShowsToLambda() {
            IntSupplier s = () -> n;
            field = s;
        }
    }

    static class ShowsToInner {
        ShowsToInner() {
            field = new Object() {
                Object outer() {
                    return ShowsToInner.this;
                }
            };
        }
    }

    static class ShowsByLock {
        int n;

        ShowsByLock() {
            synchronized (this) {
                n++;
            }
        }
    }

    static class ShowsByLocal {
        ShowsByLocal() {
            ShowsByLocal me = this;
            field = me;
        }
    }

    static class ShowsByChoice {
        ShowsByChoice(boolean it) {
            field = it ? this : null;
        }
    }

    static class ShowsInOneOfTwo {
        ShowsInOneOfTwo() {}

        ShowsInOneOfTwo(int n) {
            field = this;
        }
    }

    static class ShowsThrown extends RuntimeException {
        ShowsThrown(boolean it) {
            if (it) throw this;
        }
    }

    static class ShowsToFinalizer {
        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {}
    }
}
