// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.grim.aeron.observe.Party;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.Subscription;
import io.aeron.driver.status.StreamCounter;
import io.aeron.logbuffer.Header;

/**
 * Reports to a node that sends over one hop, in the memory of the driver of both nodes: how many messages were consumed
 * as of the latest one, and whether the node has read it. Begins before the first report.
 * <p>Thread: one. Owns: a client of the driver.
 */
final class ReportSpy implements AutoCloseable
{
    private static final int LIMIT = 10;

    private final Aeron aeron;
    private final Subscription reports;
    private long consumedCount;
    private long position;

    /** The endpoint is the one at which the node receives. */
    ReportSpy(final String driver, final String endpoint, final Party node)
    {
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver));
        reports = aeron.addSubscription("aeron-spy:aeron:udp?endpoint=" + endpoint, node.reportStream());
    }

    /** {@return whether the node has read that so many messages were consumed} */
    boolean isRead(final long count)
    {
        reports.poll(this::onReport, LIMIT);
        return consumedCount == count && readPosition() >= position;
    }

    @Override
    public void close()
    {
        aeron.close();
    }

    private void onReport(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        consumedCount = ReportDescriptor.consumedCount(buffer, offset);
        position = header.position();
    }

    /** The least of both subscriptions, the spy's and the node's; 0 while one of them is missing. */
    private long readPosition()
    {
        final long[] least = {Long.MAX_VALUE};
        final int[] count = {0};
        aeron.countersReader().forEach((counterId, typeId, key, label) ->
        {
            if (typeId == AeronCounters.DRIVER_SUBSCRIBER_POSITION_TYPE_ID &&
                key.getInt(StreamCounter.STREAM_ID_OFFSET) == reports.streamId())
            {
                least[0] = Math.min(least[0], aeron.countersReader().getCounterValue(counterId));
                count[0]++;
            }
        });
        return count[0] < 2 ? 0 : least[0];
    }
}
