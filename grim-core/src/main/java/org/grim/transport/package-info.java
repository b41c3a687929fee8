// SPDX-License-Identifier: Apache-2.0
/**
 * What a transport offers to GRIM and what GRIM offers to a transport (SPI).
 * Threads: each type says. Imports {@code org.grim},
 * {@code org.grim.text} and {@code org.grim.wire}.
 */
package org.grim.transport;
