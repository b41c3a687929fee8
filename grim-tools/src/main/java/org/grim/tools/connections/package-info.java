// SPDX-License-Identifier: Apache-2.0
/**
 * Connections of programs over {@code java.nio.channels}, as tools see them: what there is, and which wait for whom.
 * <p>Beneath {@code observe}; reads what {@code org.grim.sockets.observe} describes.
 */
package org.grim.tools.connections;
