// SPDX-License-Identifier: Apache-2.0
/** Programs of MPI. They know nothing of GRIM. */
package org.grim.example.mpi;
