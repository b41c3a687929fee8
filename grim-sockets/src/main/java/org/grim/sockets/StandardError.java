// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

/**
 * The place where the library speaks to people, if there is no log. The gates against printing leave out this class
 * alone.
 * <p>Thread: any; no state.
 */
final class StandardError
{
    private StandardError()
    {
    }

    /**
     * Prints a line.
     *
     * @param text of it.
     */
    static void print(final String text)
    {
        System.err.println("GRIM: " + text);
    }
}
