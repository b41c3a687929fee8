// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.tuning;

/** Object of the tuner's measurements. Thread: the tuner's. */
public interface InjectionTrial
{
    /**
     * Injects.
     *
     * @param candidate   that does it.
     * @param length      bytes of each payload.
     * @param repetitions how often.
     * @throws org.grim.GrimException if the board does not take it.
     */
    void inject(Candidate candidate, int length, int repetitions);

    /** Rings the doorbell. */
    void ring(int repetitions);
}
