// SPDX-License-Identifier: Apache-2.0
/**
 * Peers that GRIM is compared with: limits of streams and copies, and others. Loaded again for each peer. Measuring
 * threads; imports the public API, {@code org.grim.buffer}, {@code org.grim.tools.pair}, and {@code compare}.
 */
package org.grim.bench.peers;
