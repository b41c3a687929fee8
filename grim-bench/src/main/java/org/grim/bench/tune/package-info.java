// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code tune}: a board of its own, how fast payloads come into its memory by each mechanism, the plan made
 * from that, and a plot. Main thread, and one for the firmware. Imports {@code org.grim.myrinet}, the firmware,
 * {@code org.grim.bench.process, org.grim.bench.report, org.grim.bench.compare}.
 */
package org.grim.bench.tune;
