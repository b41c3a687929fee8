// SPDX-License-Identifier: Apache-2.0
/**
 * Network interfaces seen from outside: boards' memory, DMA regions and counters, mapped read-only, and who waits for
 * whom through them. One thread. Imports {@code org.grim, org.grim.board, org.grim.buffer, org.grim.cluster,
 * org.grim.counters, org.grim.wire, org.grim.tools.observe.stall, org.grim.tools.report}.
 */
package org.grim.tools.observe.ni;
