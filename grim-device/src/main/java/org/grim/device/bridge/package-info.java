// SPDX-License-Identifier: Apache-2.0
/**
 * A bridge: TCP connections through which programs outside of the cluster send messages. The driver runs on the
 * runner's thread; each connection has a thread that reads and one that writes. Imports {@code org.grim}, {@code
 * org.grim.buffer} and {@code org.grim.device}.
 */
package org.grim.device.bridge;
