// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.nio.file.Path;

/** Where the files of nodes stand. Thread: any. */
@FunctionalInterface
public interface NodeFiles
{
    /**
     * A file that belongs to one incarnation of one node.
     *
     * @param node        its number.
     * @param incarnation of the node.
     * @param kind        what the file holds, its suffix.
     * @return the path.
     */
    Path of(int node, int incarnation, String kind);
}
