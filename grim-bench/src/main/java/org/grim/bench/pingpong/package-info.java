// SPDX-License-Identifier: Apache-2.0
/**
 * The measurement {@code pingpong}: latency and rate of active messages between two JVMs, beside the raw cache-line
 * pass. One measuring thread per JVM. Imports {@code org.grim, .transport, .bench.peers, .process, .report}.
 */
package org.grim.bench.pingpong;
