// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

/**
 * One thing that happened on a link, or that shall happen again.
 *
 * @param packetIndex which packet of the link it happened to, from 0; copies that faults made are not counted.
 * @param kind        what it was.
 * @param parameter   see {@link FaultKind}.
 */
public record Fault(long packetIndex, FaultKind kind, long parameter)
{
}
