// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.function.Consumer;

import org.grim.EndpointId;

/** An endpoint of the host CPU: the one that the node always has, or another that was opened. */
final class HostEndpoint extends NodeEndpoint
{
    /**
     * Opens an endpoint.
     *
     * @param id       of it on its first channel.
     * @param channels of the node.
     * @param node     that it belongs to.
     * @param onClose  has the node call {@link #dismantle()}, unless it leaves; null for the one that is always there.
     */
    HostEndpoint(
        final EndpointId id, final int[] channels, final NodeParts node, final Consumer<NodeEndpoint> onClose)
    {
        super(id, channels, node, onClose);
    }
}
