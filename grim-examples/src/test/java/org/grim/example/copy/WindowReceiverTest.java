// SPDX-License-Identifier: Apache-2.0
package org.grim.example.copy;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.grim.example.copy.CopyWindow.SLOT_COUNT;
import static org.grim.example.copy.CopyWindow.SLOT_LENGTH;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The sender's part is played by hand, in a node's memory that it writes itself. */
final class WindowReceiverTest
{
    private static final int SHORT_LENGTH = 5;
    private static final int PART_COUNT = SLOT_COUNT + 2;
    private static final long LENGTH = (long)(PART_COUNT - 1) * SLOT_LENGTH + SHORT_LENGTH;

    private final List<Integer> lengths = new ArrayList<>();
    private final List<Byte> firstBytes = new ArrayList<>();
    private Grim grim;
    private MemoryRegion window;
    private MemoryRegion credit;
    private WindowReceiver receiver;

    @BeforeEach
    void open()
    {
        grim = Grim.enable(GrimConfig.builder().nodeName("window").transports("null").build());
        window = grim.endpoint().memory().register(CopyWindow.LENGTH);
        credit = grim.endpoint().memory().register(CopyWindow.CREDIT_LENGTH);
        receiver = new WindowReceiver(window, grim.endpoint().memory().link(grim.endpoint().id()), credit.remote(),
            LENGTH, this::onChunk);
    }

    @AfterEach
    void close()
    {
        grim.close();
    }

    @Test
    void shouldHaveItsPartsOnTheirPlaces()
    {
        assertEquals(0, CopyWindow.WORDS_OFFSET);
        assertEquals(64, CopyWindow.WORD_DISTANCE);
        assertEquals(4096, CopyWindow.DATA_OFFSET);
        assertEquals(4096 + 16 * 262_144, CopyWindow.LENGTH);
        assertEquals(0, CopyWindow.CREDIT_OFFSET);
        assertEquals(128, CopyWindow.SPARE_OFFSET);
        assertEquals(136, CopyWindow.CREDIT_LENGTH);
        assertEquals(CopyWindow.wordOffset(1), CopyWindow.wordOffset(17));
        assertEquals(15 * 64, CopyWindow.wordOffset(16));
        assertEquals(4096 + 262_144, CopyWindow.dataOffset(2));
    }

    @Test
    void shouldTakeNothingBeforeItsWordIsThere()
    {
        assertEquals(0, receiver.doWork(1));
        arrive(2);
        assertEquals(0, receiver.doWork(Integer.MAX_VALUE));

        arrive(1);
        assertEquals(3, receiver.doWork(Integer.MAX_VALUE), "two parts and a word to the sender");
        assertEquals(List.of((byte)1, (byte)2), firstBytes);
        assertEquals(2, creditWord());
    }

    @Test
    void shouldTakePartsInTurnUntilTheLastWhichIsShorter()
    {
        for (int number = 1; number <= PART_COUNT; number++)
        {
            arrive(number);
            assertEquals(2, receiver.doWork(1));
            assertEquals(number, creditWord());
        }

        assertEquals(0, receiver.doWork(1));
        assertEquals(PART_COUNT, lengths.size());
        assertEquals(SHORT_LENGTH, lengths.get(PART_COUNT - 1));
        assertEquals(SLOT_LENGTH, lengths.get(PART_COUNT - 2));
        assertEquals((byte)PART_COUNT, firstBytes.get(PART_COUNT - 1));
    }

    @Test
    void shouldNotTakeWhatGoesBeyondTheFile()
    {
        final WindowReceiver small = new WindowReceiver(window, grim.endpoint().memory().link(grim.endpoint().id()),
            credit.remote(), SHORT_LENGTH, this::onChunk);
        arrive(1);
        arrive(2);

        assertEquals(2, small.doWork(Integer.MAX_VALUE));
        assertEquals(List.of(SHORT_LENGTH), lengths);
    }

    private void arrive(final int number)
    {
        window.buffer().putByte(CopyWindow.dataOffset(number), (byte)number);
        window.buffer().putIntRelease(CopyWindow.wordOffset(number), number);
    }

    private int creditWord()
    {
        return credit.buffer().getIntVolatile(CopyWindow.CREDIT_OFFSET);
    }

    private void onChunk(final DirectBuffer buffer, final int offset, final int length)
    {
        lengths.add(length);
        firstBytes.add(buffer.getByte(offset));
    }
}
