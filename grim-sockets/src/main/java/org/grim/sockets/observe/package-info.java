// SPDX-License-Identifier: Apache-2.0
/**
 * Connections of a process for tools: a file of its node, which the process writes and tools map.
 * <p>Beneath {@code node}; knows no channel.
 */
package org.grim.sockets.observe;
