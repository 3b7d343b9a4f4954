package org.panamaverbs.bench.compare.standing;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.panamaverbs.bench.compare.contestant.Point;

/**
 * A whole run, as it is kept in JSON.
 *
 * @param setting where and how it was made, in the order to show
 * @param versions of who took part
 * @param absent who did not, each with the reason and the remedy
 * @param failures measurements that did not end well
 * @param samples what was found, in the order of the run
 * @param points curves over sizes and percentiles
 */
public record Comparison(
        Map<String, String> setting,
        Map<String, String> versions,
        Map<String, String> absent,
        List<String> failures,
        List<Sample> samples,
        List<Point> points) {
    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    /** Reads what {@link #save} wrote. */
    public static Comparison load(Path file) throws IOException {
        return GSON.fromJson(Files.readString(file), Comparison.class);
    }

    public void save(Path file) throws IOException {
        Files.writeString(file, GSON.toJson(this) + "\n");
    }
}
