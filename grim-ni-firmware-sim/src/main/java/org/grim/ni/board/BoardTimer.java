// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

/** A board's free-running counter. Whoever steps the control program decides what time is. Its stepper's thread. */
@FunctionalInterface
public interface BoardTimer
{
    /** {@return the time; nanoseconds since some moment; never backwards} */
    long nowNs();
}
