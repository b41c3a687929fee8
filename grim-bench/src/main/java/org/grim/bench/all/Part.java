// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.nio.file.Path;

/**
 * What a part needs to run.
 *
 * @param name      of the part.
 * @param effort    of the run.
 * @param directory for files; goes with the run.
 * @param slowDown  percent of a send's time that is planted; 0 for none.
 * @param figures   that it fills.
 */
record Part(String name, Effort effort, Path directory, int slowDown, Figures figures)
{
}
