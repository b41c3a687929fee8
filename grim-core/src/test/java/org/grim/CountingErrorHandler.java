// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.ErrorHandler;

/** Counts what handlers threw and keeps the last one. Thread: the one that polls. */
public final class CountingErrorHandler implements ErrorHandler
{
    private int count;
    private Throwable last;

    @Override
    public void onError(final Throwable ex)
    {
        count++;
        last = ex;
    }

    public int count()
    {
        return count;
    }

    public Throwable last()
    {
        return last;
    }
}
