// SPDX-License-Identifier: Apache-2.0
/**
 * MPI for Java beside other libraries of MPI, in rounds by turns: two processes of each, of which one pair has the turn
 * and the others sleep. The thread that calls starts them and gives the turns; programs of a dialect are the same for
 * all libraries.
 */
package org.grim.bench.mpi;
