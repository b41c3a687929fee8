// SPDX-License-Identifier: Apache-2.0
package org.grim.text;

import java.util.Locale;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The one place that makes a text from outside fit to be shown: nothing in it moves a cursor, ends a line, turns the
 * direction of writing or hides. Such characters are written as {@code \\u001b}.
 * <p>Thread: any; no state.
 */
public final class SafeText
{
    /** Most characters of a value that an error repeats. */
    public static final int SHOWN_LENGTH_MAX = 80;

    private SafeText()
    {
    }

    /**
     * Returns whether a text can be shown as it is, on one line.
     *
     * @param text anything.
     * @return false if it has a control or format character, a line or paragraph separator, or half a surrogate pair.
     */
    public static boolean isPrintable(final String text)
    {
        return text.codePoints().allMatch(SafeText::isPrintable);
    }

    /**
     * A text that can be shown on one line.
     *
     * @param text anything.
     * @return the same object if it can be shown as it is.
     */
    public static String escape(final String text)
    {
        return escape(text, "");
    }

    /**
     * A text of several lines, such as a stack trace: line feeds and tabs stay.
     *
     * @param text anything.
     * @return without anything else that cannot be printed.
     */
    public static String escapeLines(final String text)
    {
        return escape(text, "\n\t");
    }

    /**
     * Returns the part of a value that an error repeats.
     *
     * @param value anything, also null.
     * @return on one line; if it is longer than {@value #SHOWN_LENGTH_MAX} characters its beginning, and its length.
     */
    public static String shorten(final Object value)
    {
        return shorten(value, SHOWN_LENGTH_MAX);
    }

    /**
     * Returns the part of a longer text, such as another error's, that an error repeats.
     *
     * @param value     anything, also null.
     * @param lengthMax most characters of it.
     * @return on one line; if it is longer its beginning, and its length.
     */
    public static String shorten(final Object value, final int lengthMax)
    {
        final String text = String.valueOf(value);
        return text.length() <= lengthMax ? escape(text) :
            escape(text.substring(0, lengthMax)) + "... (" + text.length() + " characters)";
    }

    /**
     * A text that a peer wrote.
     *
     * @param bytes of UTF-8, or anything else.
     * @return on one line; a replacement character stands for what is no UTF-8.
     */
    public static String decode(final byte[] bytes)
    {
        return escape(new String(bytes, UTF_8));
    }

    private static String escape(final String text, final String kept)
    {
        if (isPrintable(text))
        {
            return text;
        }
        final StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point ->
        {
            if (isPrintable(point) || kept.indexOf(point) >= 0)
            {
                escaped.appendCodePoint(point);
            }
            else
            {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", point));
            }
        });
        return escaped.toString();
    }

    private static boolean isPrintable(final int point)
    {
        return switch (Character.getType(point))
        {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
                Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
