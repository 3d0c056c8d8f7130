import java.util.Random;
import org.sunflow.SunflowAPI;
import org.sunflow.core.Display;
import org.sunflow.image.Color;
import org.sunflow.math.Matrix4;
import org.sunflow.math.Point3;
import org.sunflow.math.Vector3;
import org.sunflow.system.UI;
import org.sunflow.system.ui.SilentInterface;

/** Ray-traces spheres and a floor with shadows and reflections into memory. */
public final class Sunflow extends Workload {
    private static final int SIZE = 160;

    @Override
    protected long iterate() {
        SunflowAPI scene = new SunflowAPI();
        scene.parameter("threads", 1);
        scene.parameter("threads.lowPriority", false);
        scene.parameter("resolutionX", SIZE);
        scene.parameter("resolutionY", part(SIZE));
        scene.parameter("aa.min", 0);
        scene.parameter("aa.max", 2);
        scene.parameter("depths.reflection", 4);
        scene.options(SunflowAPI.DEFAULT_OPTIONS);
        scene.parameter("transform", Matrix4.lookAt(new Point3(0, -12, 6), new Point3(0, 0, 1), new Vector3(0, 0, 1)));
        scene.parameter("fov", 45f);
        scene.parameter("aspect", 1f);
        scene.camera("eye", "pinhole");
        scene.parameter("camera", "eye");
        scene.options(SunflowAPI.DEFAULT_OPTIONS);

        Random random = new Random(17);
        for (int i = 0; i < 6; i++) {
            scene.parameter("diffuse", "sRGB nonlinear", new float[] {random.nextFloat(), random.nextFloat(),
                    random.nextFloat()});
            scene.parameter("shiny", 0.4f);
            scene.shader("shader" + i, i % 2 == 0 ? "shiny_diffuse" : "diffuse");
        }
        for (int i = 0; i < 60; i++) {
            scene.geometry("sphere" + i, "sphere");
            Matrix4 place = Matrix4.translation(random.nextFloat() * 10 - 5, random.nextFloat() * 8 - 3,
                    random.nextFloat() * 3);
            scene.parameter("transform", place.multiply(Matrix4.scale(0.3f + random.nextFloat() / 2)));
            scene.parameter("shaders", new String[] {"shader" + i % 6});
            scene.instance("sphere" + i + ".instance", "sphere" + i);
        }
        scene.parameter("center", new Point3(0, 0, -1));
        scene.parameter("normal", new Vector3(0, 0, 1));
        scene.geometry("floor", "plane");
        scene.parameter("shaders", new String[] {"shader1"});
        scene.instance("floor.instance", "floor");
        scene.parameter("center", new Point3(-6, -8, 10));
        scene.parameter("power", "sRGB nonlinear", new float[] {600, 600, 500});
        scene.light("lamp", "point");

        Sum image = new Sum();
        scene.render(SunflowAPI.DEFAULT_OPTIONS, image);
        return image.sum & 0xffffffffL;
    }

    /** Adds up the pixels; the order in which tiles arrive does not matter. */
    private static final class Sum implements Display {
        private long sum;

        @Override
        public void imageBegin(int width, int height, int bucketSize) {}

        @Override
        public void imagePrepare(int x, int y, int width, int height, int id) {}

        @Override
        public synchronized void imageUpdate(int x, int y, int width, int height, Color[] data, float[] alpha) {
            for (int i = 0; i < data.length; i++) {
                sum += (long) data[i].copy().toNonLinear().toRGB() * (1 + (y * SIZE + x) % 1009 + i);
            }
        }

        @Override
        public void imageFill(int x, int y, int width, int height, Color color, float alpha) {
            sum += color.toRGB();
        }

        @Override
        public void imageEnd() {}
    }

    public static void main(String[] args) throws Exception {
        UI.set(new SilentInterface());
        new Sunflow().run(args);
    }
}
