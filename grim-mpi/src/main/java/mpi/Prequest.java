// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.function.Supplier;

/** A send or a receive that is begun again and again. */
public final class Prequest extends Request
{
    private final Supplier<Request> start;
    private boolean isFree;

    /** Makes one that is not in progress. */
    Prequest(final Call call, final Supplier<Request> start)
    {
        super(call, null);
        this.start = start;
    }

    private static void beginAll(final String name, final Prequest... requests)
    {
        if (requests == null || Arrays.asList(requests).contains(null))
        {
            throw MPI.COMM_WORLD.failure(
                name, MPI.ERR_REQUEST, (requests == null ? "the array of requests" : "a request") + " is null");
        }
        for (final Prequest request : requests)
        {
            request.begin(name);
        }
    }

    private void begin(final String name)
    {
        if (isFree || isActive())
        {
            throw call.comm.failure(name, MPI.ERR_REQUEST, isFree ? "the request is freed" : "it is in progress");
        }
        begun(start.get().release());
    }

    // mpiJava 1.2

    /** Begins the operation. */
    public void Start()
    {
        begin("Start");
    }

    /** Begins several operations. */
    public static void Startall(final Prequest[] requests)
    {
        beginAll("Startall", requests);
    }

    @Override
    public void Free()
    {
        forget();
        isFree = true;
    }

    // Open MPI

    /** Begins the operation. */
    public void start() throws MPIException
    {
        begin("start");
    }

    /** Begins several operations. */
    public static void startAll(final Prequest[] requests) throws MPIException
    {
        beginAll("startAll", requests);
    }

    @Override
    public void free() throws MPIException
    {
        Free();
    }

    @Override
    public boolean isNull()
    {
        return isFree;
    }
}
