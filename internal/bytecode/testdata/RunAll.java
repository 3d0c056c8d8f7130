/** Calls run(int) of each class that is named and prints what it returns or throws. */
class RunAll {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            java.lang.reflect.Method run = Class.forName(name).getDeclaredMethod("run", int.class);
            for (int n = -3; n <= 12; n++) {
                String outcome;
                try {
                    outcome = run.invoke(null, n).toString();
                } catch (java.lang.reflect.InvocationTargetException e) {
                    outcome = e.getCause().toString();
                }
                System.out.println(name + "(" + n + ") = " + outcome);
            }
        }
    }
}
