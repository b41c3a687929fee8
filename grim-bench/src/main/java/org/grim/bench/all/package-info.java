// SPDX-License-Identifier: Apache-2.0
/**
 * Runs of measurements: {@code bench shmem}, {@code bench memory}, and {@code bench all} with its sections of short
 * life, each in fresh processes, fork after fork. The first process waits and collects; measuring threads are those of
 * the sections' processes. Imports the public API and all other packages of the measuring half but {@code jmh}.
 */
package org.grim.bench.all;
