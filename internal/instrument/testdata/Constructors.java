/** What is counted of constructors. */
class Constructors {
    Constructors() {}

    Constructors(boolean other) {
        this(new Object(), other ? new Constructors() : new Thread());
    }

    Constructors(Object... arguments) {
        super();
    }
}
