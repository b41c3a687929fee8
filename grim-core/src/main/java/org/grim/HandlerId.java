// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Names a handler of the cluster: from {@link HandlerRegistry#register}, {@link HandlerRegistry#id} or
 * {@link HandlerRegistry#resolve}, or by the number that a message brought. The same name has the same number on all
 * nodes.
 * <p>Ids with one number are equal. Before the cluster gives it its number, an id of a name equals only itself, and
 * its hash changes with the number: do not use it as the key of a map or in a set before then.
 * <p>Thread: any, once the number is known.
 */
public abstract class HandlerId
{
    /** Least number of a handler: those below belong to GRIM itself. */
    public static final int NUMBER_MIN = 16;
    /** Greatest number of a handler. */
    public static final int NUMBER_MAX = 0xFFFF;

    /** Makes one; GRIM alone does. */
    protected HandlerId()
    {
        // The number is its subclass's.
    }

    /**
     * The handler of a number. Allocates nothing after the first call with the same one.
     *
     * @param number {@value #NUMBER_MIN} to {@value #NUMBER_MAX}.
     * @return the handler's id.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public static HandlerId of(final int number)
    {
        if (number < NUMBER_MIN || number > NUMBER_MAX)
        {
            throw new IllegalArgumentException("handler=" + number + " is outside " + NUMBER_MIN + " to " + NUMBER_MAX);
        }
        final HandlerId known = Numbered.KNOWN.getAcquire(number);
        if (known != null)
        {
            return known;
        }
        final HandlerId made = new Numbered(number);
        Numbered.KNOWN.setRelease(number, made);        // Partner: the acquire above.
        return made;
    }

    /**
     * Returns the number that messages carry.
     *
     * @return {@value #NUMBER_MIN} to {@value #NUMBER_MAX}.
     * @throws IllegalStateException if the cluster has not given the handler its number yet.
     */
    public abstract int number();

    /**
     * Returns whether the cluster has given the handler its number: it can be sent to.
     *
     * @return false between registering and {@link Grim#start()}, and until a node has registered the name.
     */
    public abstract boolean isKnown();

    @Override
    public final boolean equals(final Object other)
    {
        return this == other ||
            (other instanceof final HandlerId id && isKnown() && id.isKnown() && number() == id.number());
    }

    @Override
    public final int hashCode()
    {
        return isKnown() ? number() : 0;
    }

    private static final class Numbered extends HandlerId
    {
        private static final AtomicReferenceArray<HandlerId> KNOWN = new AtomicReferenceArray<>(NUMBER_MAX + 1);

        private final int number;

        private Numbered(final int number)
        {
            this.number = number;
        }

        @Override
        public int number()
        {
            return number;
        }

        @Override
        public boolean isKnown()
        {
            return true;
        }

        @Override
        public String toString()
        {
            return "handler=" + number;
        }
    }
}
