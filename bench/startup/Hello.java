/** The least a program can do. */
class Hello {
    public static void main(String[] args) {
        System.out.println("checksum 0");
    }
}
