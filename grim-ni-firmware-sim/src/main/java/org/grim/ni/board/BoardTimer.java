// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

/** A board's free-running counter. The stepper of the control program decides the time. Thread: the stepper's. */
@FunctionalInterface
public interface BoardTimer
{
    /** {@return the time; nanoseconds since some moment; never backwards} */
    long nowNs();
}
