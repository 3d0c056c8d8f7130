package app;

class Work {
    static int work() {
        return 0;
    }
}
