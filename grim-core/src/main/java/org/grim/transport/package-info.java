// SPDX-License-Identifier: Apache-2.0
/**
 * What a transport offers to GRIM and what GRIM offers to a transport (SPI), and the link that applications send on.
 * Threads: each type says. Imports {@code org.grim} value types and {@code org.grim.wire}.
 */
package org.grim.transport;
