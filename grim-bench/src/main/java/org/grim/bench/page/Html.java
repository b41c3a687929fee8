// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Text of a page. What comes from a run is never markup: text and values of attributes are escaped.
 * <p>Thread: one.
 */
final class Html
{
    private final StringBuilder text = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Begins an element; attributes by name and value. */
    Html open(final String name, final String... attributes)
    {
        tag(name, attributes);
        open.push(name);
        return this;
    }

    /** Ends the element that was begun last. */
    Html close()
    {
        text.append("</").append(open.pop()).append(">\n");
        return this;
    }

    /** An element with text. */
    Html element(final String name, final String content, final String... attributes)
    {
        tag(name, attributes);
        text.append(escaped(content)).append("</").append(name).append('>');
        return this;
    }

    Html text(final String content)
    {
        text.append(escaped(content));
        return this;
    }

    /** Markup of our own, as it is. */
    Html markup(final String markup)
    {
        text.append(markup);
        return this;
    }

    /** Two columns, of names and values. */
    Html row(final String name, final String value)
    {
        return open("tr").element("th", name).element("td", value).close();
    }

    @Override
    public String toString()
    {
        if (!open.isEmpty())
        {
            throw new IllegalStateException("open=" + open);
        }
        return text.toString();
    }

    static String escaped(final String content)
    {
        return content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
            .replace("'", "&#39;");
    }

    private void tag(final String name, final String... attributes)
    {
        if ((attributes.length & 1) == 1)
        {
            throw new IllegalArgumentException("attribute=" + attributes[attributes.length - 1] + " has no value");
        }
        text.append('<').append(name);
        for (int i = 0; i < attributes.length; i += 2)
        {
            text.append(' ').append(attributes[i]).append("=\"").append(escaped(attributes[i + 1])).append('"');
        }
        text.append('>');
    }
}
