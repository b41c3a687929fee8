// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.Membership;
import org.grim.transport.MessageSink;

import io.aeron.Image;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;

/**
 * An image that has not said yet who sends. Its first frame decides: it is taken over, or refused and counted.
 * <p>Thread: the loop's, but for what is said to be any. Holds the session until {@link #end}.
 */
final class HelloQueue extends ArrivalQueue implements FragmentHandler
{
    private final DriverSession session;
    private final Image image;
    private final ChannelArrivals arrivals;
    private final Membership membership;
    private final Party self;
    private final HopSeals seals;                   // null without a key
    private final long wordAddress;
    private final long deadlineNs;
    private RejectReason reason;
    private Party source;
    private int number;
    private int answeredNumber;
    private HelloDescriptor.Preceding preceding;
    private int[] lostNumbers;
    private FrameSeal seal;

    HelloQueue(
        final DriverSession session, final Image image, final long wordAddress, final int channel,
        final ChannelArrivals arrivals, final Membership membership, final HopSeals seals, final Party self,
        final long deadlineNs)
    {
        super(channel, -1);
        this.session = session;
        this.image = image;
        this.wordAddress = wordAddress;
        this.arrivals = arrivals;
        this.membership = membership;
        this.seals = seals;
        this.self = self;
        this.deadlineNs = deadlineNs;
        rearm();
    }

    @Override
    public int drain(final MessageSink sink, final int limit)
    {
        if (image.isClosed() || session.isLost())
        {
            expect(wordAddress, Buffers.intVolatile(wordAddress));      // Until housekeeping removes it.
            return 0;
        }
        if (source == null && image.poll(this, 1) == 0)
        {
            rearm();
            return 0;
        }
        if (reason != null)
        {
            arrivals.remove(this);
            sink.onReject(reason, this);
            reject();
            end();
            return 1;
        }
        if (!tryBegin())
        {
            expect(wordAddress, Buffers.intVolatile(wordAddress));      // The next frame, or housekeeping, asks again.
        }
        return 0;
    }

    /**
     * Hands the image over to its queue, if the first frame has come, and this host's directory knows the sender: the
     * other host's agent may report it later than the first messages come. Messages of the hop from before it was idle
     * are delivered first. Returns true if this queue is over.
     */
    boolean tryBegin()
    {
        if (source == null || image.isClosed() || session.isLost() || !isKnown() || isPreceded())
        {
            return false;
        }
        arrivals.remove(this);
        final AeronQueue.Operations operations = arrivals.isReplaced(source, number) ? null :
            arrivals.operations(source, number, answeredNumber);
        if (operations == null)
        {
            reject();
        }
        else
        {
            arrivals.begin(
                new AeronQueue(session, image, channel(), source, number, wordAddress, seal, operations),
                lostNumbers);
        }
        end();                                  // The queue holds the session by now.
        return true;
    }

    /** The node leaves: begins, if it can, so that the sender learns that nothing of it was consumed. */
    void leave()
    {
        if (source == null && !image.isClosed() && !session.isLost())
        {
            image.poll(this, 1);
        }
        if (reason == null)
        {
            tryBegin();
        }
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        reason = HopSeals.invalid(seals, buffer, offset, length);
        if (reason != null)
        {
            return;
        }
        if (seals == null)
        {
            judge(buffer, offset, length);
            return;
        }
        final int helloLength = length - HopSeals.OVERHEAD_LENGTH;
        final MutableDirectBuffer hello = Buffers.allocate(Math.max(helloLength, Long.BYTES));
        seal = seals.open(buffer, offset, length, hello);
        if (seal == null)
        {
            reason = RejectReason.BAD_SEAL;
            return;
        }
        judge(hello, 0, helloLength);
        if (reason == null && arrivals.isReplaced(source, number))
        {
            reason = RejectReason.BAD_SEAL;         // It was recorded.
        }
    }

    /** {@return whether nothing will come any more, or not in time} */
    boolean isOver(final long nowNs)
    {
        return image.isClosed() || session.isLost() ||
            (deadlineNs - nowNs <= 0 && (source == null || !isPreceded()));
    }

    /** {@return whether the first frame has not come. Thread: any, while the session is held} */
    boolean isSilent()
    {
        return image.isClosed() || Buffers.intVolatile(wordAddress) == (int)image.position();
    }

    /** Reports to the sender that nothing of this image is delivered. */
    void reject()
    {
        session.reject(image, "no hello for this node");
    }

    /** Lets go of the image. To be called once, when the loop polls this queue no longer. */
    void end()
    {
        session.release();
    }

    private void judge(final DirectBuffer buffer, final int offset, final int length)
    {
        reason = HelloDescriptor.invalid(buffer, offset, length, self, channel(), membership.nodeCountMax());
        if (reason == null)
        {
            source = HelloDescriptor.source(buffer, offset);
            number = HelloDescriptor.number(buffer, offset);
            answeredNumber = HelloDescriptor.answeredNumber(buffer, offset);
            preceding = HelloDescriptor.preceding(buffer, offset);
            lostNumbers = HelloDescriptor.lostNumbers(buffer, offset);
        }
    }

    /** The sender's incarnation was up: it is, or has gone since. With a key an earlier one may be a recording. */
    private boolean isKnown()
    {
        final int status = membership.status(source.node());
        final int incarnation = membership.incarnationOf(status);
        return (incarnation > source.incarnation() && seals == null) || (incarnation == source.incarnation() &&
            (membership.isUp(source.node()) || !membership.isPresent(source.node())));
    }

    private boolean isPreceded()
    {
        return preceding.number() != 0 && arrivals.isDelivering(source, preceding);
    }

    private void rearm()
    {
        expect(wordAddress, (int)image.position());
    }
}
