// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.Arrays;

/** Objects of this program's classes that no allocation bytecode makes: reflection, clone, copies, deserialisation, handles. */
class Unseen implements Serializable, Cloneable {
    private static final long serialVersionUID = 1;

    enum Side { // alloc: Unseen$Side[] x1
        LEFT, // alloc: Unseen$Side x1
        RIGHT // alloc: Unseen$Side x1
    }

    private static final Object[] NOTHING = {}; // alloc: java.lang.Object[] x1

    public static void main(String[] args) throws Throwable {
        Unseen[] originals = {new Unseen(), new Unseen()}; // alloc: Unseen[] x1, Unseen x2
        Constructor<Unseen> constructor = Unseen.class.getDeclaredConstructor(); // alloc: java.lang.Class[] x1
        int[] dimensions = {1, 2}; // alloc: int[] x1
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            sum += constructor.newInstance(NOTHING).hash(); // unseen: Unseen x5
            sum += ((Unseen) originals[0].clone()).hash(); // unseen: Unseen x5
            sum += originals.clone().length; // unseen: Unseen[] x5
            sum += Arrays.copyOf(originals, 3).length; // unseen: Unseen[] x5
            sum += Array.getLength(Array.newInstance(Unseen.class, i)); // unseen: Unseen[] x5
            sum += Array.getLength(Array.newInstance(Unseen.class, dimensions)); // unseen: Unseen[][] x5, Unseen[] x5
            sum += Side.values().length; // unseen: Unseen$Side[] x5
            sum += copy(originals[1]).hash(); // unseen: Unseen x5
        }
        MethodType type = MethodType.methodType(void.class);
        MethodHandle handle = MethodHandles.lookup().findConstructor(Unseen.class, type);
        for (int i = 0; i < 5; i++) {
            sum += ((Unseen) handle.invokeExact()).hash(); // unseen: Unseen x5
        }
        System.out.println("checksum " + sum);
    }

    int hash() {
        return 1;
    }

    static Unseen copy(Unseen original) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(); // alloc: java.io.ByteArrayOutputStream x5
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) { // alloc: java.io.ObjectOutputStream x5
            out.writeObject(original);
        }
        ByteArrayInputStream written = new ByteArrayInputStream(bytes.toByteArray()); // alloc: java.io.ByteArrayInputStream x5
        try (ObjectInputStream in = new ObjectInputStream(written)) { // alloc: java.io.ObjectInputStream x5
            return (Unseen) in.readObject();
        }
    }
}
