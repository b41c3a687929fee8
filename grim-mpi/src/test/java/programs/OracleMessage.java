// SPDX-License-Identifier: Apache-2.0
package programs;

import java.nio.Buffer;

import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** A message of a case: how it is sent, and how it is received. */
final class OracleMessage
{
    final int index;
    final Oracle.Memory from;               // Null elsewhere than at the source.
    final Oracle.Memory to;                 // Null elsewhere than at the target.
    private final Comm comm;
    private final boolean isOfArrays;
    private final int source;
    private final int target;
    private final int tag;
    private final int sent;
    private final int received;
    private final int sendMode;
    private final int receiveMode;
    private final Datatype sentType;
    private final Datatype receivedType;
    private Request send;
    private Request receive;

    OracleMessage(final OracleProgram program, final int index, final Oracle.Type sentType, final Oracle.Type type)
    {
        this.index = index;
        comm = program.comm;
        isOfArrays = program.dialect == 0;
        final int sourceInAll = program.number();
        final int targetInAll = program.number();
        source = program.rankOf(sourceInAll);
        target = program.rankOf(targetInAll);
        tag = program.number();
        sent = program.number();
        received = program.number();
        sendMode = program.number();
        receiveMode = program.number();
        this.sentType = sentType.datatype();
        receivedType = type.datatype();
        from = sourceInAll == program.me ? program.buffer(sentType, sent, 2 * index) : null;
        to = targetInAll == program.me ? program.buffer(type, received, isWild() ? 1 : 2 * index + 1) : null;
    }

    boolean isWild()
    {
        return receiveMode == 3;
    }

    void beginSend()
    {
        if (from == null)
        {
            return;
        }
        if (sendMode == 3 || sendMode == 8)
        {
            send = send == null ? persistentSend() : send;
            ((Prequest)send).start();
        }
        else if (sendMode >= 5)
        {
            sendNow();
        }
        else
        {
            send = isOfArrays ? beginArray() : beginBuffer((Buffer)from.at);
        }
    }

    private Request persistentSend()
    {
        return isOfArrays ?
            sendMode == 3 ? comm.Send_init(from.at, from.offset, sent, sentType, target, tag) :
            comm.Ssend_init(from.at, from.offset, sent, sentType, target, tag) :
            sendMode == 3 ? comm.sendInit((Buffer)from.at, sent, sentType, target, tag) :
            comm.sSendInit((Buffer)from.at, sent, sentType, target, tag);
    }

    private void sendNow()
    {
        switch (isOfArrays ? -sendMode : sendMode)
        {
            case -5 -> comm.Send(from.at, from.offset, sent, sentType, target, tag);
            case -6 -> comm.Ssend(from.at, from.offset, sent, sentType, target, tag);
            case -7 -> comm.Bsend(from.at, from.offset, sent, sentType, target, tag);
            case 5 -> comm.send(from.at, sent, sentType, target, tag);
            case 6 -> comm.sSend(from.at, sent, sentType, target, tag);
            case 7 -> comm.bSend(from.at, sent, sentType, target, tag);
            default -> throw new IllegalStateException("mode " + sendMode);
        }
    }

    private Request beginArray()
    {
        return switch (sendMode)
        {
            case 0 -> comm.Isend(from.at, from.offset, sent, sentType, target, tag);
            case 1 -> comm.Issend(from.at, from.offset, sent, sentType, target, tag);
            case 2 -> comm.Ibsend(from.at, from.offset, sent, sentType, target, tag);
            default -> comm.Irsend(from.at, from.offset, sent, sentType, target, tag);
        };
    }

    private Request beginBuffer(final Buffer buffer)
    {
        return switch (sendMode)
        {
            case 0 -> comm.iSend(buffer, sent, sentType, target, tag);
            case 1 -> comm.isSend(buffer, sent, sentType, target, tag);
            case 2 -> comm.ibSend(buffer, sent, sentType, target, tag);
            default -> comm.irSend(buffer, sent, sentType, target, tag);
        };
    }

    void finishSend()
    {
        if (send != null)
        {
            send.waitFor();
        }
    }

    void beginReceive()
    {
        if (to == null || receiveMode > 4)
        {
            return;
        }
        final int ofSource = receiveMode == 1 || receiveMode == 3 ? MPI.ANY_SOURCE : source;
        final int ofTag = receiveMode == 2 || receiveMode == 3 ? MPI.ANY_TAG : tag;
        if (receiveMode == 4)
        {
            receive = receive != null ? receive :
                isOfArrays ? comm.Recv_init(to.at, to.offset, received, receivedType, source, tag) :
                comm.recvInit((Buffer)to.at, received, receivedType, source, tag);
            ((Prequest)receive).start();
        }
        else
        {
            receive = isOfArrays ? comm.Irecv(to.at, to.offset, received, receivedType, ofSource, ofTag) :
                comm.iRecv((Buffer)to.at, received, receivedType, ofSource, ofTag);
        }
    }

    /** Receives the message if it is for this process; null otherwise. */
    Status finishReceive()
    {
        if (to == null)
        {
            return null;
        }
        int from = source;
        Status found = null;
        final Message message = new Message();
        switch (receiveMode)
        {
            case 5 -> from = (isOfArrays ? comm.Probe(MPI.ANY_SOURCE, tag) : comm.probe(MPI.ANY_SOURCE, tag))
                .getSource();
            case 6 -> message.mProbe(source, tag, comm);
            case 7 -> found = null;
            case 8 ->
            {
                while (found == null)
                {
                    found = isOfArrays ? comm.Iprobe(source, tag) : comm.iProbe(source, tag);
                }
            }
            case 9 ->
            {
                while (found == null)
                {
                    found = message.imProbe(source, tag, comm);
                }
            }
            default ->
            {
                return receive.waitStatus();
            }
        }
        if (receiveMode == 6 || receiveMode == 9)
        {
            return message.mRecv(to.at, received, receivedType);
        }
        return isOfArrays ? comm.Recv(to.at, to.offset, received, receivedType, from, tag) :
            comm.recv(to.at, received, receivedType, from, tag);
    }
}
