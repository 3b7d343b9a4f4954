import java.util.Arrays;
import java.util.Random;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;

/** Writes a file of so many bytes into a running Crail, by one client, and reads it by another; fails if a byte differs. */
public class CheckFile {
    private static final String NAME = "/panama-verbs";

    public static void main(String[] arguments) {
        try {
            check(Integer.parseInt(arguments[0]));
            System.exit(0);
        } catch (Exception e) {
            // Threads of Crail and DiSNI would keep the virtual machine.
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void check(int bytes) throws Exception {
        byte[] written = new byte[bytes];
        new Random(written.length).nextBytes(written);
        CrailStore writer = store();
        CrailFile file = writer.create(
                        NAME, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, true)
                .get()
                .asFile();
        file.syncDir();
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(bytes)) {
            out.write(written);
        }
        writer.close();

        CrailStore reader = store();
        byte[] read = new byte[written.length + 1];
        int length = 0;
        try (CrailBufferedInputStream in =
                reader.lookup(NAME).get().asFile().getBufferedInputStream(bytes)) {
            for (int more; length < read.length && (more = in.read(read, length, read.length - length)) > 0; ) {
                length += more;
            }
        }
        reader.delete(NAME, true).get().syncDir();
        reader.close();
        int differs = Arrays.mismatch(written, 0, written.length, read, 0, length);
        if (differs >= 0) {
            throw new IllegalStateException(
                    "wrote " + written.length + " bytes, read " + length + ", byte " + differs + " differs");
        }
        System.out.println("ok   wrote and read " + length + " bytes");
    }

    private static CrailStore store() throws Exception {
        return CrailStore.newInstance(new CrailConfiguration());
    }
}
