// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code tune}: how fast payloads come into the memory of a board of its own by each mechanism, the plan
 * made from that, and a plot. Main thread. Imports {@code org.grim.myrinet},
 * {@code org.grim.tools.boards, org.grim.bench.process, org.grim.bench.report, org.grim.bench.compare}.
 */
package org.grim.bench.tune;
