package app;

class Work {
    static int work() {
        int made = 0;
        for (; made < 700; made++) {
            made += new int[made & 3].length * 0;
        }
        return made;
    }
}
