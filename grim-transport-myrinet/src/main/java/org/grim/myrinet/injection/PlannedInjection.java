// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;
import org.grim.board.host.ChannelAppender;

/**
 * Injects as a plan says: what a driver's send calls after its claim, with the header written.
 * <pre>
 *   if (!target.isSettled()) refuse for now: the board has not caught up
 *   segment = injection.segmentLength(target, source, offset, length)
 *   index = segment == 0 ? appender.claim(n) : appender.beginSegments(n)
 *   target.at(index + header, appender.position() + header)
 *   result = segment == 0 ? injection.inject(...) : injection.injectSegments(..., segment)
 *   COMPLETE: appender.publish(); PENDING: appender.abort(); REFUSED: the channel has stopped
 * </pre>
 * <p>Thread: any number, each with targets of its own; immutable. Never allocates after construction.
 */
public final class PlannedInjection
{
    private final Injector[] injectors = new Injector[SizeClasses.COUNT];
    private final boolean[] isZeroCopy = new boolean[SizeClasses.COUNT];
    private final int[] segmentLengths = new int[SizeClasses.COUNT];
    private final Injector zeroCopy;
    private final BulkCopyPio anywhere = new BulkCopyPio();

    /**
     * Makes the injectors of a plan.
     *
     * @param plan      to follow.
     * @param injectors that makes them.
     */
    public PlannedInjection(final InjectionPlan plan, final Injectors injectors)
    {
        for (int i = 0; i < SizeClasses.COUNT; i++)
        {
            final InjectionPlan.Entry entry = plan.entries().get(i);
            this.injectors[i] = injectors.of(entry.mechanism(), entry.burstLength());
            isZeroCopy[i] = entry.registered() == Mechanism.ZERO_COPY;
            segmentLengths[i] = entry.segmentLength();
        }
        zeroCopy = injectors.of(Mechanism.ZERO_COPY, Injectors.UNPACED);
    }

    /**
     * Returns the pieces in which to publish a payload. One that the board pulls in place is published whole.
     *
     * @param target of the channel.
     * @param source that holds the payload.
     * @param offset of its first byte.
     * @param length bytes.
     * @return bytes, for {@link #injectSegments}; 0 for {@link #inject}.
     */
    public int segmentLength(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        final int index = SizeClasses.index(length);
        final int segmentLength = segmentLengths[index];
        return segmentLength >= length || isPulledInPlace(index, target, source, offset, length) ?
            InjectionPlan.WHOLE : segmentLength;
    }

    /**
     * Injects a payload.
     *
     * @param target placed, and settled.
     * @param source that holds the payload.
     * @param offset of its first byte.
     * @param length bytes.
     * @return what became of it.
     */
    public InjectionResult inject(
        final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        final int index = SizeClasses.index(length);
        final Injector injector = isPulledInPlace(index, target, source, offset, length) ? zeroCopy :
            copying(index, target, source, offset, length);
        return injector.inject(target, source, offset, length);
    }

    /**
     * Injects a payload piece by piece and publishes each but the last, so that the board sends the first ones
     * meanwhile (cooperative cut-through). The last is the caller's {@link ChannelAppender#publish()}.
     * <p>Once the first piece is published the message must be completed, or it blocks its channel: if the board then
     * does not pull in time, the processor stores the rest itself. A pull that comes late writes the same bytes once
     * more, and until then the target is not settled. The result is never {@link InjectionResult#PENDING} after a piece
     * was published.
     *
     * @param target        placed, and settled.
     * @param appender      with a message begun by {@link ChannelAppender#beginSegments}, its header written.
     * @param source        that holds the payload.
     * @param offset        of its first byte.
     * @param length        bytes.
     * @param segmentLength from {@link #segmentLength}.
     * @return what became of it.
     */
    public InjectionResult injectSegments(
        final InjectionTarget target, final ChannelAppender appender, final DirectBuffer source, final int offset,
        final int length, final int segmentLength)
    {
        final Injector injector = copying(SizeClasses.index(length), target, source, offset, length);
        final int index = target.index();
        final int position = target.position();
        final int headerLength = position - appender.position();
        for (int done = 0; done < length; done += segmentLength)
        {
            if (done > 0)
            {
                appender.fill(headerLength + done);
            }
            target.at(index + done, position + done);
            final InjectionResult result =
                injector.inject(target, source, offset + done, Math.min(segmentLength, length - done));
            if (result == InjectionResult.PENDING && done > 0)
            {
                anywhere.store(target.sram(), index + done, source, offset + done, length - done);
                return InjectionResult.COMPLETE;
            }
            if (result != InjectionResult.COMPLETE)
            {
                return result;
            }
        }
        return InjectionResult.COMPLETE;
    }

    private boolean isPulledInPlace(
        final int index, final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        return isZeroCopy[index] && zeroCopy.isApplicable(target, source, offset, length);
    }

    private Injector copying(
        final int index, final InjectionTarget target, final DirectBuffer source, final int offset, final int length)
    {
        final Injector injector = injectors[index];
        return injector.isApplicable(target, source, offset, length) ? injector : anywhere;
    }
}
