// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.zip.CRC32;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.ActiveMessage;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.wire.MessageHeader;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Sends and reads messages by which nodes agree on who belongs to a group.
 * <p>Thread: the host endpoint's owner.
 * <p>Arguments: kind (4 bits) and incarnation (28), session, epoch, extra. The payload, in native byte order:
 * <pre>
 *  +-------------+------+---------+----------------------------------------------------+
 *  | name length | name | members | members: node (32), incarnation (32), session (32) |
 *  |     32      |      |  count  | or text, with a count of -1                        |
 *  +-------------+------+---------+----------------------------------------------------+
 * </pre>
 */
final class RosterMessages
{
    private static final int INCARNATION_BITS = 28;
    private static final int INCARNATION_MASK = (1 << INCARNATION_BITS) - 1;
    private static final int NAME_OFFSET = Integer.BYTES;
    private static final int TEXT = -1;

    private final MutableDirectBuffer bytes = Buffers.wrap(
        new byte[NAME_OFFSET + Groups.NAME_LENGTH_MAX + Integer.BYTES + Group.SIZE_MAX * Roster.ENTRY_LENGTH]);
    private final GroupTraffic traffic;

    RosterMessages(final GroupTraffic traffic)
    {
        this.traffic = traffic;
    }

    /** Number of a group: the same at all nodes, and for as long as there is one of the name. */
    static int id(final String name)
    {
        final CRC32 checksum = new CRC32();
        checksum.update(name.getBytes(UTF_8));
        return (int)checksum.getValue() & Integer.MAX_VALUE;       // Others are of groups without a name.
    }

    /** Sends a message about a group; false if there is no room now. */
    boolean trySend(final int to, final String name, final RosterMessage message)
    {
        final byte[] nameBytes = name.getBytes(UTF_8);
        bytes.putInt(0, nameBytes.length);
        bytes.putBytes(NAME_OFFSET, nameBytes);
        int length = NAME_OFFSET + nameBytes.length;
        final Roster members = message.members();
        bytes.putInt(length, members == null ? TEXT : members.size());
        length += Integer.BYTES;
        if (members == null)
        {
            final byte[] text = message.text().getBytes(UTF_8);
            bytes.putBytes(length, text);
            length += text.length;
        }
        else
        {
            length += members.writeTo(bytes, length);
        }
        final int first = message.kind().number() << INCARNATION_BITS | message.incarnation();
        // The members' epoch is theirs, not the latest one that the sender knows.
        return traffic.send(to, GroupTraffic.ROSTER, MessageHeader.pair(first, message.session()),
            MessageHeader.pair(members == null ? message.epoch() : members.epoch(), message.extra()), bytes, 0,
            length) != SendStatus.BACK_PRESSURED;
    }

    /** Reads the name. */
    static String name(final DirectBuffer buffer, final int offset, final int length)
    {
        final int nameLength = length < NAME_OFFSET + Integer.BYTES ? -1 : buffer.getInt(offset);
        if (nameLength < 1 || nameLength > Groups.NAME_LENGTH_MAX ||
            nameLength > length - NAME_OFFSET - Integer.BYTES)
        {
            throw new GrimException(BAD_DATA, "name of a group of length=" + nameLength + " in bytes=" + length);
        }
        final byte[] name = new byte[nameLength];
        buffer.getBytes(offset + NAME_OFFSET, name);
        return new String(name, UTF_8);
    }

    /** Reads the rest. */
    static RosterMessage read(final ActiveMessage message, final int id, final int nodeCountMax)
    {
        final DirectBuffer buffer = message.buffer();
        final int begin = NAME_OFFSET + buffer.getInt(message.offset()) + Integer.BYTES;
        final int count = buffer.getInt(message.offset() + begin - Integer.BYTES);
        final int restLength = message.length() - begin;
        final RosterMessage.Kind kind = RosterMessage.Kind.of(message.argument(0) >>> INCARNATION_BITS);
        final int epoch = message.argument(2);
        if (kind == null || epoch < 0 || (kind == RosterMessage.Kind.ROSTER) != (count != TEXT) ||
            (count != TEXT && count * (long)Roster.ENTRY_LENGTH != restLength))
        {
            throw new GrimException(BAD_DATA, "message about a group of kind=" +
                (message.argument(0) >>> INCARNATION_BITS) + " epoch=" + epoch + " members=" + count + " bytes=" +
                restLength);
        }
        final Roster members = count == TEXT ? null :
            Roster.readFrom(id, epoch, nodeCountMax, buffer, message.offset() + begin, restLength);
        return new RosterMessage(kind, message.argument(0) & INCARNATION_MASK, message.argument(1), epoch,
            message.argument(3), members, count == TEXT ? text(buffer, message.offset() + begin, restLength) : "");
    }

    private static String text(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] text = new byte[length];
        buffer.getBytes(offset, text);
        return new String(text, UTF_8);
    }
}
