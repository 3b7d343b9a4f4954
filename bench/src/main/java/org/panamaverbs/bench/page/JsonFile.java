package org.panamaverbs.bench.page;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Records as files of JSON. */
public final class JsonFile {
    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private JsonFile() {}

    /** Writes {@code content}; its numbers must be finite. */
    public static void write(Path file, Object content) throws IOException {
        Files.writeString(file, GSON.toJson(content) + "\n");
    }

    /** Reads what {@link #write} wrote of a {@code type}. */
    public static <T> T read(Path file, Class<T> type) throws IOException {
        return GSON.fromJson(Files.readString(file), type);
    }
}
