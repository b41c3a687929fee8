// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

/**
 * A message by which nodes agree on the members of a group.
 *
 * @param kind        of the message.
 * @param incarnation of the node that sends it.
 * @param session     the attempt to join that it is about; 0 for none.
 * @param epoch       the highest epoch that the sender knows.
 * @param extra       as the kind says.
 * @param members     of an epoch; null for none.
 * @param text        as the kind says; empty for none.
 */
record RosterMessage(
    Kind kind, int incarnation, int session, int epoch, int extra, Roster members, String text)
{
    /** The kinds of messages. */
    enum Kind
    {
        /**
         * To all nodes: who owns the group? Extra: the time of the question, as a logical clock. In place of the epoch:
         * the time of the first question of this attempt.
         */
        ASK(0),
        /**
         * Answer: create the group if nobody knows it. Extra: the time of the question. In place of the session: how
         * often the sender has become a member.
         */
        GO_ON(1),
        /** A node owns the group. Extra: the node. */
        OWNER(2),
        /** To the owner: this node wants to be a member, or believes that it is one. Text: its {@link Agreement}. */
        JOIN(3),
        /** From the owner: this node cannot be a member. Text: the reason. */
        REFUSED(4),
        /** To the owner: this node does not belong to the group any more. */
        LEAVE(5),
        /** Answer: the sender does not belong to the group, by this attempt to join or an earlier one. */
        GONE(6),
        /** From the owner: the members of an epoch. */
        ROSTER(7),
        /** To the owner: the sender has a roster. Extra: its epoch. */
        ACK(8);

        private static final Kind[] ALL = values();

        private final int number;

        Kind(final int number)
        {
            this.number = number;
        }

        int number()
        {
            return number;
        }

        /** The kind of a number; null if there is none. */
        static Kind of(final int number)
        {
            return number < 0 || number >= ALL.length ? null : ALL[number];
        }
    }
}
