package org.panamaverbs.cli;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Sends what the libraries log to the standard error, one line each, from the level that {@code -Dverbs.log} names
 * ({@code WARNING} unless set). The commands say themselves what a person needs to know, and java.logging would cost a
 * tenth of a second at each start.
 */
public final class QuietLoggerFinder extends System.LoggerFinder {
    @Override
    public System.Logger getLogger(String name, Module module) {
        return new StandardErrorLogger(name, threshold());
    }

    private static System.Logger.Level threshold() {
        String name = System.getProperty("verbs.log", "");
        for (System.Logger.Level level : System.Logger.Level.values()) {
            if (level.name().equals(name.toUpperCase(Locale.ROOT))) {
                return level;
            }
        }
        return System.Logger.Level.WARNING;
    }

    private record StandardErrorLogger(String name, Level threshold) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return level != Level.OFF && level.getSeverity() >= threshold.getSeverity();
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                System.err.println(line(level, message) + (thrown == null ? "" : ": " + thrown));
            }
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... params) {
            if (isLoggable(level)) {
                boolean plain = format == null || params == null || params.length == 0;
                System.err.println(line(level, plain ? format : MessageFormat.format(format, params)));
            }
        }

        private static String line(Level level, @Nullable String message) {
            return "verbs: " + level.name().toLowerCase(Locale.ROOT) + ": " + message;
        }
    }
}
