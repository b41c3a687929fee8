// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.aeron.HelloDescriptor.Preceding;
import org.grim.aeron.observe.ClientLog;
import org.grim.aeron.observe.ClientNote;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.buffer.Uninterrupted;
import org.grim.crypto.ClusterKey;
import org.grim.memory.MessageMemoryHop;
import org.grim.memory.OperationLog;
import org.grim.thread.WorkThread;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.HostRegions.OwnRegions;
import org.grim.transport.Membership;
import org.grim.transport.MemoryHop;
import org.grim.transport.Settings;
import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;
import org.grim.wire.RemoteMemoryFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.Header;
import io.aeron.status.PublicationErrorFrame;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.grim.GrimException.Reason.TIMED_OUT;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * One node's side of Aeron: a client of the host's media driver, which is made again when Aeron ended it or the driver
 * was replaced.
 * <p>A thread of the transport's own runs the client's conductor, reports consumption to senders, wakes sleeping loops,
 * and looks after the session.
 * <p>Thread: as the SPI says. Owns: that thread, the session, its share of the host's driver.
 */
final class AeronTransport implements Transport, OperationExecutor.Answers, WorkThread.Work
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AeronTransport.class);
    private static final String KEY_FILE = "network.key-file";
    private static final String ACCEPTED_KEY_FILE = "network.accepted-key-file";
    private static final long PARK_NS = MILLISECONDS.toNanos(1);
    private static final long PARK_NS_MAX = MILLISECONDS.toNanos(20);
    private static final long PARK_STEP_NS = MICROSECONDS.toNanos(20);
    private static final long CONNECT_PARK_NS = MICROSECONDS.toNanos(100);
    private static final long HOP_INTERVAL_NS = MILLISECONDS.toNanos(5);
    private static final long SESSION_INTERVAL_NS = MILLISECONDS.toNanos(100);
    private static final long RETRY_INTERVAL_NS = MILLISECONDS.toNanos(1_000);
    private static final long FIRST_POSITION_MASK = (1L << 32) - 1;
    private static final int FRAME_ALIGNMENT = 32;

    private final TransportContext context;
    private final Membership membership;
    private final AeronConfig config;
    private final Party self;
    private final HopSeals seals;                           // null without a key
    private final AtomicBuffer openedReport = Buffers.allocate(ReportDescriptor.LENGTH);
    private final HostDriver hostDriver;                    // null for one that runs already
    private final ChannelArrivals[] channels;
    private final ConsumptionReports reports;
    private final Map<Integer, AeronHop> hops = new ConcurrentHashMap<>();
    private final LostHops lostHops = new LostHops();
    private final OwnRegions[] memories;                    // Each entry is its channel's owner's.
    private final AtomicInteger lastNumber = new AtomicInteger();
    private final List<DriverSession> retired = new ArrayList<>();      // The transport's thread, as the next three.
    private final Thread thread;
    private final ClientLog clientLog;
    private long parkNs = PARK_NS;
    private long hopDeadlineNs;
    private long sessionDeadlineNs;
    private volatile DriverSession session;
    private volatile String endpoint;
    private volatile boolean isClosing;
    private volatile boolean isReported;
    private volatile boolean isStopped;

    private AeronTransport(final TransportContext context)
    {
        this.context = context;
        membership = context.membership();
        config = AeronConfig.of(context.settings());
        self = new Party(membership.self(), membership.incarnation());
        final ClusterKey key = ClusterKey.read(
            keyFile(context.settings(), KEY_FILE), keyFile(context.settings(), ACCEPTED_KEY_FILE));
        seals = key == null ? null : new HopSeals(key, self);
        final String exposure = seals == null ? config.exposure() : null;
        if (exposure != null)
        {
            LOGGER.warn("transport=aeron {}", exposure);
        }
        reports = new ConsumptionReports(membership, config, self, seals);
        channels = new ChannelArrivals[config.channelCount()];
        for (int i = 0; i < channels.length; i++)
        {
            channels[i] = new ChannelArrivals(
                i, membership, self, config.silenceTimeoutNs(), reports::add, this::operations, seals);
        }
        memories = new OwnRegions[channels.length];
        final Path note = context.nodeFile(self.node(), self.incarnation(), ClientNote.KIND);
        clientLog = new ClientLog(note, self.node(), config.silenceTimeoutNs());
        hostDriver = config.directory().isEmpty() ?
            HostDriver.acquire(note.getParent(), config, context.errorHandler()) : null;
        endpoint = config.endpoint();
        thread = WorkThread.of("grim-aeron-" + self.node(), this, context.errorHandler());
    }

    private static String keyFile(final Settings settings, final String name)
    {
        return settings.has(name) ? settings.text(name, 0, Integer.MAX_VALUE) : "";
    }

    /**
     * Opens the transport.
     *
     * @throws GrimException if there is no driver, or the address cannot be used; nothing is left behind.
     */
    static AeronTransport open(final TransportContext context)
    {
        final AeronTransport transport = new AeronTransport(context);
        boolean isOpen = false;
        try
        {
            transport.session = transport.connectToDriver(transport.awaitDriver());
            transport.clientLog.begun(
                transport.session.directory(), transport.session.clientId(), System.currentTimeMillis());
            final String announced = transport.config.announced(transport.endpoint);
            context.membership().publishAddress(AeronTransportProvider.NAME,
                transport.seals == null ? announced : transport.seals.address(announced));
            transport.thread.start();
            isOpen = true;
            return transport;
        }
        finally
        {
            if (!isOpen)
            {
                transport.closeSessions();
            }
        }
    }

    @Override
    public String name()
    {
        return AeronTransportProvider.NAME;
    }

    @Override
    public boolean reaches(final int node)
    {
        return membership.isUp(node) && !session.isLost() &&
            !membership.address(node, AeronTransportProvider.NAME).isEmpty();
    }

    @Override
    public Hop connect(final int sourceChannel, final EndpointId destination)
    {
        final int node = destination.node();
        final Party peer = new Party(node, membership.incarnationOf(membership.status(node)));
        final AeronHop hop = connect(sourceChannel, destination, peer, 0);
        final long deadlineNs = System.nanoTime() + config.connectTimeoutNs();
        while (!hop.tryBegin() && !hop.isPeerGone() && deadlineNs - System.nanoTime() > 0)
        {
            Uninterrupted.park(CONNECT_PARK_NS);
        }
        if (hop.failure() != null)
        {
            hop.close();
            throw unreachable(destination, hop.failure());
        }
        return hop;
    }

    @Override
    public MemoryHop connectMemory(final int sourceChannel, final EndpointId destination, final Hop hop)
    {
        if (membership.isSameHost(destination.node()))
        {
            return context.memory().connect(sourceChannel, destination.node(), hop);
        }
        final AeronHop own = (AeronHop)hop;
        final OperationLog log = new OperationLog();
        final AeronOperations operations = new AeronOperations(own, memory(sourceChannel), log);
        own.memory(operations);
        final int writeLengthMax = RemoteMemoryFormat.writeLengthMax(own.frameLengthMax());
        return new MessageMemoryHop(operations, log, EndpointId.of(self.node(), 0, sourceChannel).address(),
            destination.address(), MessageHeader.routeWord(sourceChannel, destination.channel()), writeLengthMax,
            Math.min(writeLengthMax, OperationExecutor.READ_LENGTH_MAX));
    }

    @Override
    public OwnRegions memory(final int channel)
    {
        if (memories[channel] == null)
        {
            memories[channel] = context.memory().own(channel);
        }
        return memories[channel];
    }

    @Override
    public AeronHop connect(
        final int channel, final EndpointId destination, final Party peer, final int answeredNumber)
    {
        final String address = membership.address(destination.node(), AeronTransportProvider.NAME);
        final DriverSession current = session;
        current.hold();
        try
        {
            if (address.isEmpty() || current.isLost())
            {
                throw new GrimException(UNREACHABLE, destination + " cannot be reached by Aeron: " +
                    (address.isEmpty() ? "its node has no address" : "this host has no media driver at this moment"));
            }
            if (HopSeals.hasKey(address) != (seals != null))
            {
                throw new GrimException(UNREACHABLE, destination + " cannot be reached by Aeron: " + (seals == null ?
                    "its node has a key, and this one has none" : "its node has no key, and this one has one") +
                    " (grim.network.key-file)");
            }
            final HopMaker maker = new HopMaker(channel, destination, peer, answeredNumber);
            LockSupport.unpark(thread);             // It runs the client's conductor.
            final AeronHop hop = new AeronHop(
                membership, maker, current, config, maker.newStart(address, Preceding.NONE, 0), maker.flowKey, peer);
            hops.put(hop.number(), hop);
            return hop;
        }
        catch (final AeronException ex)
        {
            throw unreachable(destination, ex);
        }
        finally
        {
            current.release();
        }
    }

    /** Until all its images are over, which they are some time after the last byte has been read. */
    @Override
    public boolean mayHoldMessagesOf(final int node, final int incarnation)
    {
        final Party source = new Party(node, incarnation);
        for (final ChannelArrivals channel : channels)
        {
            if (channel.mayHoldMessagesOf(source))
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public void attach(final int channel, final ArrivalQueues queues)
    {
        channels[channel].attach(queues);
    }

    @Override
    public void asleep(final int channel, final int bell)
    {
        channels[channel].asleep(bell);         // The transport's thread looks at the words: none is missed.
    }

    @Override
    public int housekeep(final int channel, final long epochMs)
    {
        return channels[channel].housekeep();
    }

    @Override
    public void leave(final int channel)
    {
        channels[channel].leave();
    }

    /** Waits, for a bounded time, until peers have consumed what was sent, and know what was consumed here. */
    @Override
    public void close()
    {
        isClosing = true;
        LockSupport.unpark(thread);
        final long deadlineNs = System.nanoTime() + config.lingerNs();
        settleOperations();
        while (deadlineNs - System.nanoTime() > 0 && !session.isLost() &&
            !(isReported && hops.values().stream().allMatch(AeronHop::isSettled)))
        {
            Uninterrupted.park(PARK_NS);
            settleOperations();
        }
        stopThread();
        hops.values().forEach(AeronHop::close);
        for (final ChannelArrivals channel : channels)
        {
            channel.close();
        }
        closeSessions();
    }

    /** The transport is to end. */
    @Override
    public boolean isOver()
    {
        return isStopped;
    }

    /** A step of the transport's thread. */
    @Override
    public void step()
    {
        LockSupport.parkNanos(parkNs);
        parkNs = doWork(System.nanoTime()) > 0 ? PARK_NS : Math.min(parkNs + PARK_STEP_NS, PARK_NS_MAX);
    }

    private void settleOperations()
    {
        for (final ChannelArrivals channel : channels)
        {
            channel.settle();
        }
    }

    private AeronQueue.Operations operations(
        final int channel, final Party source, final int number, final int answeredNumber)
    {
        if (answeredNumber == 0)
        {
            return new OperationExecutor(membership, this, channel, source, number);
        }
        final AeronHop answered = hops.get(answeredNumber);
        return answered == null || !answered.destination().equals(source) ? null : answered.memory();
    }

    private static GrimException unreachable(final EndpointId destination, final AeronException cause)
    {
        return new GrimException(
            UNREACHABLE, destination + " cannot be reached by Aeron: " + cause.getMessage(), cause);
    }


    private int doWork(final long nowNs)
    {
        final DriverSession current = session;
        int workCount = 0;
        if (!current.isLost())
        {
            current.doWork();                   // Counts for nothing: it has something to do in any case, now and then.
            workCount += current.pollReports(this::onReport);
        }
        for (final ChannelArrivals channel : channels)
        {
            final int bell = channel.bellToRing();
            if (bell != ChannelArrivals.AWAKE)
            {
                context.ring(self.node(), self.incarnation(), bell);
                workCount++;
            }
        }
        if (hopDeadlineNs - nowNs <= 0)
        {
            hopDeadlineNs = nowNs + HOP_INTERVAL_NS;
            workCount += lookAfterHops(current, nowNs);
        }
        if (sessionDeadlineNs - nowNs <= 0)
        {
            sessionDeadlineNs = nowNs + SESSION_INTERVAL_NS;
            lookAfterSession(current, nowNs);
        }
        return workCount;
    }

    private int lookAfterHops(final DriverSession current, final long nowNs)
    {
        hops.values().forEach(hop -> hop.loseIfDisconnected(nowNs, config.silenceTimeoutNs()));
        hops.values().removeIf(hop -> hop.isClosed() && hop.isSettled());
        if (current.isLost())
        {
            return 0;
        }
        final int reportCount = reports.send(current);
        isReported = isClosing && reports.isDone(current);
        return reportCount;
    }

    /** Begins again when Aeron ended the client, or the host has another driver. */
    private void lookAfterSession(final DriverSession current, final long nowNs)
    {
        retired.removeIf(old ->
        {
            final boolean isOver = !old.isHeld();
            if (isOver)
            {
                old.close();
            }
            return isOver;
        });
        try
        {
            final String directory = hostDriver == null ? config.directory() : hostDriver.directory();
            if (directory == null || (!current.isLost() && directory.equals(current.directory())))
            {
                return;
            }
            clientLog.renewing(directory,
                current.isLost() ? current.lastError() : "the host has another media driver", nowNs);
            current.retire();
            session = connectToDriver(directory);
            retired.add(current);
            clientLog.begun(directory, session.clientId(), System.currentTimeMillis());
        }
        catch (final GrimException ex)
        {
            sessionDeadlineNs = nowNs + RETRY_INTERVAL_NS;
            clientLog.failed(nowNs, ex);
        }
    }

    private String awaitDriver()
    {
        final long deadlineNs = System.nanoTime() + config.silenceTimeoutNs();
        String directory = hostDriver == null ? config.directory() : hostDriver.directory();
        while (directory == null)
        {
            if (deadlineNs - System.nanoTime() < 0)
            {
                throw new GrimException(TIMED_OUT, "another process of this host has not started the media driver " +
                    "for " + config.silenceTimeoutNs() + " ns (grim.aeron.silence-timeout)");
            }
            Uninterrupted.park(PARK_NS);
            directory = hostDriver.directory();
        }
        return directory;
    }

    private DriverSession connectToDriver(final String directory)
    {
        final DriverSession current = new DriverSession(
            directory, "grim-node-" + self.node(), config.silenceTimeoutNs(), this::onRefused);
        boolean isConnected = false;
        try
        {
            final long tag = endpoint == null ? current.newTag() : 0;
            final String channel = endpoint == null ? config.tagChannel(tag) : config.subscriptionChannel(endpoint);
            endpoint = current.receiveReports(
                endpoint == null ? config.freePortChannel(tag) : channel, self.reportStream());
            for (int i = 0; i < channels.length; i++)
            {
                final ChannelArrivals arrivals = channels[i];
                current.receive(channel, self.streamOf(i), image -> arrivals.onImage(current, image));
            }
            isConnected = true;
            return current;
        }
        finally
        {
            if (!isConnected)
            {
                current.close();
            }
        }
    }

    /** A receiver refused a hop. Inside of Aeron: only notes it. */
    private void onRefused(final PublicationErrorFrame frame)
    {
        for (final AeronHop hop : hops.values())
        {
            if (hop.isRegistered(frame.registrationId()))
            {
                hop.lose();
            }
        }
    }

    private void onReport(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (seals == null)
        {
            onReport(buffer, offset, length);
        }
        else if (length == HopSeals.OVERHEAD_LENGTH + ReportDescriptor.LENGTH &&
            seals.tryOpenNext(buffer, offset, length, openedReport))
        {
            onReport(openedReport, 0, ReportDescriptor.LENGTH);
        }
        else
        {
            channels[0].onReportRefused();
        }
    }

    private void onReport(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!ReportDescriptor.isValid(buffer, offset, length, self))
        {
            return;
        }
        final AeronHop hop = hops.get(ReportDescriptor.number(buffer, offset));
        if (hop != null && hop.destination().node() == ReportDescriptor.node(buffer, offset) &&
            hop.destination().incarnation() == ReportDescriptor.incarnation(buffer, offset))
        {
            hop.onConsumed(ReportDescriptor.number(buffer, offset), ReportDescriptor.consumedCount(buffer, offset),
                ReportDescriptor.isLast(buffer, offset));
        }
    }

    private void stopThread()
    {
        isStopped = true;
        Uninterrupted.join(thread);
    }

    private void closeSessions()
    {
        if (session != null)
        {
            session.close();
        }
        retired.forEach(DriverSession::close);
        clientLog.close();
        if (hostDriver != null)
        {
            hostDriver.release();
        }
    }

    /** First bytes of each hop of one link. */
    private final class HopMaker implements AeronHop.HopRegistry
    {
        private final EndpointId destination;
        private final Party peer;
        private final int answeredNumber;
        private final long flowKey;

        HopMaker(final int sourceChannel, final EndpointId destination, final Party peer, final int answeredNumber)
        {
            this.destination = destination;
            this.peer = peer;
            this.answeredNumber = answeredNumber;
            flowKey = FlowKey.of(EndpointId.of(self.node(), 0, sourceChannel).key(), destination.key());
        }

        /** No other hop takes the place of one of answers: the hop that they belong to is lost with it. */
        @Override
        public void onLost(final AeronHop hop)
        {
            if (isOfMessages())
            {
                lostHops.add(hop);
            }
        }

        @Override
        public AeronHop.Start onResume(final AeronHop hop, final long position, final long precedingCount)
        {
            final String address = membership.address(destination.node(), AeronTransportProvider.NAME);
            if (address.isEmpty() || hop.isPeerGone())
            {
                return null;
            }
            LockSupport.unpark(thread);             // It runs the client's conductor.
            final AeronHop.Start start = newStart(address, new Preceding(hop.number(), position), precedingCount);
            hops.put(start.number(), hop);
            hops.remove(hop.number());
            return start;
        }

        private boolean isOfMessages()
        {
            return answeredNumber == 0;
        }

        AeronHop.Start newStart(final String address, final Preceding preceding, final long precedingCount)
        {
            final int number = lastNumber.incrementAndGet();
            final AtomicBuffer hello = Buffers.allocate(HelloDescriptor.LENGTH_MAX);
            final int helloLength = HelloDescriptor.write(hello, number, self, peer, destination.channel(),
                answeredNumber, preceding,
                isOfMessages() ? lostHops.of(flowKey, peer.incarnation()) : LostHops.NONE);
            final FrameSeal seal = seals == null ? null : seals.newSeal(address, peer);
            final AtomicBuffer first =
                seal == null ? hello : Buffers.allocate(HopSeals.OVERHEAD_LENGTH + helloLength);
            final int firstLength = seal == null ? helloLength : HopSeals.wrap(seal, hello, helloLength, first);
            final long startPosition =
                BitUtil.align(context.firstPosition() & FIRST_POSITION_MASK, (long)FRAME_ALIGNMENT);
            return new AeronHop.Start(number, preceding,
                config.hopChannel(HopSeals.endpoint(address), startPosition, number),
                peer.streamOf(destination.channel()), Buffers.wrap(first, 0, firstLength), FrameOffer.of(seal),
                precedingCount);
        }
    }
}
