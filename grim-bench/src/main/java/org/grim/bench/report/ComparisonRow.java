// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

/**
 * One row of a comparison; its components are the JSON. The size is that of the payload in bytes, of poll the count of
 * silent queues. The ratio is the median over rounds of GRIM's figure divided by this one's of the same round; null
 * without GRIM.
 */
public record ComparisonRow(
    String benchmark, String peer, int size, String mode, String unit, double median, double min, double max,
    int rounds, Double ratioToGrim)
{
}
