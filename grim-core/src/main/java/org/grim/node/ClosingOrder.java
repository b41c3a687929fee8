// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/** Closes what a node opened. Any thread; no state. */
final class ClosingOrder
{
    private ClosingOrder()
    {
    }

    /** Closes what a failure left open; what fails then is suppressed in that failure. */
    static void closeAfter(final AutoCloseable node, final Throwable failure)
    {
        try
        {
            node.close();
        }
        catch (final Exception | Error ex)
        {
            failure.addSuppressed(ex);
        }
    }

    /**
     * The last first, all of them, whatever fails.
     *
     * @throws GrimException of the first that failed; the others are suppressed in it.
     */
    static void closeLastFirst(final List<AutoCloseable> opened)
    {
        GrimException failure = null;
        for (int i = opened.size() - 1; i >= 0; i--)
        {
            try
            {
                opened.get(i).close();
            }
            catch (final Exception | Error ex)
            {
                final GrimException wrapped = new GrimException(
                    ex instanceof final GrimException known ? known.reason() : SYSTEM_REFUSED,
                    "leaving the cluster failed: " + ex.getMessage(), ex);
                if (failure == null)
                {
                    failure = wrapped;
                }
                else
                {
                    failure.addSuppressed(wrapped);
                }
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }
}
