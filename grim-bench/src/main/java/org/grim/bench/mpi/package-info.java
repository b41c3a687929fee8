// SPDX-License-Identifier: Apache-2.0
/**
 * Open MPI, where somebody has installed it: a small ping-pong in C, compiled, run as two processes, and its output
 * read. The calling thread waits. Imports {@code org.grim} and {@code org.grim.bench.process} only.
 */
package org.grim.bench.mpi;
