package org.panamaverbs.bench.page;

import java.util.List;

/** Pieces of HTML. */
final class Html {
    /** What is said first of a run beside which something else ran. */
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

    /** Returns a table whose first column names the rows; cells are HTML, those of {@code td} with their element. */
    static String table(String caption, List<String> headings, List<List<String>> rows) {
        StringBuilder text = new StringBuilder("<div class=\"wide\"><table><caption>")
                .append(escape(caption))
                .append("</caption><thead><tr>");
        headings.forEach(heading ->
                text.append("<th scope=\"col\">").append(escape(heading)).append("</th>"));
        text.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            text.append("<tr><th scope=\"row\">").append(row.getFirst()).append("</th>");
            row.stream().skip(1).forEach(cell -> text.append(cell.startsWith("<td") ? cell : "<td>" + cell + "</td>"));
            text.append("</tr>\n");
        }
        return text.append("</tbody></table></div>\n").toString();
    }

    /** Returns {@code summary} that opens to {@code content}. */
    static String details(String summary, String content) {
        return "<details><summary>" + escape(summary) + "</summary>\n" + content + "</details>\n";
    }
}
