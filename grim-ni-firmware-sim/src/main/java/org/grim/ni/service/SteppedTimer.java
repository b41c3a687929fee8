// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import org.grim.ni.board.BoardTimer;

/**
 * The clock of a board that is stepped as fast as it can: it is looked at once in some steps, since a look costs as
 * much as half an idle step. Deadlines are microseconds and more away, so that some steps more or less do not matter; a
 * stepper that comes seldom lets housekeeping look, and looks before it sleeps.
 * <p>Thread: the board's stepper.
 */
final class SteppedTimer implements BoardTimer
{
    private static final int INTERVAL = 8;

    private long seenNs = System.nanoTime();
    private int countdown;

    @Override
    public long nowNs()
    {
        if (--countdown < 0)
        {
            look();
        }
        return seenNs;
    }

    /** Sets the time, until the next look. */
    void look()
    {
        countdown = INTERVAL;
        seenNs = System.nanoTime();
    }
}
