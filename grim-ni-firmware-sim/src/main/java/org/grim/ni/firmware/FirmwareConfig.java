// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.ni.delivery.DeliveryLimits;
import org.grim.ni.window.SequenceSpace;

/** How a control program is set. Immutable; each {@code with...} gives another one. Checked where it is used. */
public final class FirmwareConfig
{
    /** What is right for boards of one machine room. */
    public static final FirmwareConfig DEFAULT = new FirmwareConfig(new Values());

    private final Values values;

    private FirmwareConfig(final Values values)
    {
        this.values = values;
    }

    int sequenceBits()
    {
        return values.sequenceBits;
    }

    /**
     * Sets bits of a sequence number that are used.
     *
     * @param sequenceBits 1 to 8.
     * @return all else as here.
     */
    public FirmwareConfig withSequenceBits(final int sequenceBits)
    {
        final Values copy = new Values(values);
        copy.sequenceBits = sequenceBits;
        return new FirmwareConfig(copy);
    }

    int window()
    {
        return values.window;
    }

    /**
     * Sets most messages of one triple in flight.
     *
     * @param window 1 to what the bits can tell apart; on a wire that may lose packets no more than a third of that
     *     is used (85 with 8 bits).
     * @return all else as here.
     */
    public FirmwareConfig withWindow(final int window)
    {
        final Values copy = new Values(values);
        copy.window = window;
        return new FirmwareConfig(copy);
    }

    int tokenCount()
    {
        return values.tokenCount;
    }

    /**
     * Sets most messages of the NI in flight.
     *
     * @param tokenCount 1 to 256.
     * @return all else as here.
     */
    public FirmwareConfig withTokenCount(final int tokenCount)
    {
        final Values copy = new Values(values);
        copy.tokenCount = tokenCount;
        return new FirmwareConfig(copy);
    }

    int channelQuota()
    {
        return values.channelQuota;
    }

    /**
     * Sets most messages of a channel taken and unsettled.
     *
     * @param channelQuota a power of two.
     * @return all else as here.
     */
    public FirmwareConfig withChannelQuota(final int channelQuota)
    {
        final Values copy = new Values(values);
        copy.channelQuota = channelQuota;
        return new FirmwareConfig(copy);
    }

    int quantumLength()
    {
        return values.quantumLength;
    }

    /**
     * Sets bytes that a turn of the scheduler adds for weight 1.
     *
     * @param quantumLength 1 or more.
     * @return all else as here.
     */
    public FirmwareConfig withQuantumLength(final int quantumLength)
    {
        final Values copy = new Values(values);
        copy.quantumLength = quantumLength;
        return new FirmwareConfig(copy);
    }

    long retryDelayNsMin()
    {
        return values.retryDelayNsMin;
    }

    /**
     * Sets wait before a refused message is sent again.
     *
     * @param retryDelayNsMin nanoseconds, more than 0.
     * @return all else as here.
     */
    public FirmwareConfig withRetryDelayNsMin(final long retryDelayNsMin)
    {
        final Values copy = new Values(values);
        copy.retryDelayNsMin = retryDelayNsMin;
        return new FirmwareConfig(copy);
    }

    long retryDelayNsMax()
    {
        return values.retryDelayNsMax;
    }

    /**
     * Sets longest such wait, by doubling.
     *
     * @param retryDelayNsMax nanoseconds.
     * @return all else as here.
     */
    public FirmwareConfig withRetryDelayNsMax(final long retryDelayNsMax)
    {
        final Values copy = new Values(values);
        copy.retryDelayNsMax = retryDelayNsMax;
        return new FirmwareConfig(copy);
    }

    long timeOutNsMin()
    {
        return values.timeOutNsMin;
    }

    /**
     * Sets least wait for an answer.
     *
     * @param timeOutNsMin nanoseconds, more than 0.
     * @return all else as here.
     */
    public FirmwareConfig withTimeOutNsMin(final long timeOutNsMin)
    {
        final Values copy = new Values(values);
        copy.timeOutNsMin = timeOutNsMin;
        return new FirmwareConfig(copy);
    }

    long timeOutNsMax()
    {
        return values.timeOutNsMax;
    }

    /**
     * Sets longest wait for an answer, and the first.
     *
     * @param timeOutNsMax nanoseconds.
     * @return all else as here.
     */
    public FirmwareConfig withTimeOutNsMax(final long timeOutNsMax)
    {
        final Values copy = new Values(values);
        copy.timeOutNsMax = timeOutNsMax;
        return new FirmwareConfig(copy);
    }

    int timeOutCountMax()
    {
        return values.timeOutCountMax;
    }

    /**
     * Sets time-outs in a row after which a peer is gone.
     *
     * @param timeOutCountMax 1 or more.
     * @return all else as here.
     */
    public FirmwareConfig withTimeOutCountMax(final int timeOutCountMax)
    {
        final Values copy = new Values(values);
        copy.timeOutCountMax = timeOutCountMax;
        return new FirmwareConfig(copy);
    }

    long goneNs()
    {
        return values.goneNs;
    }

    /**
     * Sets how long a gone peer is not called again.
     *
     * @param goneNs nanoseconds.
     * @return all else as here.
     */
    public FirmwareConfig withGoneNs(final long goneNs)
    {
        final Values copy = new Values(values);
        copy.goneNs = goneNs;
        return new FirmwareConfig(copy);
    }

