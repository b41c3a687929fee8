// SPDX-License-Identifier: Apache-2.0
/**
 * Memory that is written and read from one side: GRIM's remote memory, Java's copies as a limit, and the loops that
 * time them. Measuring threads; loaded again for each peer like {@code org.grim.bench.peers}, of which it knows the
 * interfaces.
 */
package org.grim.bench.peers.remote;
