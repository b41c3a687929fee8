// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ids of clusters. One that was begun is a UUID; one that was restarted without its majority is
 * {@code UUID:EPOCH:UUID-OF-THE-FORMER}, with the latest epoch that was known of the former one.
 * <p>Thread: any; no state.
 */
public final class ClusterId
{
    private static final Pattern RESTARTED = Pattern.compile("([^:]+):([0-9]{1,18}):([^:]+)");

    private ClusterId()
    {
    }

    /** {@return an id for a cluster that begins} */
    public static String begun()
    {
        return UUID.randomUUID().toString();
    }

    /**
     * Makes an id for a cluster that goes on without its majority.
     *
     * @param former id of the cluster before.
     * @param epoch  latest one of it that is known.
     * @return an id that no other cluster has.
     */
    public static String restarted(final String former, final long epoch)
    {
        return begun() + ":" + epoch + ":" + own(former);
    }

    /**
     * Checks whether a cluster goes on where another one ended. It does not if that one decided more than the cluster
     * that goes on knew of it.
     *
     * @param cluster that may go on.
     * @param former  that may have ended.
     * @param epoch   latest one of {@code former} that is known.
     * @return whether a host of the former cluster may follow the other.
     */
    public static boolean isRestartOf(final String cluster, final String former, final long epoch)
    {
        final Matcher matcher = RESTARTED.matcher(cluster);
        return matcher.matches() && matcher.group(3).equals(own(former)) && epoch <= Long.parseLong(matcher.group(2));
    }

    private static String own(final String cluster)
    {
        final int end = cluster.indexOf(':');
        return end < 0 ? cluster : cluster.substring(0, end);
    }
}
