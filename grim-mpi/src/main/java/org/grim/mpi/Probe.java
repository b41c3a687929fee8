// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/** A wait for a message that stays where it is until it is received. */
public final class Probe extends Operation
{
    /** Makes one that is not in progress. */
    public Probe()
    {
        // Idle.
    }

    @Override
    public String inWords()
    {
        return "probe " + envelopeInWords();
    }

    /** Ends with a message that has come. */
    void found(final Arrival message)
    {
        result(message.source, message.tag, message.length);
        end(Outcome.DONE);
    }
}
