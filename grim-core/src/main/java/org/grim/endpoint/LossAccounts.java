// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.grim.NodeInfo;

/**
 * Sends of an endpoint, by incarnation of the node that they went to, whose outcome it will never learn. They outlive
 * the links that they came from, until the listener has been called.
 * <p>Thread: the endpoint's owner.
 */
final class LossAccounts
{
    private final List<Account> open = new ArrayList<>();

    void add(final int node, final int incarnation, final long undelivered, final long unknown)
    {
        assert undelivered >= 0 && unknown >= 0 : undelivered + ", " + unknown;
        if (undelivered > 0 || unknown > 0)
        {
            final Account before = take(node, incarnation);
            open.add(new Account(node, incarnation, before.undelivered + undelivered, before.unknown + unknown));
        }
    }

    /** Incarnations of a node with open accounts that are later than one, and earlier than another, in their order. */
    int[] openBetween(final int node, final int after, final int before)
    {
        return open.stream().filter(account -> account.node == node)
            .mapToInt(Account::incarnation).filter(incarnation -> incarnation > after && incarnation < before)
            .sorted().toArray();
    }

    /** Closes the account with an incarnation. Returns it; one without losses if none is open. */
    Account take(final int node, final int incarnation)
    {
        final Account found = takeFirst(account -> account.node == node && account.incarnation == incarnation);
        return found == null ? new Account(node, incarnation, 0, 0) : found;
    }

    /** Closes the first account that is of a kind. Returns it; null if none is open. */
    Account takeFirst(final Predicate<Account> kind)
    {
        for (int i = 0; i < open.size(); i++)
        {
            if (kind.test(open.get(i)))
            {
                return open.remove(i);
            }
        }
        return null;
    }

    /**
     * Losses with one incarnation of a node.
     *
     * @param node        its number.
     * @param incarnation of it.
     * @param undelivered messages to it.
     * @param unknown     of messages to it, those without a known outcome.
     */
    record Account(int node, int incarnation, long undelivered, long unknown)
    {
    }

    /**
     * A death that the listener does not know yet.
     *
     * @param node       as it was.
     * @param account    messages that were lost with it.
     * @param deadlineNs of {@link System#nanoTime()}, when shared queues are waited for no longer.
     */
    record Death(NodeInfo node, Account account, long deadlineNs)
    {
    }
}
