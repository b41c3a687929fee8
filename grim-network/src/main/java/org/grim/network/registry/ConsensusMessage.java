// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

/**
 * Message between hosts about one decision.
 *
 * @param verb     what is said.
 * @param cluster  id of the one that it is said in; empty if in none yet.
 * @param epoch    of the decision.
 * @param ballot   of the attempt; of {@link Verb#REFUSED}, the one that was promised to.
 * @param accepted ballot of the decision that a promise carries.
 * @param decision null where there is none.
 */
public record ConsensusMessage(
    Verb verb, String cluster, long epoch, Ballot ballot, Ballot accepted, Decision decision)
{
    /** Kind of the message. */
    public enum Verb
    {
        /** Asks for a promise to agree to no lower attempt, and for what was agreed to before. */
        PREPARE,
        /** That promise. */
        PROMISE,
        /** Asks to agree to a decision. */
        ACCEPT,
        /** Agrees. */
        ACCEPTED,
        /** Has promised itself to a higher attempt. */
        REFUSED,
        /** Says what was decided. */
        LEARN,
        /** Asks for a snapshot: missed decisions. */
        FETCH
    }

    static ConsensusMessage of(final Verb verb, final String cluster, final long epoch, final Ballot ballot)
    {
        return new ConsensusMessage(verb, cluster, epoch, ballot, Ballot.NONE, null);
    }

    /** Makes a message of the cluster that the decision belongs to. */
    static ConsensusMessage of(final Verb verb, final long epoch, final Ballot ballot, final Decision decision)
    {
        return new ConsensusMessage(verb, decision.cluster(), epoch, ballot, Ballot.NONE, decision);
    }
}
