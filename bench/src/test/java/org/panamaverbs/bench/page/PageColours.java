package org.panamaverbs.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;

/** The variables of {@code page.css}, and how people see their colours. */
final class PageColours {
    private static final Pattern ROOT = Pattern.compile(":root \\{(.*?)}", Pattern.DOTALL);
    private static final Pattern COLOUR = Pattern.compile("(--[a-z-]+): (#[0-9a-f]{6});");

    private PageColours() {}

    /** Returns the colours of the light and of the dark scheme, by variable. */
    static List<Map<String, String>> schemes() throws IOException {
        try (InputStream in = HtmlWriter.class.getResourceAsStream("page.css")) {
            Assertions.assertThat(in).isNotNull();
            List<Map<String, String>> schemes = ROOT.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .results()
                    .map(root -> colours(root.group(1)))
                    .toList();
            Assertions.assertThat(schemes).hasSize(2);
            Assertions.assertThat(schemes.getLast().keySet())
                    .isEqualTo(schemes.getFirst().keySet());
            return schemes;
        }
    }

    private static Map<String, String> colours(String css) {
        Map<String, String> colours = new TreeMap<>();
        Matcher matcher = COLOUR.matcher(css);
        while (matcher.find()) {
            colours.put(matcher.group(1), matcher.group(2));
        }
        return colours;
    }

    /** Returns the colours of contestants. */
    static Map<String, String> contestants(Map<String, String> scheme) {
        Map<String, String> colours = new TreeMap<>(scheme);
        colours.keySet().removeIf(name -> !name.startsWith("--of-"));
        return colours;
    }

    /** Returns the contrast ratio of WCAG, 1 to 21. */
    static double contrast(String one, String other) {
        double a = luminance(linear(one));
        double b = luminance(linear(other));
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    private static double luminance(double[] rgb) {
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    }

    private static double[] linear(String colour) {
        double[] rgb = new double[3];
        for (int i = 0; i < rgb.length; i++) {
            double share = Integer.parseInt(colour, 1 + 2 * i, 3 + 2 * i, 16) / 255.0;
            rgb[i] = share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
        }
        return rgb;
    }

    /** Returns the distance in CIE L*a*b* (1976): about 2 is just noticeable. */
    static double distance(String one, String other) {
        double[] a = lab(linear(one));
        double[] b = lab(linear(other));
        return Math.sqrt(Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2));
    }

    private static double[] lab(double[] rgb) {
        double x = root((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
        double y = root(luminance(rgb));
        double z = root((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double root(double share) {
        return share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116.0;
    }
}
