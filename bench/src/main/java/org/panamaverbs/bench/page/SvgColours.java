package org.panamaverbs.bench.page;

import java.awt.Color;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The colours of a plot while it is drawn, and what the page has in their place: its own, which are others on a dark
 * screen. What would clash with another plot of the page goes, as clips do, which are found by names.
 */
final class SvgColours {
    /** The colour of the lines behind a plot. */
    static final Color RULE = new Color(2, 2, 2);

    private static final String RULE_TEXT = "rgb(2,2,2)";
    private static final String STYLE_TEXT = "rgb(1,1,";
    private static final String[] COLOURED = {"fill", "stroke"};
    private static final String[] USELESS = {
        "clip-path", "id", "xml:space", "xmlns:xlink", "color-interpolation", "color-rendering", "image-rendering"
    };

    private SvgColours() {}

    /** Returns the colour of a style while it is drawn. */
    static Color ofStyle(int style) {
        return new Color(1, 1, style);
    }

    /** Gives {@code element} and all below it the page's colours. */
    static void apply(Element element) {
        for (String name : USELESS) {
            element.removeAttribute(name);
        }
        for (String name : COLOURED) {
            if (element.hasAttribute(name)) {
                element.setAttribute(name, ofPage(element.getAttribute(name)));
            }
        }
        NodeList children = element.getChildNodes();
        for (int i = children.getLength() - 1; i >= 0; i--) {
            Node child = children.item(i);
            if (child.getNodeName().equals("defs")) {
                element.removeChild(child);
            } else if (child instanceof Element below) {
                apply(below);
            }
        }
    }

    private static String ofPage(String drawn) {
        if (drawn.equals("none")) {
            return drawn;
        }
        if (drawn.equals(RULE_TEXT)) {
            return "var(--rule)";
        }
        return drawn.startsWith(STYLE_TEXT)
                ? "var(--s" + drawn.substring(STYLE_TEXT.length(), drawn.length() - 1) + ")"
                : "var(--text)";
    }
}
