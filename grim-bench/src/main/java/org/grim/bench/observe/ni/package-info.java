// SPDX-License-Identifier: Apache-2.0
/**
 * Network interfaces seen from outside: boards' memory, DMA regions and counters, mapped read-only, and who waits for
 * whom through them. One thread. Imports {@code org.grim, org.grim.board, org.grim.buffer, org.grim.cluster,
 * org.grim.counters, org.grim.wire, org.grim.bench.observe.stall, org.grim.bench.report}.
 */
package org.grim.bench.observe.ni;
