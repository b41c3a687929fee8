// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

/**
 * Account of a checkpoint of a stage's pages, which the owner keeps. Immutable.
 *
 * @param sequence of an item: the pages are what they were when all items up to this one had passed the stage, and no
 *                 later one; 0: no item had.
 * @param runs     of the stage's kernels on these items: those that had failed before are not among them.
 * @param pages    that are not all zeros.
 * @param length   bytes of these pages.
 */
public record Checkpoint(long sequence, long runs, int pages, long length)
{
}
