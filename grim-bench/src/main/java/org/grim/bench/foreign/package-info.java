// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that others wrote, where they are installed: {@code ucx_perftest}, and Open MPI with a small ping-pong in C.
 * Found, run as two processes, and their output read. The calling thread waits. Imports {@code org.grim} and
 * {@code org.grim.bench.process} only.
 */
package org.grim.bench.foreign;
