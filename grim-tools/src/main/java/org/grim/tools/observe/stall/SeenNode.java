// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.stall;

import org.grim.NodeInfo;

/**
 * A node at one look.
 *
 * @param info    what the directory says.
 * @param isAlive whether a process holds its byte of the liveness file.
 * @param process state of its process.
 */
public record SeenNode(NodeInfo info, boolean isAlive, ProcessState process)
{
    /** {@return its number; from 0} */
    public int number()
    {
        return info.number();
    }

    /** {@return which life of the number; from 1} */
    public int incarnation()
    {
        return info.incarnation();
    }

    /** {@return its name for people; printable} */
    public String name()
    {
        return info.name().isEmpty() ? "(no name)" : info.name();
    }

    /** {@return whether its process lives and cannot do anything; true after a SIGSTOP} */
    public boolean isStopped()
    {
        return isAlive && process == ProcessState.STOPPED;
    }

    /** {@return its process for people; name and process id} */
    public String processText()
    {
        return name() + "'s process " + info.processId();
    }
}
