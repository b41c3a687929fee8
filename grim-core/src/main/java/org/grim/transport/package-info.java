// SPDX-License-Identifier: Apache-2.0
/**
 * Interfaces between GRIM and transports (SPI). Threads: each type says. Imports {@code org.grim},
 * {@code org.grim.text} and {@code org.grim.wire}.
 */
package org.grim.transport;
