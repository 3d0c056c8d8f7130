import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isNative;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.none;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.util.Map;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassInjector;

/**
 * A Java agent beside ours, of the kind that traces requests, OpenTelemetry's for one: ByteBuddy puts advice around the methods of a program and of a class
 * of the JDK that is loaded already, with code behind normal and exceptional ends, that makes objects there and calls a class that the agent has injected into the boot loader. Option
 * load:PROGRAM advises from the start; later:PROGRAM between two runs, so that all classes are retransformed.
 */
public class Advisor {
    static Instrumentation instrumentation;
    static String program;
    static String mode;

    public static void premain(String options, Instrumentation i) throws Exception {
        System.setProperty("net.bytebuddy.experimental", "true"); // on JDKs that it does not know yet
        instrumentation = i;
        mode = options.substring(0, options.indexOf(':'));
        program = options.substring(options.indexOf(':') + 1);
        inject();
        if (mode.equals("load")) {
            advise();
        }
    }

    static void inject() throws Exception {
        File folder = Files.createTempDirectory("advisor").toFile();
        String name = "Advisor$Watched";
        try (var file = Advisor.class.getResourceAsStream(name + ".class")) {
            ClassInjector.UsingInstrumentation.of(folder, ClassInjector.UsingInstrumentation.Target.BOOTSTRAP, instrumentation)
                    .injectRaw(Map.of(name, file.readAllBytes()));
        }
        for (File jar : folder.listFiles()) {
            jar.deleteOnExit();
        }
        folder.deleteOnExit();
    }

    static void advise() {
        var body = not(isAbstract()).and(not(isNative()));
        new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .with(AgentBuilder.RedefinitionStrategy.BatchAllocator.ForFixedSize.ofSize(1)) // a class whose initialisation failed fails its batch
                .ignore(none())
                .type(named(program).or(nameStartsWith(program + "$")).or(named("java.io.PrintStream")))
                .transform(new AgentBuilder.Transformer.ForAdvice()
                        .include(Advisor.class.getClassLoader())
                        .advice(isMethod().and(body), "Advisor$AroundMethod")
                        .advice(isConstructor(), "Advisor$BehindConstructor"))
                .installOn(instrumentation);
    }

    /** What advice calls, in the boot loader. */
    public static class Watched {
        public static long entered;
        public static long left;
        public static long thrown;

        public static long enter() {
            return ++entered;
        }

        public static void leave(long number, Throwable t) {
            left++;
            if (number <= 0) {
                throw new IllegalStateException("left before it was entered");
            }
            if (t != null) {
                thrown++;
            }
        }
    }

    public static class AroundMethod {
        @Advice.OnMethodEnter(suppress = Throwable.class)
        static long enter() {
            return new long[] {Watched.enter()}[0];
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
        static void exit(@Advice.Enter long number, @Advice.Thrown Throwable t) {
            Watched.leave(number, t);
        }
    }

    public static class BehindConstructor {
        @Advice.OnMethodExit(suppress = Throwable.class)
        static void exit() {
            Watched.leave(1, null);
        }
    }

    /** Runs the program; in mode later twice. */
    public static void main(String[] args) throws Exception {
        var run = Class.forName(program).getDeclaredMethod("main", String[].class);
        run.setAccessible(true);
        run.invoke(null, (Object) args);
        if (mode.equals("later")) {
            advise();
            run.invoke(null, (Object) args);
        }
        System.out.println("advised " + (Watched.entered > 0 && Watched.left > 0 && Watched.thrown > 0));
    }
}
