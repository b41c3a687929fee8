// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

/**
 * Figures of one payload size.
 *
 * @param size              payload bytes.
 * @param oneWayNs          half of the round trips.
 * @param messagesPerSecond of the stream.
 * @param rawOneWayNs       half of the raw pass's median round trip; null where it was not measured.
 * @param ratioToRaw        median over adjacent rounds; null where the raw pass was not measured.
 * @param shmemOneWayNs     half of the shared-memory transport's median round trip; null where it was not measured.
 * @param ratioToShmem      median over adjacent rounds; null where shared memory was not measured.
 * @param verified          messages whose payload was compared; all were right.
 */
public record PingPongRow(
    int size, OneWayNs oneWayNs, long messagesPerSecond, Double rawOneWayNs, Double ratioToRaw, Double shmemOneWayNs,
    Double ratioToShmem, long verified)
{
    /**
     * Distribution of one-way times in ns.
     *
     * @param min  least.
     * @param p50  median.
     * @param p99  99 % are at most this.
     * @param p999 99.9 % are at most this.
     */
    public record OneWayNs(double min, double p50, double p99, double p999)
    {
    }
}
