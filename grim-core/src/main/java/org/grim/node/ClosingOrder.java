// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/** Closes what a node opened. Any thread; no state. */
final class ClosingOrder
{
    private static final String PREFIX = "leaving the cluster failed: ";

    private ClosingOrder()
    {
    }

    /**
     * Closes the last first, and all of them even if some fail. A store into a truncated file throws some steps later,
     * out of another one.
     *
     * @throws GrimException of the first that failed; the others are suppressed in it.
     */
    static void closeLastFirst(final List<? extends AutoCloseable> opened)
    {
        GrimException failure = null;
        int remaining = opened.size();
        while (remaining > 0)
        {
            try
            {
                remaining--;
                opened.get(remaining).close();
            }
            catch (final Exception | Error ex)
            {
                failure = with(ex, failure);
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    private static GrimException with(final Throwable cause, final GrimException earlier)
    {
        final GrimException failure = cause instanceof final GrimException known ?
            new GrimException(known.reason(), withPrefix(known.getMessage()), known) :
            new GrimException(SYSTEM_REFUSED, withPrefix(cause instanceof InternalError ?
            "a file in the cluster's directory was truncated: " + cause.getMessage() : cause.toString()), cause);
        if (earlier == null)
        {
            return failure;
        }
        earlier.addSuppressed(failure);
        return earlier;
    }

    private static String withPrefix(final String text)
    {
        return text.startsWith(PREFIX) ? text : PREFIX + text;
    }
}
