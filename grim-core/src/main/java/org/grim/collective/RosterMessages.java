// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.wire.MessageHeader;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Messages by which nodes agree on who belongs to a group.
 * <p>Thread: the host endpoint's owner.
 * <p>Arguments: the kind; a session or the group's id; the epoch; a node. The payload:
 * <pre>
 *  +-------------+------+------------------------------------+
 *  | name length | name | members: node (32), incarnation (32) |
 *  |     32      |      |                                    |
 *  +-------------+------+------------------------------------+
 * </pre>
 */
final class RosterMessages
{
    /** To all nodes: who owns the group? The session tells this question from earlier ones. */
    static final int ASK = 1;
    /** Answer: not I; begin it if nobody does. */
    static final int GO_ON = 2;
    /** Answer: I have asked before you. */
    static final int WAIT = 3;
    /** Answer: the node of the last argument. */
    static final int OWNER = 4;
    /** To the owner: I want to belong to it. */
    static final int JOIN = 5;
    /** To the owner: I do not want to any more. */
    static final int LEAVE = 6;
    /** From the owner: who belongs to it from this epoch on. */
    static final int ROSTER = 7;
    /** From the one who owns it after an owner's death: what is your latest epoch? */
    static final int COLLECT = 8;
    /** Answer: the latest epoch and its members. */
    static final int LATEST = 9;

    private static final int NAME_OFFSET = Integer.BYTES;

    private final MutableDirectBuffer bytes =
        Buffers.wrap(new byte[NAME_OFFSET + Groups.NAME_LENGTH_MAX + Group.SIZE_MAX * Roster.ENTRY_LENGTH]);
    private final GroupTraffic traffic;

    RosterMessages(final GroupTraffic traffic)
    {
        this.traffic = traffic;
    }

    /** Sends one without members; false if there is no room. */
    boolean trySend(final int to, final int kind, final String name, final int session, final int node)
    {
        return trySend(to, MessageHeader.pair(kind, session), MessageHeader.pair(0, node), name, null);
    }

    /** Sends one with members; false if there is no room. */
    boolean trySend(final int to, final int kind, final String name, final Roster roster)
    {
        return trySend(
            to, MessageHeader.pair(kind, roster.id()), MessageHeader.pair(roster.epoch(), 0), name, roster);
    }

    /** Reads the name. */
    static String name(final DirectBuffer buffer, final int offset, final int length)
    {
        final int nameLength = length < NAME_OFFSET ? -1 : buffer.getInt(offset);
        if (nameLength < 1 || nameLength > Groups.NAME_LENGTH_MAX || nameLength > length - NAME_OFFSET)
        {
            throw new IllegalArgumentException("name of a group of length=" + nameLength + " in bytes=" + length);
        }
        final byte[] name = new byte[nameLength];
        buffer.getBytes(offset + NAME_OFFSET, name);
        return new String(name, UTF_8);
    }

    /** Reads the members. */
    static Roster roster(
        final int id, final int epoch, final DirectBuffer buffer, final int offset, final int length)
    {
        final int begin = NAME_OFFSET + buffer.getInt(offset);
        return Roster.readFrom(id, epoch, buffer, offset + begin, length - begin);
    }

    private boolean trySend(
        final int to, final long arguments01, final long arguments23, final String name, final Roster roster)
    {
        final byte[] nameBytes = name.getBytes(UTF_8);
        bytes.putInt(0, nameBytes.length);
        bytes.putBytes(NAME_OFFSET, nameBytes);
        int length = NAME_OFFSET + nameBytes.length;
        length += roster == null ? 0 : roster.writeTo(bytes, length);
        return traffic.send(to, GroupTraffic.ROSTER, arguments01, arguments23, bytes, 0, length) !=
            SendStatus.BACK_PRESSURED;
    }
}
