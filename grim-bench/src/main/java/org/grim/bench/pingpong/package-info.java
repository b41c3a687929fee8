// SPDX-License-Identifier: Apache-2.0
/**
 * The measurement {@code pingpong}: latency and rate of active messages or remote memory between two JVMs, beside the
 * raw cache-line pass. One measuring thread per JVM. Imports {@code org.grim, org.grim.transport}, and of
 * {@code org.grim.bench} boards, memory, peers, process and report.
 */
package org.grim.bench.pingpong;
