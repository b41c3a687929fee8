// SPDX-License-Identifier: Apache-2.0
/**
 * Membership of the cluster: the directory of nodes, their liveness, and the database of handlers. Joining and leaving
 * take a file lock; all else is one load or one probe. Imports
 * {@code org.grim.buffer, org.grim.text, org.grim.transport}.
 */
package org.grim.cluster;
