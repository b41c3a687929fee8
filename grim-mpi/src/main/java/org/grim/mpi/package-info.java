// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of MPI for Java: processes of a job, and messages between them.
 * <pre>
 *  Communicator --> Engine (lock, waits) --> Transfers (protocol) --> Matching (posted, unexpected)
 *       |                                       |
 *       +--> Group (schedules)                  +--> Peer (link, what waits for room)
 *  Send, Receive, Probe, Collective are Operations; elements lie as their Layout says
 * </pre>
 * Any thread calls {@link org.grim.mpi.Engine}; everything below it is the thread's that holds the endpoint. Imports
 * the API, {@code org.grim.buffer}, {@code org.grim.group}, {@code org.grim.shared}, {@code org.grim.thread} and {@code
 * org.grim.transport} for its keys.
 */
package org.grim.mpi;
