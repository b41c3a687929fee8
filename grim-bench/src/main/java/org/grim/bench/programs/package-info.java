// SPDX-License-Identifier: Apache-2.0
/**
 * Programs of {@code java.nio} that wait, as users write them: pairs of processes, one pair with the JDK's channels and
 * one with GRIM's. Each process has threads of its own for each row. Imports compare and figures for the rows' names.
 */
package org.grim.bench.programs;
