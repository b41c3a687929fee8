// SPDX-License-Identifier: Apache-2.0
package org.grim.example.copy;

import java.util.Locale;

/** Kind of transfer of the file's bytes. */
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
