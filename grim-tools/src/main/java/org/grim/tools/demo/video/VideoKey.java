// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.demo.video;

import java.util.concurrent.TimeUnit;

/**
 * A key that is pressed by itself. Immutable.
 *
 * @param key one of r, k, d and q.
 * @param atS seconds after the first picture could come.
 */
public record VideoKey(char key, double atS)
{
    /**
     * Reads an option.
     *
     * @param text such as {@code k@2.5}.
     * @return the key.
     * @throws IllegalArgumentException if it is none.
     */
    public static VideoKey parse(final String text)
    {
        if (!text.matches("[rkdq]@[0-9]{1,6}(\\.[0-9]{1,3})?"))
        {
            throw new IllegalArgumentException(text + " is no KEY@SECONDS, such as k@2.5; keys are r, k, d and q");
        }
        return new VideoKey(text.charAt(0), Double.parseDouble(text.substring(2)));
    }

    long atNs()
    {
        return (long)(atS * TimeUnit.SECONDS.toNanos(1));
    }
}
