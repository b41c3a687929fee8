// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;

import org.grim.mpi.Engine;
import org.grim.mpi.Send;

/**
 * Messages of buffered sends: copies, whose bytes are at most those of the buffer that the program has attached.
 * <p>Thread: any.
 */
final class BufferedSends
{
    /** Short messages need no attached buffer, as in Open MPI. */
    private static final int OWN_LENGTH_MAX = 4096;

    private static final BufferedSends ALL = new BufferedSends();

    private final List<Copy> copies = new ArrayList<>();
    private Object buffer;                  // Of the program; null if there is none.
    private long lengthMax;

    private BufferedSends()
    {
    }

    static BufferedSends all()
    {
        return ALL;
    }

    /** Sets the program's buffer. */
    synchronized void attach(final String name, final Object newBuffer, final long length)
    {
        if (buffer != null || newBuffer == null)
        {
            throw MPI.COMM_WORLD.failure(
                name, MPI.ERR_BUFFER, buffer != null ? "a buffer is attached already" : "the buffer is null");
        }
        buffer = newBuffer;
        lengthMax = length;
    }

    /** Waits for all messages, and returns the program's buffer. */
    synchronized Object detach(final String name)
    {
        if (buffer == null)
        {
            throw MPI.COMM_WORLD.failure(name, MPI.ERR_BUFFER, "no buffer is attached");
        }
        final Engine engine = MPI.COMM_WORLD.open(name).engine();
        copies.forEach(copy -> engine.await(copy.send));
        copies.clear();
        final Object detached = buffer;
        buffer = null;
        return detached;
    }

    /** {@return messages that are not sent yet} */
    synchronized int openCount()
    {
        copies.removeIf(copy -> copy.send.isDone());
        return copies.size();
    }

    /** Begins to send a copy of the elements of a call. */
    synchronized void begin(final Call call, final int dest, final int tag)
    {
        copies.removeIf(copy -> copy.send.isDone());
        final byte[] bytes = call.copy();
        long length = bytes.length;
        for (final Copy copy : copies)
        {
            length += copy.length;
        }
        final long most = buffer == null ? OWN_LENGTH_MAX : lengthMax;
        if (length > most)
        {
            throw call.comm.failure(call.name, MPI.ERR_BUFFER, "messages of length=" + length + " exceed length=" +
                most + (buffer == null ? " that is there without an attached buffer" : " of the attached buffer"));
        }
        final Send send = Call.sendOf(bytes);
        call.comm.engine().begin(send, call.comm.communicator.targets(), dest, tag, Send.Mode.STANDARD);
        if (send.isDone())
        {
            call.comm.fail(call.name, send);        // To one that is gone.
        }
        copies.add(new Copy(send, bytes.length));
    }

    private record Copy(Send send, int length)
    {
    }
}
