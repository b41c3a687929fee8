// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.grim.GrimException;

/** What both kinds of page have in common: the frame, with its style inside, and small parts. Any thread; no state. */
final class Sheet
{
    private static final String STYLE = "page.css";

    private Sheet()
    {
    }

    /** A whole file. The policy keeps a browser from fetching or running anything, whatever a run's files say. */
    static String page(final String title, final String body)
    {
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
            "<meta http-equiv=\"Content-Security-Policy\" " +
            "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n" +
            "<title>" + Html.escaped(title) + "</title>\n<style>\n" + style() + "</style>\n</head>\n<body>\n" + body +
            "</body>\n</html>\n";
    }

    /** A box with a word or two on its left. */
    static void remark(final Html html, final String kind, final String word, final String text)
    {
        html.open("p", "class", "remark " + kind).element("strong", word).text(" " + text).close();
    }

    static void list(final Html html, final List<String> sentences)
    {
        html.open("ul");
        sentences.forEach(sentence -> html.element("li", sentence));
        html.close();
    }

    static void headings(final Html html, final String... names)
    {
        html.open("thead").open("tr");
        for (final String name : names)
        {
            html.element("th", name);
        }
        html.close().close();
    }

    static void number(final Html html, final String text)
    {
        html.element("td", text, "class", "number");
    }

    private static String style()
    {
        try (InputStream input = Sheet.class.getResourceAsStream(STYLE))
        {
            if (input == null)
            {
                throw new GrimException("resource " + STYLE + " is missing: this build is not complete");
            }
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new GrimException("resource " + STYLE + " cannot be read", ex);
        }
    }
}
