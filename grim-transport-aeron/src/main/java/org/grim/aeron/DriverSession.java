// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.File;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

import org.agrona.IoUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.aeron.Aeron;
import io.aeron.AvailableImageHandler;
import io.aeron.CncFileDescriptor;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.PublicationErrorFrameHandler;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;

import static io.aeron.AeronCounters.DRIVER_RECEIVER_HWM_TYPE_ID;
import static io.aeron.AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * One Aeron client: from its connection to a media driver until one of both has gone. Aeron ends a client that was
 * silent for too long, or whose driver is; then {@link #isLost()}, and the transport begins another session.
 * <p>Users of the session's memory, which are hops and arrival queues, hold it: the client unmaps its logs when it is
 * closed, and that is when nobody holds it any more. Notification words are in a mapping of this session's own, which
 * lasts as long as a queue refers to it.
 * <p>Thread: {@link #doWork()} the transport's thread, or who opens the session before that one does; the others any.
 */
final class DriverSession
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DriverSession.class);
    private static final int REPORT_LIMIT = 64;
    private static final long PARK_NS = 100_000;
    private static final long ANSWER_NS = SECONDS.toNanos(5);
    private static final long RESOURCE_LINGER_NS = SECONDS.toNanos(10);
    private static final long LOW_HALF_OFFSET = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? Integer.BYTES : 0;

    private final String directory;
    private final Aeron aeron;
    private final MappedByteBuffer counters;
    private final AtomicBuffer counterValues;
    private final AtomicInteger holderCount = new AtomicInteger();
    private final Queue<Rejection> rejections = new ConcurrentLinkedQueue<>();      // Any thread adds.
    private volatile boolean isRetired;
    private volatile String lastError = "";
    private Subscription reports;

    /** An image whose sender is to learn that it is refused. */
    private record Rejection(Image image, String why)
    {
    }

    /**
     * Connects to a driver.
     *
     * @param directory    of the driver.
     * @param name         of the client, for Aeron's tools.
     * @param timeoutNs    for the driver to answer.
     * @param errorHandler learns of publications that a receiver refused. Thread: any, inside of Aeron.
     * @throws GrimException if the driver does not answer.
     */
    DriverSession(
        final String directory, final String name, final long timeoutNs,
        final PublicationErrorFrameHandler errorHandler)
    {
        this.directory = directory;
        Aeron client = null;
        try
        {
            client = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory).clientName(name)
                .useConductorAgentInvoker(true).clientLock(new ReentrantLock())
                .driverTimeoutMs(NANOSECONDS.toMillis(timeoutNs))
                .resourceLingerDurationNs(RESOURCE_LINGER_NS)
                .publicationErrorFrameHandler(errorHandler)
                .subscriberErrorHandler(ex -> LOGGER.error("a message of the driver in {} was refused", directory, ex))
                .errorHandler(this::onError));
            counters = IoUtil.mapExistingFile(new File(directory, CncFileDescriptor.CNC_FILE), "counters");
        }
        catch (final AeronException | IllegalStateException ex)
        {
            if (client != null)
            {
                client.close();
            }
            throw new GrimException(SYSTEM_REFUSED, "media driver in " + directory + " does not answer: " +
                ex.getMessage(), ex);
        }
        aeron = client;
        counterValues = CncFileDescriptor.createCountersValuesBuffer(
            counters, CncFileDescriptor.createMetaDataBuffer(counters));
    }

    /** {@return directory of the driver} */
    String directory()
    {
        return directory;
    }

    /** {@return what Aeron numbers the client by} */
    long clientId()
    {
        return aeron.clientId();
    }

    /** {@return what Aeron last said of the client; empty if nothing} */
    String lastError()
    {
        return lastError;
    }

    /** {@return a number that no other client of the driver has} */
    long newTag()
    {
        return aeron.nextCorrelationId();
    }

    /** Begins to receive reports. Returns the address and port where they arrive. */
    String receiveReports(final String channel, final int streamId)
    {
        final long id = aeron.asyncAddSubscription(channel, streamId);
        reports = await(channel, id, aeron::getSubscription);
        return await(channel, id, ignored -> reports.resolvedEndpoint());
    }

    /** Begins to receive the hops of a channel. */
    void receive(final String channel, final int streamId, final AvailableImageHandler onImage)
    {
        await(channel, aeron.asyncAddSubscription(channel, streamId, onImage, null), aeron::getSubscription);
    }

    /**
     * Begins to publish: {@link #tryPublication} gives it when it is there.
     *
     * @throws AeronException if the client has ended.
     */
    long beginToPublish(final String channel, final int streamId)
    {
        return aeron.asyncAddExclusivePublication(channel, streamId);
    }

    /** Ends what was begun, whether it is there or not. */
    void endPublication(final long id)
    {
        if (!isLost())
        {
            aeron.asyncRemovePublication(id);
        }
    }

    /** {@return a publication that was begun; null if the driver has not answered yet} */
    ExclusivePublication tryPublication(final long id)
    {
        return aeron.getExclusivePublication(id);
    }

    /**
     * Where the high-water mark of an image stands: its low half changes with every frame that comes. Returns the
     * address; 0 if the image has ended.
     */
    long highWaterMarkAddress(final Image image)
    {
        try
        {
            final int id = aeron.countersReader()
                .findByTypeIdAndRegistrationId(DRIVER_RECEIVER_HWM_TYPE_ID, image.correlationId());
            return id == CountersReader.NULL_COUNTER_ID ? 0 :
                counterValues.addressOffset() + CountersReader.counterOffset(id) + LOW_HALF_OFFSET;
        }
        catch (final AeronException ex)
        {
            return 0;                                           // The client has ended, and its images with it.
        }
    }

    /** Reports to the sender of an image that no more of it is delivered, at the next {@link #doWork()}. */
    void reject(final Image image, final String why)
    {
        rejections.add(new Rejection(image, why));
    }

    /** Runs the client's conductor, unless Aeron has ended the client: it would unmap what others may be using. */
    synchronized int doWork()
    {
        if (isLost())
        {
            return 0;
        }
        int workCount = aeron.conductorAgentInvoker().invoke();
        for (Rejection next = rejections.poll(); next != null; next = rejections.poll())
        {
            rejectNow(next);
            workCount++;
        }
        return workCount;
    }

    /** Takes reports that have come. Thread: the transport's. */
    int pollReports(final FragmentHandler handler)
    {
        return reports.poll(handler, REPORT_LIMIT);
    }

    /** {@return whether Aeron has ended the client, with all that it had open} */
    boolean isLost()
    {
        return isRetired || (reports != null && reports.isClosed());
    }

    /** Keeps the client's memory mapped until {@link #release()}. */
    void hold()
    {
        holderCount.incrementAndGet();
    }

    void release()
    {
        holderCount.decrementAndGet();
    }

    boolean isHeld()
    {
        return holderCount.get() > 0;
    }

    /** The driver has gone, or this node goes: nothing new begins. */
    void retire()
    {
        isRetired = true;
    }

    /** Ends the client and unmaps its memory; nobody may be using it. */
    void close()
    {
        isRetired = true;
        aeron.close();
    }

    /** {@return whether the driver has sent all that a publication has, at least once} */
    boolean isSent(final ExclusivePublication publication)
    {
        final CountersReader all = aeron.countersReader();
        final int id = all.findByTypeIdAndRegistrationId(DRIVER_SENDER_POSITION_TYPE_ID, publication.registrationId());
        return id == CountersReader.NULL_COUNTER_ID || all.getCounterValue(id) >= publication.position();
    }

    private void onError(final Throwable thrown)
    {
        lastError = thrown.getMessage();
        LOGGER.warn("client of the driver in {}: {}", directory, thrown.toString());
    }

    /** Waits for the driver's answer. A client that ended meanwhile has no images any more: their senders notice. */
    private void rejectNow(final Rejection rejection)
    {
        try
        {
            if (!rejection.image().isClosed())
            {
                rejection.image().reject(rejection.why());
            }
        }
        catch (final AeronException ex)
        {
            LOGGER.warn("an image was not rejected ({}): {}", rejection.why(), ex.toString());
        }
    }

    private <T> T await(final String what, final long id, final LongFunction<T> look)
    {
        final long deadlineNs = System.nanoTime() + ANSWER_NS;
        try
        {
            T result = look.apply(id);
            while (result == null)
            {
                if (System.nanoTime() - deadlineNs > 0)
                {
                    throw new GrimException(TIMED_OUT, what + ": the media driver in " + directory +
                        " has not answered for " + NANOSECONDS.toMillis(ANSWER_NS) + " ms");
                }
                doWork();
                Uninterrupted.park(PARK_NS);
                result = look.apply(id);
            }
            return result;
        }
        catch (final AeronException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, what + " was refused by the media driver in " + directory + ": " +
                ex.getMessage(), ex);
        }
    }
}
