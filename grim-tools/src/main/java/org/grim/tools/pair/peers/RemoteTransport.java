// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.util.function.UnaryOperator;

import org.grim.GrimConfig;

/**
 * Through what a {@link RemotePeer} reaches the other side.
 *
 * @param settings  completes those of the node.
 * @param isStepped whether operations move only while this side polls.
 * @param isLoop    whether the other side is the node itself.
 */
public record RemoteTransport(UnaryOperator<GrimConfig> settings, boolean isStepped, boolean isLoop)
{
}
