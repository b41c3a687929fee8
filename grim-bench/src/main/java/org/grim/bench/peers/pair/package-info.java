// SPDX-License-Identifier: Apache-2.0
/**
 * What two processes of a comparison pass messages through: the interface of a peer, its receiver, the file that both
 * map.
 */
package org.grim.bench.peers.pair;
