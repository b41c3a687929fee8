// SPDX-License-Identifier: Apache-2.0
/**
 * The node that all channels of a process share: connections and listeners, the messages between them, and who sleeps
 * on the doorbell. Any thread calls. Imports {@code org.grim}, {@code org.grim.transport} for settings, and {@code
 * org.grim.cluster} for names of files; knows no channel.
 */
package org.grim.sockets.node;
