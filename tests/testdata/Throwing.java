import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;

/** Makes 2,000 objects of each of its classes, whose constructors throw every second time. */
class Throwing {
    static final int ROUNDS = 2000;
    static final RuntimeException THROWN = new RuntimeException("thrown", null, false, false) { };
    static int made;

    static class Made {
        long one, two, three;

        Made() {
            if ((made++ & 1) == 1) throw THROWN;
        }
    }

    static class ByConstructor extends Made { }

    static class ByClass extends Made { }

    static class ByHandle extends Made { }

    static class ByReference extends Made { }

    static class ByMethod extends Made { }

    static class NotMade {
        NotMade(int number) { }
    }

    static class Unfit {
        static { if (made >= 0) throw THROWN; }
    }

    static class Inherited {
        static boolean throwing;

        public Inherited() {
            if (throwing) throw THROWN;
        }
    }

    static class Serialized extends Inherited implements Serializable { }

    @SuppressWarnings("deprecation")
    public static void main(String[] args) throws Throwable {
        Constructor<?> constructor = ByConstructor.class.getDeclaredConstructor();
        Constructor<?> other = ByMethod.class.getDeclaredConstructor();
        Method newInstance = Constructor.class.getMethod("newInstance", Object[].class);
        MethodHandle handle = MethodHandles.lookup().findConstructor(ByHandle.class, MethodType.methodType(void.class));
        Supplier<ByReference> reference = ByReference::new;
        int thrown = 0;
        for (int i = 0; i < ROUNDS; i++) {
            try {
                constructor.newInstance();
            } catch (InvocationTargetException e) {
                thrown++;
            }
        }
        for (int i = 0; i < ROUNDS; i++) {
            try {
                ByClass.class.newInstance();
            } catch (RuntimeException e) {
                thrown++;
            }
        }
        for (int i = 0; i < ROUNDS; i++) {
            try {
                ByHandle last = (ByHandle) handle.invokeExact();
            } catch (RuntimeException e) {
                thrown++;
            }
        }
        for (int i = 0; i < ROUNDS; i++) {
            try {
                reference.get();
            } catch (RuntimeException e) {
                thrown++;
            }
        }
        for (int i = 0; i < ROUNDS; i++) {
            try {
                newInstance.invoke(other, (Object) null);
            } catch (InvocationTargetException e) {
                thrown++;
            }
        }
        try {
            NotMade.class.getDeclaredConstructor(int.class).newInstance();
        } catch (IllegalArgumentException e) {
            thrown++;
        }
        try {
            Unfit.class.getDeclaredConstructor().newInstance();
        } catch (ExceptionInInitializerError e) {
            thrown++;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(new Serialized());
        Inherited.throwing = true;
        try {
            new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        } catch (Exception e) {
            thrown++;
        }
        System.out.println(thrown);
    }
}
