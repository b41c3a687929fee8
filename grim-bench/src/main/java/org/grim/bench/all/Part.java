// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.nio.file.Path;

import org.grim.bench.compare.PeerPair;

/**
 * What a part needs to run.
 *
 * @param name      of the part.
 * @param effort    of the run.
 * @param directory for files; goes with the run.
 * @param arguments for a second process.
 * @param slowDown  percent of a send's time that is planted; 0 for none.
 * @param figures   that it fills.
 */
record Part(String name, Effort effort, Path directory, PeerPair.Arguments arguments, int slowDown, Figures figures)
{
}
