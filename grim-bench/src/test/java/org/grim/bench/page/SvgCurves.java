// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** What an SVG of a plot shows in a colour: parts of lines, and markers. */
final class SvgCurves
{
    private static final Set<String> SHAPES = Set.of("circle", "rect", "path");

    private final List<Element> elements = new ArrayList<>();

    SvgCurves(final String svg) throws IOException, SAXException, ParserConfigurationException
    {
        final DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        collect(factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg))).getDocumentElement());
    }

    /** Straight parts of opaque lines. */
    List<Element> lines(final int rgb)
    {
        return elements.stream().filter(element -> "line".equals(element.getTagName()))
            .filter(element -> colour(rgb).equals(inherited(element, "stroke")))
            .filter(element -> isOpaque(element, "stroke-opacity")).toList();
    }

    /** Opaque shapes. */
    List<Element> markers(final int rgb)
    {
        return elements.stream().filter(element -> SHAPES.contains(element.getTagName()))
            .filter(element -> colour(rgb).equals(inherited(element, "fill")))
            .filter(element -> isOpaque(element, "fill-opacity")).toList();
    }

    private void collect(final Element element)
    {
        elements.add(element);
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling())
        {
            if (child instanceof final Element inner)
            {
                collect(inner);
            }
        }
    }

    private static boolean isOpaque(final Element element, final String attribute)
    {
        final String opacity = inherited(element, attribute);
        return opacity.isEmpty() || Double.parseDouble(opacity) == 1;
    }

    private static String inherited(final Element element, final String attribute)
    {
        for (Node node = element; node instanceof final Element outer; node = node.getParentNode())
        {
            if (outer.hasAttribute(attribute))
            {
                return outer.getAttribute(attribute);
            }
        }
        return "";
    }

    private static String colour(final int rgb)
    {
        return String.format(Locale.ROOT, "rgb(%d,%d,%d)", rgb >> 16, rgb >> 8 & 0xFF, rgb & 0xFF);
    }
}
