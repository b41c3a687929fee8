// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import org.grim.buffer.Buffers;

/**
 * A trace with named frames, composed word by word: the flyweights are not asked, so that a mistake of theirs shows.
 */
final class TraceFile
{
    private static final int SOURCE_NI = 300;
    private static final int DESTINATION_NI = 2;

    private final Map<String, Integer> frameByName = new LinkedHashMap<>();
    private final Path path;
    private final PcapWriter writer;

    TraceFile(final Path path)
    {
        this.path = path;
        writer = new PcapWriter(path);
    }

    void add(final String name, final PacketEvent event, final byte[] message)
    {
        number(name);
        writer.packet(1_000L * frameByName.size(), event, SOURCE_NI, DESTINATION_NI, Buffers.wrap(message), 0,
            message.length);
    }

    /** One frame per length, from nothing to all but the last byte. */
    void addBeginnings(final String name, final byte[] message)
    {
        for (int length = 0; length < message.length; length++)
        {
            add(name + "-" + length, PacketEvent.TRUNCATED, Arrays.copyOf(message, length));
        }
    }

    void close()
    {
        writer.close();
    }

    /** Appends a record that the writer would not write. Only after {@link #close()}. */
    void addRaw(final String name, final byte[] record) throws IOException
    {
        number(name);
        final ByteBuffer bytes = ByteBuffer.allocate(16 + record.length);
        bytes.putInt(9).putInt(0).putInt(record.length).putInt(record.length).put(record);
        Files.write(path, bytes.array(), StandardOpenOption.APPEND);
    }

    int frame(final String name)
    {
        final Integer frame = frameByName.get(name);
        if (frame == null)
        {
            throw new IllegalArgumentException("no frame is named " + name);
        }
        return frame;
    }

    int frameCount()
    {
        return frameByName.size();
    }

    /** From endpoint 1.0 channel 1 to endpoint 2.3 channel 4, token 5, sequence 7, tree 6, handler 900. */
    static byte[] message(final int typeCode, final long arguments01, final long arguments23, final byte[] payload)
    {
        final int words = (payload.length + 3) / 4;
        final int correction = words * 4 - payload.length;
        final ByteBuffer bytes = ByteBuffer.allocate(32 + words * 4);
        bytes.putInt(0x0636_0507);
        bytes.putInt(typeCode << 26 | correction << 24 | 6 << 16 | 0x0010);
        bytes.putInt(words << 16 | 0x0023);
        bytes.putInt(1 << 24 | 4 << 16 | 900);
        bytes.putLong(arguments01).putLong(arguments23);
        bytes.put(payload);
        return bytes.array();
    }

    /** About token 5, sequence 7 of channel 1; endpoint 2.0 answers. */
    static byte[] control(final int typeCode)
    {
        return ByteBuffer.allocate(8).putInt(0x0636_0507).putInt(typeCode << 26 | 1 << 16 | 0x0020).array();
    }

    static byte[] words(final int... words)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(words.length * 4);
        for (final int word : words)
        {
            bytes.putInt(word);
        }
        return bytes.array();
    }

    private void number(final String name)
    {
        if (frameByName.put(name, frameByName.size() + 1) != null)
        {
            throw new IllegalArgumentException("two frames are named " + name);
        }
    }
}
