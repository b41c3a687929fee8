// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Decisions and what is said about them as bytes, for the network and for the file. Any thread; no state. */
public final class RegistryCodec
{
    private static final int COUNT_MAX = 1 << 16;

    private RegistryCodec()
    {
    }

    /** Writes one thing. */
    @FunctionalInterface
    public interface Writer<T>
    {
        /**
         * Writes it.
         *
         * @param output for its bytes.
         * @param value  to be written.
         * @throws IOException if the output does.
         */
        void write(DataOutput output, T value) throws IOException;
    }

    /** Reads one thing. */
    @FunctionalInterface
    public interface Reader<T>
    {
        /**
         * Reads it.
         *
         * @param input that holds its bytes.
         * @return the value.
         * @throws IOException if they are none.
         */
        T read(DataInput input) throws IOException;
    }

    /**
     * Writes a list.
     *
     * @param output for its bytes.
     * @param values of the list.
     * @param writer of one.
     * @param <T>    of the values.
     * @throws IOException if the output does.
     */
    public static <T> void putList(final DataOutput output, final List<T> values, final Writer<T> writer)
        throws IOException
    {
        output.writeInt(values.size());
        for (final T value : values)
        {
            writer.write(output, value);
        }
    }

    /**
     * Reads a list.
     *
     * @param input  that holds its bytes.
     * @param reader of one.
     * @param <T>    of the values.
     * @return the values.
     * @throws IOException if the bytes are no list.
     */
    public static <T> List<T> list(final DataInput input, final Reader<T> reader) throws IOException
    {
        final int count = input.readInt();
        if (count < 0 || count > COUNT_MAX)
        {
            throw new IOException("list count=" + count + " is outside 0 to " + COUNT_MAX);
        }
        final List<T> values = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            values.add(reader.read(input));
        }
        return values;
    }

    /**
     * Writes what is said about a decision.
     *
     * @param output  for its bytes.
     * @param message to be written.
     * @throws IOException if the output does.
     */
    public static void put(final DataOutput output, final ConsensusMessage message) throws IOException
    {
        output.writeUTF(message.verb().name());
        output.writeUTF(message.cluster());
        output.writeLong(message.epoch());
        putBallot(output, message.ballot());
        putBallot(output, message.accepted());
        putDecision(output, message.decision());
    }

    /**
     * Reads what is said about a decision.
     *
     * @param input that holds its bytes.
     * @return the message.
     * @throws IOException              if the bytes are none.
     * @throws IllegalArgumentException if its verb is none.
     */
    public static ConsensusMessage message(final DataInput input) throws IOException
    {
        final ConsensusMessage message = new ConsensusMessage(ConsensusMessage.Verb.valueOf(input.readUTF()),
            input.readUTF(), input.readLong(), ballot(input), ballot(input), decision(input));
        final boolean needsDecision = message.verb() == ConsensusMessage.Verb.ACCEPT ||
            message.verb() == ConsensusMessage.Verb.LEARN;
        if (needsDecision && message.decision() == null)
        {
            throw new IOException("message " + message.verb() + " has no decision");
        }
        return message;
    }

    static void putPledge(final DataOutput output, final Pledge pledge) throws IOException
    {
        putBallot(output, pledge.promised());
        putBallot(output, pledge.ballot());
        putDecision(output, pledge.decision());
    }

    static Pledge pledge(final DataInput input) throws IOException
    {
        return new Pledge(ballot(input), ballot(input), decision(input));
    }

    static void putDecision(final DataOutput output, final Decision decision) throws IOException
    {
        output.writeBoolean(decision != null);
        if (decision != null)
        {
            output.writeUTF(decision.cluster());
            output.writeLong(decision.base());
            output.writeLong(decision.epoch());
            putList(output, decision.members(), DataOutput::writeUTF);
            putList(output, decision.grants(), RegistryCodec::putGrant);
            putList(output, decision.handlers(), (out, handler) ->
            {
                out.writeUTF(handler.name());
                out.writeInt(handler.id());
            });
        }
    }

    static Decision decision(final DataInput input) throws IOException
    {
        return !input.readBoolean() ? null : new Decision(input.readUTF(), input.readLong(), input.readLong(),
            list(input, DataInput::readUTF), list(input, RegistryCodec::grant),
            list(input, in -> new HandlerName(in.readUTF(), in.readInt())));
    }

    private static void putBallot(final DataOutput output, final Ballot ballot) throws IOException
    {
        output.writeInt(ballot.round());
        output.writeUTF(ballot.host());
    }

    private static Ballot ballot(final DataInput input) throws IOException
    {
        return new Ballot(input.readInt(), input.readUTF());
    }

    private static void putGrant(final DataOutput output, final Grant grant) throws IOException
    {
        output.writeInt(grant.number());
        output.writeInt(grant.incarnation());
        output.writeUTF(grant.name());
        output.writeUTF(grant.host());
        output.writeInt(grant.request());
    }

    private static Grant grant(final DataInput input) throws IOException
    {
        return new Grant(input.readInt(), input.readInt(), input.readUTF(), input.readUTF(), input.readInt());
    }
}
