// SPDX-License-Identifier: Apache-2.0
/**
 * Collective operations of groups beside Open MPI's, in rounds by turns: processes of both, of which one kind sleeps.
 * The thread that calls starts them and gives the turns.
 */
package org.grim.bench.groups;
