// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.tune;

import java.nio.file.Path;

/**
 * What the command was told. Any thread; immutable.
 *
 * @param durationNs for all measurements.
 * @param isStepped  whether the firmware runs in the host's own thread.
 * @param file       that takes the plan.
 * @param plot       that takes the plot.
 */
public record TuneOptions(long durationNs, boolean isStepped, Path file, Path plot)
{
}
