// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.observe;

import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.util.HashMap;
import java.util.Map;

import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.grim.buffer.Buffers;

import io.aeron.CncFileDescriptor;
import io.aeron.driver.reports.LossReportReader;
import io.aeron.driver.reports.LossReportUtil;

import static io.aeron.AeronCounters.DRIVER_PUBLISHER_LIMIT_TYPE_ID;
import static io.aeron.AeronCounters.DRIVER_PUBLISHER_POS_TYPE_ID;
import static io.aeron.AeronCounters.DRIVER_RECEIVER_HWM_TYPE_ID;
import static io.aeron.AeronCounters.DRIVER_RECEIVER_POS_TYPE_ID;
import static io.aeron.AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID;
import static io.aeron.AeronCounters.DRIVER_SUBSCRIBER_POSITION_TYPE_ID;

/**
 * Content of a media driver's files at one look: its process, when it last stepped, the positions of all flows, and
 * when losses were noticed. A flow is a session and a stream. The files are mapped read-only while they are read.
 * <p>Thread: one.
 */
final class DriverCounters
{
    private static final int SESSION_OFFSET = Long.BYTES;                       // Behind a registration id
    private static final int STREAM_OFFSET = SESSION_OFFSET + Integer.BYTES;    // in the key of a position.

    private final Map<Long, Ends> flows = new HashMap<>();
    private final Map<Long, Long> lossMs = new HashMap<>();
    private long processId;
    private long stepMs;

    /** Both ends of a flow, as far as they are at this driver. */
    static final class Ends
    {
        private final Map<Integer, Long> positions = new HashMap<>();
        private long client;

        /** {@return client that sends; of any, if the sender's end is not here} */
        long client()
        {
            return client;
        }

        /** {@return whether the sender's end is here} */
        boolean isOutgoing()
        {
            return positions.containsKey(DRIVER_PUBLISHER_POS_TYPE_ID) &&
                positions.containsKey(DRIVER_SENDER_POSITION_TYPE_ID);
        }

        /** {@return whether the receiver's end is here} */
        boolean isIncoming()
        {
            return positions.containsKey(DRIVER_RECEIVER_HWM_TYPE_ID) &&
                positions.containsKey(DRIVER_SUBSCRIBER_POSITION_TYPE_ID);
        }

        long published()
        {
            return positions.get(DRIVER_PUBLISHER_POS_TYPE_ID);
        }

        long publishedLimit()
        {
            return positions.getOrDefault(DRIVER_PUBLISHER_LIMIT_TYPE_ID, 0L);
        }

        long sent()
        {
            return positions.get(DRIVER_SENDER_POSITION_TYPE_ID);
        }

        long highest()
        {
            return Math.max(positions.get(DRIVER_RECEIVER_HWM_TYPE_ID), complete());
        }

        long complete()
        {
            return Math.max(positions.getOrDefault(DRIVER_RECEIVER_POS_TYPE_ID, 0L), consumed());
        }

        long consumed()
        {
            return positions.get(DRIVER_SUBSCRIBER_POSITION_TYPE_ID);
        }

        private void put(final int type, final long owner, final long position)
        {
            positions.merge(type, position, Math::max);
            client = type == DRIVER_PUBLISHER_POS_TYPE_ID ? owner : client;
        }
    }

    /**
     * Reads a driver's files.
     *
     * @param directory of the driver.
     * @throws IllegalStateException if they are not there, or of another version.
     */
    DriverCounters(final String directory)
    {
        final MappedByteBuffer file = IoUtil.mapExistingFile(
            new File(directory, CncFileDescriptor.CNC_FILE), MapMode.READ_ONLY, "counters of the media driver");
        try
        {
            read(file);
        }
        finally
        {
            BufferUtil.free(file);
        }
        if (LossReportUtil.file(directory).exists())
        {
            final MappedByteBuffer losses = LossReportUtil.mapLossReportReadOnly(directory);
            try
            {
                LossReportReader.read(Buffers.wrap(losses), (count, length, firstMs, lastMs, session, stream, channel,
                    source) -> lossMs.merge(flow(session, stream), lastMs, Math::max));
            }
            finally
            {
                BufferUtil.free(losses);
            }
        }
    }

    /** {@return process that the driver runs in} */
    long processId()
    {
        return processId;
    }

    /** {@return when it last stepped, ms since the epoch; it says so once a second} */
    long stepMs()
    {
        return stepMs;
    }

    /** {@return all flows of the driver, by number} */
    Map<Long, Ends> flows()
    {
        return flows;
    }

    /** {@return when bytes of a flow were last found missing, ms since the epoch; 0 for never} */
    long lossMs(final long flow)
    {
        return lossMs.getOrDefault(flow, 0L);
    }

    /** {@return stream of a flow} */
    static int stream(final long flow)
    {
        return (int)flow;
    }

    private static long flow(final int session, final int stream)
    {
        return (long)session << Integer.SIZE | Integer.toUnsignedLong(stream);
    }

    private void read(final MappedByteBuffer file)
    {
        final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(file);
        CncFileDescriptor.checkVersion(metaData.getInt(CncFileDescriptor.cncVersionOffset(0)));
        processId = CncFileDescriptor.pid(metaData);
        stepMs = new ManyToOneRingBuffer(
            CncFileDescriptor.createToDriverBuffer(file, metaData)).consumerHeartbeatTime();
        final CountersReader counters = new CountersReader(
            CncFileDescriptor.createCountersMetaDataBuffer(file, metaData),
            CncFileDescriptor.createCountersValuesBuffer(file, metaData));
        counters.forEach((id, type, key, label) ->
        {
            if (isPosition(type))
            {
                flows.computeIfAbsent(flow(key.getInt(SESSION_OFFSET), key.getInt(STREAM_OFFSET)), flow -> new Ends())
                    .put(type, counters.getCounterOwnerId(id), counters.getCounterValue(id));
            }
        });
    }

    private static boolean isPosition(final int type)
    {
        return switch (type)
        {
            case DRIVER_PUBLISHER_POS_TYPE_ID, DRIVER_PUBLISHER_LIMIT_TYPE_ID, DRIVER_SENDER_POSITION_TYPE_ID,
                DRIVER_RECEIVER_HWM_TYPE_ID, DRIVER_RECEIVER_POS_TYPE_ID, DRIVER_SUBSCRIBER_POSITION_TYPE_ID -> true;
            default -> false;
        };
    }
}
