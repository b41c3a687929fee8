// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.function.Consumer;

import org.agrona.BitUtil;
import org.grim.ni.delivery.DeliveryLimits;
import org.grim.ni.delivery.Scoreboard;
import org.grim.ni.memory.TranslationCache;
import org.grim.ni.window.SequenceSpace;

/**
 * Limits of a control program. Immutable; rejects values outside their limits.
 *
 * @param sequenceBits         bits of a sequence number that are used, 1 to 8.
 * @param window               maximum messages of one triple in flight, 1 or more; {@link SequenceSpace} checks it
 *                             against the bits. A wire that may lose packets uses at most a third of the numbers.
 * @param tokenCount           maximum messages of the NI in flight, 1 to 256.
 * @param channelQuota         maximum messages of a channel taken and unsettled, a power of two.
 * @param quantumLength        bytes that a turn of the scheduler adds for weight 1, 1 or more.
 * @param retryDelayNsMin      first wait before a refused message is sent again, 1 or more.
 * @param retryDelayNsMax      maximum of this wait, which doubles; not below the first.
 * @param timeOutNsMin         minimum wait for an answer, 1 or more.
 * @param timeOutNsMax         maximum wait for an answer, and the first; not below the minimum.
 * @param timeOutCountMax      consecutive time-outs after which a peer counts as gone, 1 or more.
 * @param goneNs               time for which a gone peer is not called again, 0 or more.
 * @param questionNsMax        0 if time-outs convict a peer. Otherwise only {@link ControlProgram#peerGone} does, and
 *                             this is the maximum wait between two questions to a peer that does not answer; not below
 *                             the maximum wait for an answer.
 * @param injectionTimeOutNs   time for a host to continue a message that it began, before the message is cut; 1 or
 *                             more.
 * @param isCutThrough         true if messages leave while their host still writes them.
 * @param hasReplyChannel      true if the last channel is the NI's own, for replies to remote reads.
 * @param hasMulticastChannel  true if the NI takes part in multicasts: the last channel, or the one before the channel
 *                             of replies, is then its own.
 * @param translationPageCount pages in the translation cache, a power of two, 32 to 1,048,576.
 * @param translationTimeOutNs time for a host to answer a translation request, 1 or more.
 */
