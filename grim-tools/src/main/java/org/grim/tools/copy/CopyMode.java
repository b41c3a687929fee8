// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.copy;

import java.util.Locale;

/** How the bytes of the file go. */
public enum CopyMode
{
    /** In active messages, whose handler takes them. */
    AM,
    /** By remote writes into a window of the receiver's memory. */
    RM;

    /** As on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
