// SPDX-License-Identifier: Apache-2.0
package org.grim;

/**
 * What went wrong outside the caller's control while something was set up: the operating system refused, a file is not
 * what it should be, a peer does not answer. The message is one sentence that names the value and the limit.
 */
public final class GrimException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Makes one with a message alone.
     *
     * @param message one sentence, naming value and limit.
     */
    public GrimException(final String message)
    {
        super(message);
    }

    /**
     * Makes one that keeps what caused it.
     *
     * @param message one sentence, naming value and limit.
     * @param cause   what was thrown below.
     */
    public GrimException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
