// SPDX-License-Identifier: Apache-2.0
/**
 * Channels of {@code java.nio} whose bytes travel over GRIM where both ends are nodes of one cluster, and over the
 * JDK's TCP otherwise. Any thread calls; whichever selects, reads or writes drives the process's one node, which is in
 * {@code org.grim.sockets.node}. Imports that and {@code org.grim}.
 */
package org.grim.sockets;
