// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

/**
 * A host's durable state of the next decision; it survives the agent's death.
 *
 * @param promised highest attempt that it promised itself to.
 * @param ballot   of the decision that it agreed to.
 * @param decision that it agreed to; null if to none.
 */
public record Pledge(Ballot promised, Ballot ballot, Decision decision)
{
    /** Free to agree to anything. */
    public static final Pledge NONE = new Pledge(Ballot.NONE, Ballot.NONE, null);
}
