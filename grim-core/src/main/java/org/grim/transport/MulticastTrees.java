// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

/**
 * The service of a transport that carries multicasts along trees of nodes that forward them: {@link
 * Transport#extension} gives it. A message that arrives along a tree is delivered like an active message of the host
 * that sent it to the tree's root, with the words behind the kind (see {@link org.grim.wire.MulticastFormat}) before
 * the data.
 * <p>Thread: any, one at a time.
 */
public interface MulticastTrees
{
    /**
     * Makes a hop to a tree's root.
     *
     * @param sourceChannel that the messages come from.
     * @param root          number of the node that is the tree's root.
     * @param kind          of the messages, as in {@link org.grim.wire.MulticastFormat}.
     * @return a hop that sends by {@link Hop#trySend}. Its counts say what became of the messages.
     * @throws org.grim.GrimException if the root has gone; the text says so.
     */
    Hop connectTree(int sourceChannel, int root, int kind);
}
