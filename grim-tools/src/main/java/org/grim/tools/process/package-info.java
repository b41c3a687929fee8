// SPDX-License-Identifier: Apache-2.0
/**
 * The second JVM of a command, the cluster that both use, and what measuring processes need of the system: CPUs to run
 * on, waits with an end, programs of others. Main threads, and one daemon thread per pipe. Imports {@code org.grim}
 * only.
 */
package org.grim.tools.process;
