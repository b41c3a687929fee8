// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.guard;

/**
 * Which guards hold: all of them, except in tests that plant a bug by taking one away. Immutable.
 */
public final class Guards
{
    /** As it must be. */
    public static final Guards ALL = new Guards(null);

    private final Guard missing;

    private Guards(final Guard missing)
    {
        this.missing = missing;
    }

    /**
     * For tests only: a protocol with one bug.
     *
     * @param guard that is taken away.
     * @return all others.
     */
    public static Guards without(final Guard guard)
    {
        return new Guards(guard);
    }

    /**
     * Whether a guard holds.
     *
     * @param guard asked for.
     * @return true outside tests.
     */
    public boolean has(final Guard guard)
    {
        return guard != missing;
    }
}
