// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The log that an action wrote, which tests have on standard error. Thread: one at a time in a JVM. */
public final class Logged
{
    private Logged()
    {
    }

    public static String by(final Runnable action)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintStream before = System.err;
        System.setErr(new PrintStream(bytes, true, UTF_8));
        try
        {
            action.run();
        }
        finally
        {
            System.setErr(before);
        }
        return bytes.toString(UTF_8);
    }

    /** Returns the number of occurrences of a text in another. */
    public static int count(final String text, final String part)
    {
        return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
    }
}
