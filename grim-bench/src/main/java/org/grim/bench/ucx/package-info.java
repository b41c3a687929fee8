// SPDX-License-Identifier: Apache-2.0
/**
 * The program {@code ucx_perftest}, where somebody has installed it: found, run as two processes, and its output read.
 * The calling thread waits. Imports {@code org.grim} and {@code org.grim.bench.process} only.
 */
package org.grim.bench.ucx;
