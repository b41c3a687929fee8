// SPDX-License-Identifier: Apache-2.0
/**
 * The second JVM of a command, and the cluster that both use. Main threads, and one daemon thread per pipe. Imports
 * {@code org.grim} only.
 */
package org.grim.tools.process;
