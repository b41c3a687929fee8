// SPDX-License-Identifier: Apache-2.0
/**
 * MPI for Java: the API of mpiJava 1.2 and of Open MPI, on the same classes.
 * <p>Thread: any. May use the engine and groups.
 */
package mpi;
