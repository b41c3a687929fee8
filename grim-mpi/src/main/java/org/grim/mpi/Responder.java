// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;


/**
 * Answers requests of members while any thread of this process polls: messages of tag 0, in each member's order.
 * <p>Thread: the engine's owner, which calls the handler, too.
 */
public final class Responder
{

    private final Members members;
    private final Handler handler;
    private final Receive[] receives;           // By rank; null after its member is gone.
    private Transfers transfers;

    /**
     * Answers nothing yet.
     *
     * @param members of whom.
     * @param handler of requests.
     */
    public Responder(final Members members, final Handler handler)
    {
        this.members = members;
        this.handler = handler;
        receives = new Receive[members.size()];
    }

    /**
     * Sends an answer, unless the members were revoked; within the handler only.
     *
     * @param target rank of the member.
     * @param tag    that it waits for.
     * @param answer bytes.
     */
    public void answer(final int target, final int tag, final byte[] answer)
    {
        if (!members.isRevoked())
        {
            final Send send = new Send();
            send.bytes(answer);
            send.to(members, target, tag, Send.Mode.STANDARD);
            transfers.begin(send);
        }
    }

    void begin(final Transfers newTransfers)
    {
        transfers = newTransfers;
        for (int rank = 0; rank < receives.length; rank++)
        {
            receives[rank] = new Receive();
            next(rank);
        }
    }

    void end()
    {
        for (final Receive receive : receives)
        {
            if (receive != null)
            {
                transfers.tryCancel(receive);
            }
        }
    }

    void step()
    {
        for (int rank = 0; rank < receives.length; rank++)
        {
            while (receives[rank] != null && receives[rank].isDone())
            {
                if (receives[rank].outcome() == Operation.Outcome.DONE)
                {
                    final byte[] request = receives[rank].bytes();
                    next(rank);
                    handler.onRequest(rank, request);
                }
                else
                {
                    receives[rank] = null;
                    handler.onGone(rank);
                }
            }
        }
    }

    private void next(final int rank)
    {
        receives[rank].anyLength();
        receives[rank].from(members, rank, 0);
        transfers.begin(receives[rank]);
    }

    /** Acts on requests; may answer, and neither waits nor polls. */
    public interface Handler
    {
        /**
         * Acts on a request.
         *
         * @param source  rank of the member.
         * @param request its bytes.
         */
        void onRequest(int source, byte[] request);

        /**
         * Forgets a member that sends no more.
         *
         * @param source its rank.
         */
        void onGone(int source);
    }
}
