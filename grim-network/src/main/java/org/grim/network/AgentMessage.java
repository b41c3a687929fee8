// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.cluster.NodeReport;
import org.grim.network.registry.ConsensusMessage;
import org.grim.network.registry.RegistryCodec;
import org.grim.network.status.ClusterRestart;
import org.grim.network.status.HostStatus;
import org.grim.network.status.HostStatuses;

/**
 * Messages between agents. The first eight bytes, and a refusal, are the same in every version of the protocol, so that
 * two versions can explain to each other why they are incompatible.
 */
sealed interface AgentMessage
{
    /** Version of the protocol between agents. */
    int VERSION = 6;

    /** {@return id of the host whose agent said it} */
    String host();

    /**
     * Reports a host; sent to all when the group changes, and to the coordinator now and then.
     *
     * @param host         that says it.
     * @param label        of it ({@code grim.node.host}).
     * @param cluster      that it belongs to; empty if to none yet.
     * @param epoch        of the latest decision that it knows.
     * @param isMember     whether the hosts took it in; it may not know yet that they took it out.
     * @param nodeCountMax most nodes of its directory.
     * @param givenUp      members that it took for gone while it was without a majority.
     */
    record Hello(
        String host, String label, String cluster, long epoch, boolean isMember, int nodeCountMax,
        List<String> givenUp) implements AgentMessage
    {
    }

    /**
     * This host may not be part of the cluster.
     *
     * @param host   that says it.
     * @param kind   of the error; of another version of the protocol, which does not say it, always the same.
     * @param reason for the text of an error.
     */
    record Refusal(String host, GrimException.Reason kind, String reason) implements AgentMessage
    {
    }

    /**
     * Asks the coordinator for the number of a node, or the id of a handler.
     *
     * @param host     that asks.
     * @param isNode   whether it is a node's number.
     * @param sequence of the request; 0 for a handler, whose name says enough.
     * @param name     of node or handler.
     */
    record Request(String host, boolean isNode, int sequence, String name) implements AgentMessage
    {
    }

    /**
     * The coordinator has no number or id to give.
     *
     * @param host    that says it.
     * @param request that was made.
     * @param kind    of the error.
     * @param reason  for the text of an error.
     */
    record Denial(String host, Request request, GrimException.Reason kind, String reason) implements AgentMessage
    {
    }

    /**
     * The coordinator cannot answer a request yet.
     *
     * @param host    that says it.
     * @param request that was made; the sender repeats it.
     * @param reason  why the request waits, for the text of a time-out.
     */
    record Delay(String host, Request request, String reason) implements AgentMessage
    {
    }

    /**
     * State of a host's nodes.
     *
     * @param host  of the nodes.
     * @param nodes of it; the heartbeat is an age in milliseconds.
     */
    record Reports(String host, List<NodeReport> nodes) implements AgentMessage
    {
    }

    /** A step of the consensus. */
    record Step(String host, ConsensusMessage message) implements AgentMessage
    {
    }

    /**
     * The last node of a host has left.
     *
     * @param host to remove from the cluster.
     */
    record Leaving(String host) implements AgentMessage
    {
    }

    /**
     * A tool of a host asks how the others' nodes are.
     *
     * @param host     that asks.
     * @param question its number, for the answers.
     */
    record Question(String host, long question) implements AgentMessage
    {
    }

    /** State of a host. */
    record Answer(String host, long question, HostStatus status) implements ToTool
    {
    }

    /**
     * The agent of this host has restarted the cluster, or refuses to.
     *
     * @param host     that says it.
     * @param question that this answers.
     * @param restart  or the refusal.
     */
    record Restarted(String host, long question, ClusterRestart restart) implements ToTool
    {
    }

    /** Answers a tool. */
    sealed interface ToTool extends AgentMessage
    {
        /** {@return number of the question, of the agent that the tool asked} */
        long question();
    }

