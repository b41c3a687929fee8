// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.nio.file.Path;

/** A part of a section, with the percentage of a send's time that is planted, and the figures that it fills. */
record Part(String name, Effort effort, Path directory, int slowDown, Figures figures)
{
}
