// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

/** Size of a picture. Immutable. */
record VideoSize(int width, int height)
{
    /** Reads the option {@code size}. */
    static VideoSize parse(final String text, final int sideMax)
    {
        if (text.matches("[1-9][0-9]{0,4}x[1-9][0-9]{0,4}"))
        {
            final int by = text.indexOf('x');
            final VideoSize size =
                new VideoSize(Integer.parseInt(text.substring(0, by)), Integer.parseInt(text.substring(by + 1)));
            if (Math.max(size.width, size.height) <= sideMax)
            {
                return size;
            }
        }
        throw new IllegalArgumentException("option size=" + text + " is not WIDTHxHEIGHT, 1 to " + sideMax + " each");
    }
}
