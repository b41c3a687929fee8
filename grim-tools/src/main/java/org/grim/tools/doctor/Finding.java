// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

/**
 * Something that works, but perhaps not as it was meant.
 *
 * @param text what it is; a sentence.
 * @param cure what to do; a sentence.
 */
public record Finding(String text, String cure)
{
}