    /** {@return the message as bytes} */
    default byte[] encode()
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try
        {
            final DataOutputStream output = new DataOutputStream(bytes);
            output.writeInt(Codec.MAGIC);
            output.writeShort(VERSION);
            Codec.put(output, this);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);         // A text of more than 65,535 bytes: none is that long.
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a message.
     *
     * @param bytes from another agent.
     * @return the message.
     * @throws IOException if it is none of this version; the text names both versions.
     */
    static AgentMessage decode(final byte[] bytes) throws IOException
    {
        final DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes));
        final int magic = input.readInt();
        if (magic != Codec.MAGIC)
        {
            throw new IOException("magic=0x" + Integer.toHexString(magic) + " is not an agent's");
        }
        final int version = input.readUnsignedShort();
        final int type = input.readUnsignedShort();
        if (version != VERSION && type != Codec.REFUSAL)
        {
            throw new VersionException(version);
        }
        return Codec.read(type, input);
    }

    /** A message of another version of the protocol. */
    final class VersionException extends IOException
    {
        private static final long serialVersionUID = 1L;

        VersionException(final int version)
        {
            super("protocol version=" + version + " of the one host and version=" + VERSION +
                " of the other do not go together: use the same release of GRIM on all hosts");
        }
    }

    /** Encoding of messages. */
    final class Codec
    {
        static final int REFUSAL = 0;
        private static final int MAGIC = 0x4752494D;            // "GRIM"
        private static final int HELLO = 1;
        private static final int REQUEST = 2;
        private static final int DENIAL = 3;
        private static final int REPORTS = 4;
        private static final int STEP = 5;
        private static final int LEAVING = 6;
        private static final int QUESTION = 7;
        private static final int ANSWER = 8;
        private static final int DELAY = 9;
        private static final int KEY_MASK = (1 << 24) - 1;
        private static final int RESTARTED = 10;
        private static final List<GrimException.Reason> KINDS = List.of(GrimException.Reason.values());

        private Codec()
        {
        }

        private static void put(final DataOutput output, final AgentMessage message) throws IOException
        {
            if (message instanceof final Refusal refusal)
            {
                begin(output, REFUSAL, message);
                output.writeUTF(refusal.reason());
                output.writeByte(KINDS.indexOf(refusal.kind()));
            }
            else if (message instanceof final Hello hello)
            {
                begin(output, HELLO, message);
                output.writeUTF(hello.label());
                output.writeUTF(hello.cluster());
                output.writeLong(hello.epoch());
                output.writeBoolean(hello.isMember());
                output.writeInt(hello.nodeCountMax());
                RegistryCodec.putList(output, hello.givenUp(), DataOutput::writeUTF);
            }
            else if (message instanceof final Request request)
            {
                begin(output, REQUEST, message);
                putRequest(output, request);
            }
            else if (message instanceof final Denial denial)
            {
                begin(output, DENIAL, message);
                putRequest(output, denial.request());
                output.writeByte(KINDS.indexOf(denial.kind()));
                output.writeUTF(denial.reason());
            }
            else if (message instanceof final Delay delay)
            {
                begin(output, DELAY, message);
                putRequest(output, delay.request());
                output.writeUTF(delay.reason());
            }
            else if (message instanceof final Reports reports)
            {
                begin(output, REPORTS, message);
                RegistryCodec.putList(output, reports.nodes(), Codec::putReport);
            }
            else if (message instanceof final Step step)
            {
                begin(output, STEP, message);
                RegistryCodec.put(output, step.message());
            }
            else if (message instanceof final Question question)
            {
                begin(output, QUESTION, message);
                output.writeLong(question.question());
            }
            else if (message instanceof final Answer answer)
            {
                begin(output, ANSWER, message);
                output.writeLong(answer.question());
                HostStatuses.put(output, answer.status());
            }
            else if (message instanceof final Restarted restarted)
            {
                begin(output, RESTARTED, message);
                output.writeLong(restarted.question());
                HostStatuses.put(output, restarted.restart());
            }
            else
            {
                begin(output, LEAVING, message);
            }
        }

        private static AgentMessage read(final int type, final DataInputStream input) throws IOException
        {
            final String host = input.readUTF();
            return switch (type)
            {
                case REFUSAL -> refusal(host, input);
                case HELLO -> new Hello(host, input.readUTF(), input.readUTF(), input.readLong(), input.readBoolean(),
                    input.readInt(), RegistryCodec.list(input, DataInput::readUTF));
                case REQUEST -> request(host, input);
                case DENIAL -> new Denial(host, request("", input), kind(input), input.readUTF());
                case REPORTS -> new Reports(host, RegistryCodec.list(input, Codec::report));
                case STEP -> new Step(host, RegistryCodec.message(input));
                case LEAVING -> new Leaving(host);
                case QUESTION -> new Question(host, input.readLong());
                case ANSWER -> new Answer(host, input.readLong(), HostStatuses.get(input));
                case DELAY -> new Delay(host, request("", input), input.readUTF());
                case RESTARTED -> new Restarted(host, input.readLong(), HostStatuses.restart(input));
                default -> throw new IOException("message type=" + type + " is unknown");
            };
        }

        /** Versions before 3 did not write the kind; their refusals were of versions above all. */
        private static Refusal refusal(final String host, final DataInputStream input) throws IOException
        {
            final String reason = input.readUTF();
            return new Refusal(host, input.available() == 0 ? GrimException.Reason.BAD_DATA : kind(input), reason);
        }

        private static GrimException.Reason kind(final DataInput input) throws IOException
        {
            final int code = input.readUnsignedByte();
            if (code >= KINDS.size())
            {
                throw new IOException("reason code=" + code + " exceeds max=" + (KINDS.size() - 1));
            }
            return KINDS.get(code);
        }

        private static void begin(final DataOutput output, final int type, final AgentMessage message)
            throws IOException
        {
            output.writeShort(type);
            output.writeUTF(message.host());
        }

        private static void putRequest(final DataOutput output, final Request request) throws IOException
        {
            output.writeBoolean(request.isNode());
            output.writeInt(request.sequence());
            output.writeUTF(request.name());
        }

        private static Request request(final String host, final DataInput input) throws IOException
        {
            return new Request(host, input.readBoolean(), input.readInt(), input.readUTF());
        }

        private static void putReport(final DataOutput output, final NodeReport report) throws IOException
        {
            final NodeInfo info = report.info();
            output.writeInt(info.number());
            output.writeUTF(info.name());
            output.writeByte(info.state() == NodeInfo.State.GONE ? info.goneReason().code() : info.state().code());
            output.writeInt(info.incarnation());
            output.writeLong(info.processId());
            output.writeInt(info.channelCount());
            RegistryCodec.putList(output, info.transports(), DataOutput::writeUTF);
            RegistryCodec.putList(output, info.devices(), Codec::putDevice);
            output.writeLong(info.heartbeatMs());
            output.writeUTF(info.host());
            output.writeBoolean(report.hasJoined());
            output.writeUTF(report.addresses());
            RegistryCodec.putList(output, report.ends(), DataOutput::writeInt);
        }

        private static NodeReport report(final DataInput input) throws IOException
        {
            final int number = input.readInt();
            final String name = input.readUTF();
            final int state = input.readUnsignedByte();
            final NodeInfo info = new NodeInfo(number, name, NodeInfo.State.ofCode(state), input.readInt(),
                input.readLong(), input.readInt(), RegistryCodec.list(input, DataInput::readUTF),
                RegistryCodec.list(input, Codec::device), input.readLong(), input.readUTF(),
                NodeInfo.GoneReason.ofCode(state));
            return new NodeReport(info, input.readBoolean(), input.readUTF(), ends(input));
        }

        private static List<Integer> ends(final DataInput input) throws IOException
        {
            final List<Integer> ends = RegistryCodec.list(input, DataInput::readInt);
            if (ends.size() > NodeReport.END_COUNT_MAX)
            {
                throw new IOException("ends=" + ends.size() + " exceed max=" + NodeReport.END_COUNT_MAX);
            }
            return ends;
        }

        private static void putDevice(final DataOutput output, final DeviceInfo device) throws IOException
        {
            output.writeInt(device.endpoint().key());
            output.writeByte(device.kind().code());
            output.writeByte(device.state().code() << 4 | device.channelCount() - 1);
        }

        private static DeviceInfo device(final DataInput input) throws IOException
        {
            final EndpointId endpoint = EndpointId.ofKey(input.readInt() & KEY_MASK);
            final NodeInfo.Device kind = NodeInfo.Device.ofCode(input.readUnsignedByte());
            final int state = input.readUnsignedByte();
            return new DeviceInfo(endpoint, kind, DeviceInfo.State.ofCode(state >>> 4),
                state % DeviceInfo.CHANNEL_COUNT_MAX + 1);
        }
    }
}
