// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation;

/** A promise was broken: the run ends here. The text up to the first colon names the promise. */
final class ViolationException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    ViolationException(final String promise, final String details)
    {
        super(promise + ": " + details);
    }
}
