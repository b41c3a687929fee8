// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

/** Is told now and then how far a run is. Thread: the run's. */
@FunctionalInterface
public interface ScaleProgress
{
    /**
     * The run goes on.
     *
     * @param elapsedNs      real time since it began.
     * @param virtualNs      time of its boards.
     * @param deliveredCount messages that were read so far.
     * @param totalCount     of all.
     */
    void at(long elapsedNs, long virtualNs, long deliveredCount, long totalCount);
}
