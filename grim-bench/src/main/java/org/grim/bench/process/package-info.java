// SPDX-License-Identifier: Apache-2.0
/**
 * The second JVM of a command, the CPUs that both run on, and the cluster that they use. Main threads, and one daemon
 * thread per pipe. Imports {@code org.grim} and {@code org.grim.buffer} only.
 */
package org.grim.bench.process;