    /**
     * Leaves it to others to say which peers are gone, see {@link ControlProgram#peerGone}: one that does not answer is
     * asked again, less and less often.
     *
     * @param questionNsMax longest wait between two questions, nanoseconds.
     * @return all else as here.
     */
    public FirmwareConfig withoutConviction(final long questionNsMax)
    {
        final Values copy = new Values(values);
        copy.questionNsMax = questionNsMax;
        return new FirmwareConfig(copy);
    }

    long injectionTimeOutNs()
    {
        return values.injectionTimeOutNs;
    }

    /**
     * Sets how long a host may take to go on with a message that was begun, before it is cut.
     *
     * @param injectionTimeOutNs nanoseconds.
     * @return all else as here.
     */
    public FirmwareConfig withInjectionTimeOutNs(final long injectionTimeOutNs)
    {
        final Values copy = new Values(values);
        copy.injectionTimeOutNs = injectionTimeOutNs;
        return new FirmwareConfig(copy);
    }

    boolean isCutThrough()
    {
        return values.isCutThrough;
    }

    /**
     * Sets whether messages leave while their host still writes them.
     *
     * @param isCutThrough true or false.
     * @return all else as here.
     */
    public FirmwareConfig withCutThrough(final boolean isCutThrough)
    {
        final Values copy = new Values(values);
        copy.isCutThrough = isCutThrough;
        return new FirmwareConfig(copy);
    }

    boolean hasReplyChannel()
    {
        return values.hasReplyChannel;
    }

    /**
     * Sets whether the last channel is the NI's own, for replies to remote reads.
     *
     * @param hasReplyChannel true or false.
     * @return all else as here.
     */
    public FirmwareConfig withReplyChannel(final boolean hasReplyChannel)
    {
        final Values copy = new Values(values);
        copy.hasReplyChannel = hasReplyChannel;
        return new FirmwareConfig(copy);
    }

    /** From this channel on they are the NI's own. */
    int firstOwnChannel(final int channelCount)
    {
        return channelCount - (values.hasReplyChannel ? 1 : 0) - (values.hasMulticastChannel ? 1 : 0);
    }

    boolean hasMulticastChannel()
    {
        return values.hasMulticastChannel;
    }

    /**
     * Sets whether the NI takes part in multicasts: the last channel, or the one before that of replies, is its own
     * then.
     *
     * @param hasMulticastChannel true or false.
     * @return all else as here.
     */
    public FirmwareConfig withMulticastChannel(final boolean hasMulticastChannel)
    {
        final Values copy = new Values(values);
        copy.hasMulticastChannel = hasMulticastChannel;
        return new FirmwareConfig(copy);
    }

    int translationPageCount()
    {
        return values.translationPageCount;
    }

    /**
     * Sets pages in the translation cache.
     *
     * @param translationPageCount a power of two, 32 or more.
     * @return all else as here.
     */
    public FirmwareConfig withTranslationPageCount(final int translationPageCount)
    {
        final Values copy = new Values(values);
        copy.translationPageCount = translationPageCount;
        return new FirmwareConfig(copy);
    }

    long translationTimeOutNs()
    {
        return values.translationTimeOutNs;
    }

    /**
     * Sets how long a host may take to answer a translation request.
     *
     * @param translationTimeOutNs nanoseconds.
     * @return all else as here.
     */
    public FirmwareConfig withTranslationTimeOutNs(final long translationTimeOutNs)
    {
        final Values copy = new Values(values);
        copy.translationTimeOutNs = translationTimeOutNs;
        return new FirmwareConfig(copy);
    }

    /** Limits for a wire: one that may lose packets takes a narrower window (see {@link SequenceSpace}). */
    DeliveryLimits limits(final boolean isLossy, final ControlParts parts)
    {
        return new DeliveryLimits(parts.sequenceSpace(values.sequenceBits, values.window, isLossy),
            values.retryDelayNsMin, values.retryDelayNsMax, values.timeOutNsMin, values.timeOutNsMax,
            values.timeOutCountMax, values.goneNs, isLossy, values.questionNsMax);
    }

    private static final class Values
    {
        private int sequenceBits = 8;
        private int window = 127;
        private int tokenCount = 256;
        private int channelQuota = 128;
        private int quantumLength = 16 * 1024;
        private long retryDelayNsMin = 5_000;
        private long retryDelayNsMax = 1_000_000;
        private long timeOutNsMin = 50_000;
        private long timeOutNsMax = 10_000_000;
        private int timeOutCountMax = 10;
        private long goneNs = 100_000_000;
        private long questionNsMax;
        private long injectionTimeOutNs = 10_000_000;
        private boolean isCutThrough = true;
        private boolean hasReplyChannel = true;
        private boolean hasMulticastChannel;
        private int translationPageCount = 1024;
        private long translationTimeOutNs = 5_000_000;

        Values()
        {
            // The defaults above.
        }

        Values(final Values other)
        {
            sequenceBits = other.sequenceBits;
            window = other.window;
            tokenCount = other.tokenCount;
            channelQuota = other.channelQuota;
            quantumLength = other.quantumLength;
            retryDelayNsMin = other.retryDelayNsMin;
            retryDelayNsMax = other.retryDelayNsMax;
            timeOutNsMin = other.timeOutNsMin;
            timeOutNsMax = other.timeOutNsMax;
            timeOutCountMax = other.timeOutCountMax;
            goneNs = other.goneNs;
            questionNsMax = other.questionNsMax;
            injectionTimeOutNs = other.injectionTimeOutNs;
            isCutThrough = other.isCutThrough;
            hasReplyChannel = other.hasReplyChannel;
            hasMulticastChannel = other.hasMulticastChannel;
            translationPageCount = other.translationPageCount;
            translationTimeOutNs = other.translationTimeOutNs;
        }
    }
}
