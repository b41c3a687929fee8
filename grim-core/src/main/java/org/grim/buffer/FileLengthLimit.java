// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The longest file that this process may write, as {@code ulimit -f} sets it. Thread: any; no state. */
final class FileLengthLimit
{
    /** Advice for a longer file, as the end of a sentence. */
    static final String TEXT = "; this process may not write files of that length: raise its limit (ulimit -f)";

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern LINE = Pattern.compile("Max file size +([0-9]+) .*");

    private FileLengthLimit()
    {
    }

    /** {@return bytes; the largest number if there is no limit, or the system does not say} */
    static long ofThisProcess()
    {
        try
        {
            return ofLimits(Files.exists(LIMITS) ? Files.readString(LIMITS) : "");
        }
        catch (final IOException ex)
        {
            return Long.MAX_VALUE;              // It only chooses the text of an error that is reported anyway.
        }
    }

    static long ofLimits(final String text)
    {
        final Matcher line = LINE.matcher(text);
        return line.find() ? Long.parseLong(line.group(1)) : Long.MAX_VALUE;
    }
}
