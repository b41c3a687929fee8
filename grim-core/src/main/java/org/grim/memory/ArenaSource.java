// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

/** Finds arenas of one node. Any thread. */
interface ArenaSource
{
    /** The arena that a byte of the node's memory lies in; null if there is none that this process can reach. */
    ArenaView find(long spaceOffset);
}
