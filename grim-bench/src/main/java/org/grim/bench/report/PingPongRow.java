// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

/**
 * Figures of one payload size.
 *
 * @param size              payload bytes.
 * @param oneWayNs          half of the round trips; for reads, of the reads.
 * @param messagesPerSecond of the stream; writes or reads where no messages were sent.
 * @param rawOneWayNs       half of the raw pass's median round trip; null where it was not measured.
 * @param ratioToRaw        median over adjacent rounds; null where the raw pass was not measured.
 * @param shmemOneWayNs     half of the shared-memory transport's median round trip; null where it was not measured.
 * @param ratioToShmem      median over adjacent rounds; null where shared memory was not measured.
 * @param verified          payloads that were compared; all were right.
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
