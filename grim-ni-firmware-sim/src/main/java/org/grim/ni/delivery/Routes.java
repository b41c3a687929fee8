// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/** Which NI serves which node. Known before the control program starts; one table may serve many NIs. Any thread. */
public interface Routes
{
    /** No NI serves the node. */
    int NONE = -1;
    /** The NI of the node has begun another life, and what was under way to the old one is not settled yet. */
    int LATER = -2;

    /**
     * The NI of a node.
     *
     * @param node 0 to 4,095.
     * @return NI number, or {@link #NONE}.
     */
    int niOf(int node);

    /**
     * The NI of a node, for a message that is to leave: {@link #LATER} keeps it from being counted among what the NI's
     * old life takes with it.
     *
     * @param node 0 to 4,095.
     * @return NI number, {@link #NONE} or {@link #LATER}.
     */
    default int niToSendTo(final int node)
    {
        return niOf(node);
    }

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
