// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.List;

/**
 * A node's description for the directory when it joins.
 *
 * @param host         label of the host that it runs on; 1 to 60 bytes of UTF-8.
 * @param name         unique among live nodes; 1 to 60 bytes of UTF-8.
 * @param channelCount logical channels, 1 to 256.
 * @param transports   names of the transports that it opens.
 */
public record NodeDescription(String host, String name, int channelCount, List<String> transports)
{
}
