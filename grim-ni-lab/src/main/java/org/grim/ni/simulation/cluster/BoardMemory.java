// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;

/**
 * A board's memory, which outlives its firmware.
 *
 * @param sram     the bytes.
 * @param geometry of them.
 */
record BoardMemory(AtomicBuffer sram, BoardGeometry geometry)
{
}