public record FirmwareConfig(
    int sequenceBits, int window, int tokenCount, int channelQuota, int quantumLength, long retryDelayNsMin,
    long retryDelayNsMax, long timeOutNsMin, long timeOutNsMax, int timeOutCountMax, long goneNs, long questionNsMax,
    long injectionTimeOutNs, boolean isCutThrough, boolean hasReplyChannel, boolean hasMulticastChannel,
    int translationPageCount, long translationTimeOutNs)
{
    /** Values for boards of one machine room. */
    public static final FirmwareConfig DEFAULT = new Values().config();

    /** Checks the limits. */
    public FirmwareConfig
    {
        require("sequenceBits", sequenceBits, 1, SequenceSpace.BITS_MAX);
        require("window", window, 1, Integer.MAX_VALUE);
        require("tokenCount", tokenCount, 1, Scoreboard.TOKEN_COUNT_MAX);
        requirePowerOfTwo("channelQuota", channelQuota, 1, 1 << 30);
        require("quantumLength", quantumLength, 1, Integer.MAX_VALUE);
        require("retryDelayNsMin", retryDelayNsMin, 1, Long.MAX_VALUE);
        require("retryDelayNsMax", retryDelayNsMax, retryDelayNsMin, Long.MAX_VALUE);
        require("timeOutNsMin", timeOutNsMin, 1, Long.MAX_VALUE);
        require("timeOutNsMax", timeOutNsMax, timeOutNsMin, Long.MAX_VALUE);
        require("timeOutCountMax", timeOutCountMax, 1, Integer.MAX_VALUE);
        require("goneNs", goneNs, 0, Long.MAX_VALUE);
        require("questionNsMax", questionNsMax, questionNsMax == 0 ? 0 : timeOutNsMax, Long.MAX_VALUE);
        require("injectionTimeOutNs", injectionTimeOutNs, 1, Long.MAX_VALUE);
        requirePowerOfTwo("translationPageCount", translationPageCount, TranslationCache.CAPACITY_MIN,
            TranslationCache.CAPACITY_MAX);
        require("translationTimeOutNs", translationTimeOutNs, 1, Long.MAX_VALUE);
    }

    /**
     * Returns a configuration with other values.
     *
     * @param change sets the values that differ; they are checked together, after it has returned.
     * @return the new configuration.
     * @throws IllegalArgumentException if a value is outside its limits.
     */
    public FirmwareConfig with(final Consumer<Values> change)
    {
        final Values values = new Values(this);
        change.accept(values);
        return values.config();
    }

    /** Returns the number of the first channel that is the NI's own. */
    int firstOwnChannel(final int channelCount)
    {
        return channelCount - (hasReplyChannel ? 1 : 0) - (hasMulticastChannel ? 1 : 0);
    }

    /** Returns the limits for a wire; one that may lose packets uses a narrower window (see {@link SequenceSpace}). */
    DeliveryLimits limits(final boolean isLossy, final ControlParts parts)
    {
        return new DeliveryLimits(parts.sequenceSpace(sequenceBits, window, isLossy), retryDelayNsMin,
            retryDelayNsMax, timeOutNsMin, timeOutNsMax, timeOutCountMax, goneNs, isLossy, questionNsMax);
    }

    private static void require(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException(name + "=" + value + " is outside " + min + " to " + max);
        }
    }

    private static void requirePowerOfTwo(final String name, final int value, final int min, final int max)
    {
        require(name, value, min, max);
        if (!BitUtil.isPowerOfTwo(value))
        {
            throw new IllegalArgumentException(name + "=" + value + " is not a power of two");
        }
    }

    /** Mutable copy of a configuration, for {@link #with}. The fields are named and described as its components. */
    public static final class Values
    {
        public int sequenceBits = 8;
        public int window = 127;
        public int tokenCount = 256;
        public int channelQuota = 128;
        public int quantumLength = 16 * 1024;
        public long retryDelayNsMin = 5_000;
        public long retryDelayNsMax = 1_000_000;
        public long timeOutNsMin = 50_000;
        public long timeOutNsMax = 10_000_000;
        public int timeOutCountMax = 10;
        public long goneNs = 100_000_000;
        public long questionNsMax;
        public long injectionTimeOutNs = 10_000_000;
        public boolean isCutThrough = true;
        public boolean hasReplyChannel = true;
        public boolean hasMulticastChannel;
        public int translationPageCount = 1024;
        public long translationTimeOutNs = 5_000_000;

        private Values()
        {
            // The values of DEFAULT.
        }

        private Values(final FirmwareConfig config)
        {
            sequenceBits = config.sequenceBits;
            window = config.window;
            tokenCount = config.tokenCount;
            channelQuota = config.channelQuota;
            quantumLength = config.quantumLength;
            retryDelayNsMin = config.retryDelayNsMin;
            retryDelayNsMax = config.retryDelayNsMax;
            timeOutNsMin = config.timeOutNsMin;
            timeOutNsMax = config.timeOutNsMax;
            timeOutCountMax = config.timeOutCountMax;
            goneNs = config.goneNs;
            questionNsMax = config.questionNsMax;
            injectionTimeOutNs = config.injectionTimeOutNs;
            isCutThrough = config.isCutThrough;
            hasReplyChannel = config.hasReplyChannel;
            hasMulticastChannel = config.hasMulticastChannel;
            translationPageCount = config.translationPageCount;
            translationTimeOutNs = config.translationTimeOutNs;
        }

        private FirmwareConfig config()
        {
            return new FirmwareConfig(sequenceBits, window, tokenCount, channelQuota, quantumLength, retryDelayNsMin,
                retryDelayNsMax, timeOutNsMin, timeOutNsMax, timeOutCountMax, goneNs, questionNsMax,
                injectionTimeOutNs, isCutThrough, hasReplyChannel, hasMulticastChannel, translationPageCount,
                translationTimeOutNs);
        }
    }
}
