// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

/** Learns now and then how far a campaign is. Thread: the one that runs the campaign. */
@FunctionalInterface
public interface CampaignProgress
{
    /**
     * Some time has passed.
     *
     * @param elapsedNs      since the start.
     * @param seedCount      seeds done.
     * @param deliveredCount messages delivered by them.
     * @param failureCount   seeds that failed.
     */
    void at(long elapsedNs, long seedCount, long deliveredCount, long failureCount);
}
