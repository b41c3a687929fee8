// SPDX-License-Identifier: Apache-2.0
package org.grim.network.campaign;

import java.util.HashMap;
import java.util.Map;

import org.grim.death.Faults;

/**
 * What was given out: an incarnation of a node number once, a handler's id to one name.
 * <p>Thread: any.
 */
final class Ledger
{
    private final Faults faults;
    private final Map<String, String> ownerByIncarnation = new HashMap<>();
    private final Map<String, String> handlerByName = new HashMap<>();
    private final Map<String, String> nameByHandler = new HashMap<>();
    private int fencedCount;
    private int refusedCount;

    Ledger(final Faults faults)
    {
        this.faults = faults;
    }

    /** A process has said a line. */
    synchronized void onLine(final NodeProcess process, final String line)
    {
        final String[] words = line.split(" ", -1);
        switch (words[0])
        {
            case "joined" -> onJoined(process.name, words[1] + ":" + words[2], words[3]);
            case "fenced" -> fencedCount++;
            case "refused" -> refusedCount++;
            default -> faults.add(Faults.Kind.CRASHED, 1, process.name + ": " + line);
        }
    }

    @Override
    public synchronized String toString()
    {
        return "incarnations=" + ownerByIncarnation.size() + " fenced=" + fencedCount + " refused=" + refusedCount;
    }

    synchronized int incarnationCount()
    {
        return ownerByIncarnation.size();
    }

    private void onJoined(final String name, final String incarnation, final String handler)
    {
        final String before = ownerByIncarnation.put(incarnation, name);
        if (before != null)
        {
            faults.add(Faults.Kind.PHANTOM, 1, "node:incarnation=" + incarnation + " of " + before +
                " was given to " + name + ", too");
        }
        final String handlerBefore = handlerByName.put(name, handler);
        final String nameBefore = nameByHandler.put(handler, name);
        if ((handlerBefore != null && !handlerBefore.equals(handler)) ||
            (nameBefore != null && !nameBefore.equals(name)))
        {
            faults.add(Faults.Kind.PHANTOM, 1, "handler id=" + handler + " of name=" + name + ": before id=" +
                handlerBefore + " of that name, name=" + nameBefore + " of that id");
        }
    }
}
