import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A Java agent beside ours, as tools for coverage and tracing are. It adds code to the methods of a program: at load (option load:PROGRAM or, able
 * to retransform, always:PROGRAM), or between two runs of it by retransforming (retransform:PROGRAM) or redefining (redefine:PROGRAM) its classes.
 */
public class Weaver implements ClassFileTransformer {
    static Instrumentation instrumentation;
    static String program;
    static String mode;
    static long hits;
    static boolean weaving;

    public static void premain(String options, Instrumentation i) {
        instrumentation = i;
        mode = options.substring(0, options.indexOf(':'));
        program = options.substring(options.indexOf(':') + 1);
        weaving = !mode.startsWith("re");
        i.addTransformer(new Weaver(), !mode.equals("load"));
    }

    /** What woven code calls. */
    public static void hit() {
        hits++;
    }

    static boolean ofProgram(String name) {
        return name != null && (name.equals(program) || name.startsWith(program + "$"));
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> c, ProtectionDomain domain, byte[] bytes) {
        return weaving && ofProgram(name) ? weave(bytes) : null;
    }

    static byte[] weave(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
                return to == null || name.equals("<init>") || name.equals("<clinit>") ? to : new Woven(to);
            }
        }, 0);
        return writer.toByteArray();
    }

    /** Counts entries, returns and increments. */
    static final class Woven extends MethodVisitor {
        Woven(MethodVisitor to) {
            super(Opcodes.ASM9, to);
        }

        void call() {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "Weaver", "hit", "()V", false);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            call();
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                call();
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            call();
            super.visitIincInsn(variable, increment);
        }
    }

    static List<Class<?>> loaded() {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> c : instrumentation.getAllLoadedClasses()) {
            if (ofProgram(c.getName()) && instrumentation.isModifiableClass(c)) {
                classes.add(c);
            }
        }
        return classes;
    }

    static void change(Class<?> c) throws Exception {
        if (mode.equals("retransform")) {
            instrumentation.retransformClasses(c);
        } else if (mode.equals("redefine")) {
            try (var file = c.getClassLoader().getResourceAsStream(c.getName() + ".class")) {
                instrumentation.redefineClasses(new ClassDefinition(c, file.readAllBytes())); // goes through transform, too
            }
        }
    }

    /** Runs the program, changes its classes, and runs it again. */
    public static void main(String[] args) throws Exception {
        var run = Class.forName(program).getDeclaredMethod("main", String[].class);
        run.setAccessible(true);
        run.invoke(null, (Object) args);
        weaving = true;
        for (Class<?> c : loaded()) {
            try {
                change(c);
            } catch (InternalError e) {
                // Its initialisation has failed.
            }
        }
        run.invoke(null, (Object) args);
        System.out.println("woven " + (hits > 0));
    }
}
