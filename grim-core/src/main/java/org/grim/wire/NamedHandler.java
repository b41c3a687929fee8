// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import java.util.Objects;

import org.grim.HandlerId;
import org.grim.text.SafeText;

/**
 * Id of a name, as soon as the cluster has given it a number.
 * <p>Thread: any, once the number is known; the registry assigns.
 */
public final class NamedHandler extends HandlerId
{
    /** Stands for a number that is not known yet. */
    public static final int NONE = 0;

    private final String name;
    private int number = NONE;
    private boolean isAwaited;

    /** An id without a number. */
    public NamedHandler(final String name)
    {
        this.name = name;
    }

    /**
     * The number that a message for a handler carries.
     *
     * @param id of the handler.
     * @return the number; {@link #NONE} if the cluster was asked for it: a later attempt may have it.
     * @throws IllegalStateException if nobody asked the cluster for the number yet.
     */
    public static int toSend(final HandlerId id)
    {
        return id instanceof final NamedHandler named && (named.number != NONE || named.isAwaited) ? named.number :
            Objects.requireNonNull(id, "handler").number();
    }

    /** The cluster gave the handler its number. */
    public void learn(final int newNumber)
    {
        number = newNumber;
    }

    /** The cluster is asked for the number: sends wait for it. */
    public void await()
    {
        isAwaited = true;
    }

    /** {@return true if sends may wait for the number} */
    public boolean isAwaited()
    {
        return isAwaited;
    }

    @Override
    public int number()
    {
        final int known = number;
        if (known == NONE)
        {
            throw new IllegalStateException(
                this + " has no number yet: the node that registers it has to call Grim.start()");
        }
        return known;
    }

    @Override
    public boolean isKnown()
    {
        return number != NONE;
    }

    @Override
    public String toString()
    {
        return "handler " + SafeText.shorten(name);
    }
}
