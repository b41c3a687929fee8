// SPDX-License-Identifier: Apache-2.0
package org.grim;

/** Where a node is in its life. */
public enum NodeState
{
    /** The number was never used. */
    FREE(0),
    /** It has its number and opens its transports; nobody can send to it yet. */
    JOINING(1),
    /** It can be sent to. */
    UP(2),
    /** It left or died; its number and name can be taken again, by a new incarnation. */
    GONE(3);

    private final int code;

    NodeState(final int code)
    {
        this.code = code;
    }

    /**
     * Number of the state in shared memory.
     *
     * @return 0 to 15.
     */
    public int code()
    {
        return code;
    }

    /**
     * The state of a number from shared memory.
     *
     * @param code that a peer wrote.
     * @return the state; {@link #GONE} for a number that means nothing.
     */
    public static NodeState ofCode(final int code)
    {
        return switch (code)
        {
            case 0 -> FREE;
            case 1 -> JOINING;
            case 2 -> UP;
            default -> GONE;
        };
    }
}
