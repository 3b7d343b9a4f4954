package org.panamaverbs.bench.page;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** Pieces of HTML. */
final class Html {
    /** Begins the titles of this project's own results. */
    static final String OURS = "Panama Verbs";

    /** The warning on a run during which other processes used the machine. */
    static final String BUSY = "The machine was busy: these figures show that the suite runs, and no more.";

    private Html() {}

    /** Returns {@code text} so that it shows as it is. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Returns a line of Markdown, of which bold words and code are known. */
    static String markdown(String text) {
        return escape(text)
                .replaceAll("`([^`]*)`", "<code>$1</code>")
                .replaceAll("\\*\\*([^*]*)\\*\\*", "<strong>$1</strong>");
    }

    /**
     * Returns the colour of a contestant, whose name is the first word of {@code title}; {@code page.css} has them all.
     */
    static String colour(String title) {
        String contestant = title.split("[^A-Za-z]", 2)[0].toLowerCase(Locale.ROOT);
        return "var(--of-" + contestant + ",var(--quiet))";
    }

    /** Returns {@code all} with this project's own before the others. */
    static <T> List<T> oursFirst(List<T> all, Function<T, String> title) {
        return Stream.of(true, false)
                .flatMap(ours -> all.stream().filter(each -> title.apply(each).startsWith(OURS) == ours))
                .toList();
    }

    /** Returns a table with a name, whose first column names the rows; cells are HTML. */
    static String table(String name, List<String> headings, List<List<String>> rows) {
        StringBuilder text = new StringBuilder("<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"")
                .append(escape(name))
                .append("\"><table><thead><tr>");
        headings.forEach(heading ->
                text.append("<th scope=\"col\">").append(escape(heading)).append("</th>"));
        text.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            text.append("<tr><th scope=\"row\">").append(row.getFirst()).append("</th>");
            row.stream().skip(1).forEach(cell -> text.append("<td>" + cell + "</td>"));
            text.append("</tr>\n");
        }
        return text.append("</tbody></table></div>\n").toString();
    }
}
