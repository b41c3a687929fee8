// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/** Which NI serves which node. Known before the control program starts; one table may serve many NIs. Any thread. */
public interface Routes
{
    /** No NI serves the node. */
    int NONE = -1;

    /**
     * The NI of a node.
     *
     * @param node 0 to 4,095.
     * @return NI number, or {@link #NONE}.
     */
    int niOf(int node);

    /**
     * Some node of an NI.
     *
     * @param ni NI number.
     * @return the node that its announcements are addressed to.
     */
    int nodeOf(int ni);

    /**
     * How many NIs there are.
     *
     * @return NI numbers are below it.
     */
    int niCount();
}
