// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

/** A promise was broken: the run ends here. The text up to the first colon names the promise. */
public final class ViolationException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * A promise was broken.
     *
     * @param promise in a few words, without a colon.
     * @param details who, where, and what instead.
     */
    public ViolationException(final String promise, final String details)
    {
        super(promise + ": " + details);
    }
}
