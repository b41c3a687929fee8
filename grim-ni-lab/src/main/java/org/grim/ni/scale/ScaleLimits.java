// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

/**
 * Limits of a run's cost. One that exceeds a limit ends and says so.
 *
 * @param durationNs  real time, more than 0.
 * @param memoryBytes heap in use.
 */
public record ScaleLimits(long durationNs, long memoryBytes)
{
}
