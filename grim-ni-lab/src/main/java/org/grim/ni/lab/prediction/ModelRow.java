// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.prediction;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Figures of one size; its components are the JSON.
 *
 * @param host         {@code p3-550} or {@code p4-1700}.
 * @param ni           {@code lanai4} or {@code lanai9}.
 * @param mode         {@code AM}, {@code RM-V}, {@code RM-P} or {@code sockets}.
 * @param notification {@code pointer} or {@code tail-flag}; of a remote-memory write with its notification word or
 *     without.
 * @param size         payload bytes.
 * @param latencyUs    half of a round trip.
 * @param bandwidthMBs payload by half of a round trip, 10^6 bytes per second.
 */
@JsonPropertyOrder({"host", "ni", "mode", "notification", "size", "latencyUs", "bandwidthMBs"})
public record ModelRow(
    String host, String ni, String mode, String notification, int size, double latencyUs, double bandwidthMBs)
{
}
