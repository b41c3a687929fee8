// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

/** Which ends of its peers a process has. */
public enum Ends
{
    /** The end that measures; makes the files. */
    FIRST,

    /** The other end, in the second process; opens the files. */
    SECOND,

    /** Both, in one thread: each peer sends to itself. */
    BOTH
}
