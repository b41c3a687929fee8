// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.figures;

/** Which figures are the better ones. */
public enum Direction
{
    /** Times, bytes, shares of a processor. */
    LOWER_IS_BETTER,

    /** Rates and bandwidths. */
    HIGHER_IS_BETTER
}
