// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.Arrays;

import org.grim.board.Firmware;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.MessageSink;

/**
 * The words that show work for a board's firmware, as queues of one message loop: so a board that runs in a duty cycle
 * is polled like everything else, and costs a load for each word while it is silent. One more word, the runner's, shows
 * that the firmware has left something over.
 * <p>Thread: the loop's. {@link #follow} reads the firmware and is called by the thread that may step it at that
 * moment.
 */
final class FirmwareWords
{
    private final ArrivalQueues queues;
    private final Firmware firmware;
    private final DutyCycleRunner runner;
    private ChannelArrivals[] arrivals = new ChannelArrivals[0];
    private Word[] words = new Word[0];
    private long[] addresses = new long[0];
    private int[] idleValues = new int[0];
    private volatile int version;

    FirmwareWords(final ArrivalQueues queues, final Firmware firmware, final DutyCycleRunner runner)
    {
        this.queues = queues;
        this.firmware = firmware;
        this.runner = runner;
        version = firmware.wordVersion() - 1;
        queues.add(new Word(-1));
    }

    ArrivalQueues queues()
    {
        return queues;
    }

    /** Whether this loop looks at the present words, and at no others. */
    boolean isCurrent()
    {
        return version == firmware.wordVersion();
    }

    /** Takes note of the words, and of what they hold while there is nothing to do. */
    void follow()
    {
        if (!isCurrent())
        {
            replaceWords();
        }
        for (int i = 0; i < idleValues.length; i++)
        {
            idleValues[i] = firmware.wordIdle(i);
        }
    }

    /** A channel that the loop polls: its queue stands behind the words, so that one poll does both. */
    void add(final ChannelArrivals channelArrivals)
    {
        queues.add(channelArrivals);
        arrivals = Arrays.copyOf(arrivals, arrivals.length + 1);
        arrivals[arrivals.length - 1] = channelArrivals;
    }

    /** Whether a message stands in one of the loop's channels. */
    boolean hasArrivals()
    {
        for (final ChannelArrivals channelArrivals : arrivals)
        {
            if (!channelArrivals.isEmpty())
            {
                return true;
            }
        }
        return false;
    }

    private void replaceWords()
    {
        for (final Word word : words)
        {
            queues.remove(word);
        }
        final int count = firmware.wordCount();
        words = new Word[count];
        addresses = new long[count];
        idleValues = new int[count];
        Arrays.setAll(addresses, firmware::wordAddress);
        Arrays.setAll(idleValues, firmware::wordIdle);
        Arrays.setAll(words, Word::new);
        for (final Word word : words)
        {
            queues.add(word);
        }
        for (final ChannelArrivals channelArrivals : arrivals)
        {
            queues.remove(channelArrivals);
            queues.add(channelArrivals);
        }
        version = firmware.wordVersion();
    }

    /** One of the firmware's words; -1 for what is left over. */
    private final class Word extends ArrivalQueue
    {
        private final int index;

        Word(final int index)
        {
            super(0, -1);
            this.index = index;
            rearm();
        }

        @Override
        public int drain(final MessageSink sink, final int limit)
        {
            // Arrivals show in their own queue, which stands behind this one in the table: the same poll hands it over.
            // Nobody else may drain it, or the table would go on looking at the word of a frame that is empty.
            runner.step(FirmwareWords.this);
            rearm();
            return 0;
        }

        private void rearm()
        {
            if (index < 0)
            {
                expect(runner.leftOverAddress(), 0);
            }
            else if (index < addresses.length)      // Fewer words: this one is no longer in the table.
            {
                expect(addresses[index], idleValues[index]);
            }
        }
    }
}
