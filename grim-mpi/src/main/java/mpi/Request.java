// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.grim.mpi.Operation;
import org.grim.mpi.Receive;
import org.grim.shared.Awaited;
import org.grim.shared.Sleeper;
import org.grim.shared.SpinTime;

/** An operation that goes on while the program does. It is null after its end was seen. */
public class Request implements Freeable
{
    /** The operation of a message to or from nobody. */
    static final Operation NOTHING = new Receive();

    /** Operations whose end was not seen yet. */
    private static final AtomicInteger OPEN_COUNT = new AtomicInteger();

    final Call call;
    private Operation operation;            // Null if there is none.

    /** Makes the request of an operation that has begun, or a null one. */
    Request(final Call call, final Operation operation)
    {
        this.call = call;
        begun(operation);
    }

    /** {@return operations of this process whose end was not seen} */
    static int openCount()
    {
        return OPEN_COUNT.get();
    }

    final void begun(final Operation newOperation)
    {
        operation = newOperation;
        OPEN_COUNT.addAndGet(newOperation == null ? 0 : 1);
    }

    final boolean isActive()
    {
        return operation != null;
    }

    /** {@return whether a wait would end at once} */
    private boolean hasEnded()
    {
        return operation == null || call.comm.engine().test(operation);
    }

    /** Waits for the end and returns the result; errors are those of the call of a name. */
    private Status finish(final String name)
    {
        if (operation == null)
        {
            return new Status();
        }
        final Operation ended = operation;
        call.comm.engine().await(ended);
        forget();
        call.comm.fail(name, ended);
        return call.status(ended);
    }

    /** Returns the result of one among several; its error if it has failed, or goes on. */
    private Status finishAmongOthers()
    {
        final Operation ended = operation;
        if (ended == null)
        {
            return new Status();
        }
        if (!ended.isDone())
        {
            return Status.of(MPI.ERR_PENDING, "the request goes on");
        }
        forget();
        final int error = Comm.errorClass(ended.outcome());
        if (error != MPI.SUCCESS)
        {
            return Status.of(error, call.comm.reason(ended));
        }
        try
        {
            return call.status(ended);
        }
        catch (final MPIException ex)
        {
            return Status.of(ex.getErrorClass(), ex.getMessage());
        }
    }

    /** Throws if some have failed. */
    private static Status[] checked(final String name, final Request[] requests, final Status... statuses)
    {
        Status first = null;
        int failedCount = 0;
        for (final Status status : statuses)
        {
            if (status.reason() != null && status.getError() != MPI.ERR_PENDING)
            {
                first = first == null ? status : first;
                failedCount++;
            }
        }
        if (first != null)
        {
            throw requests[first.index].call.comm.failure(name, MPI.ERR_IN_STATUS, "requests=" + failedCount + " of " +
                statuses.length + " have failed; the first one, of index=" + first.index + ": " + first.reason(),
                statuses);
        }
        return statuses;
    }

    private static Request[] required(final String name, final Request... requests)
    {
        if (requests == null)
        {
            throw MPI.COMM_WORLD.failure(name, MPI.ERR_REQUEST, "the array of requests is null");
        }
        return requests;
    }

    /** Ends a request that is not needed; the operation goes on. */
    final void forget()
    {
        if (operation != null)
        {
            operation = null;
            OPEN_COUNT.decrementAndGet();
        }
    }

    /** Passes the operation to another request. */
    final Operation release()
    {
        final Operation released = operation;
        forget();
        return released;
    }

    private void cancel(final String name)
    {
        if (operation == null)
        {
            throw MPI.COMM_WORLD.failure(name, MPI.ERR_REQUEST, "there is no operation");
        }
        call.comm.engine().tryCancel(operation);
    }

    /** Returns the place of one that has ended, after a wait if that is asked for; UNDEFINED if there is none. */
    private static int any(final Request[] requests, final boolean isWaiting)
    {
        Operation first = null;
        Request owner = null;
        for (int i = 0; i < requests.length; i++)
        {
            if (requests[i] != null && requests[i].operation != null)
            {
                if (requests[i].operation.isDone())
                {
                    return i;
                }
                first = requests[i].operation;
                owner = requests[i];
            }
        }
        if (first == null)
        {
            return MPI.UNDEFINED;
        }
        final Several all = Several.of(false, requests);
        if (isWaiting)
        {
            owner.call.comm.engine().await(all);
        }
        return isWaiting || owner.call.comm.engine().test(all) ? any(requests, false) : MPI.UNDEFINED;
    }

    private static boolean hasActive(final Request[] requests)
    {
        for (final Request request : requests)
        {
            if (request != null && request.operation != null)
            {
                return true;
            }
        }
        return false;
    }

    private static Status anyStatus(final String name, final Request[] requests, final boolean isWaiting)
    {
        final int index = any(required(name, requests), isWaiting);
        if (index != MPI.UNDEFINED)
        {
            return requests[index].finish(name).at(index);
        }
        return isWaiting || !hasActive(requests) ? new Status().at(MPI.UNDEFINED) : null;
    }

    /** Null if none is active; otherwise those that have ended. */
    private static Status[] some(final String name, final Request[] requests, final boolean isWaiting)
    {
        if (!hasActive(required(name, requests)))
        {
            return null;
        }
        final List<Status> ended = new ArrayList<>();
        if (any(requests, isWaiting) != MPI.UNDEFINED)
        {
            for (int i = 0; i < requests.length; i++)
            {
                if (requests[i] != null && requests[i].operation != null && requests[i].operation.isDone())
                {
                    ended.add(requests[i].finishAmongOthers().at(i));
                }
            }
        }
        return checked(name, requests, ended.toArray(Status[]::new));
    }

    private static int[] places(final Status... statuses)
    {
        if (statuses == null)
        {
            return null;
        }
        final int[] places = new int[statuses.length];
        for (int i = 0; i < places.length; i++)
        {
            places[i] = statuses[i].index;
        }
        return places;
    }

    /** Waits for all, or until a process is gone that one needs: then others may go on. Throws if some have failed. */
    private static Status[] all(final String name, final Request... requests)
    {
        for (final Request request : required(name, requests))
        {
            if (request != null && request.operation != null && !request.operation.isDone())
            {
                request.call.comm.engine().await(Several.of(true, requests));
                break;
            }
        }
        final Status[] statuses = new Status[requests.length];
        for (int i = 0; i < statuses.length; i++)
        {
            statuses[i] = (requests[i] == null ? new Status() : requests[i].finishAmongOthers()).at(i);
        }
        return checked(name, requests, statuses);
    }

    /** Tests whether a wait for all would end at once. */
    private static boolean haveAllEnded(final String name, final Request... requests)
    {
        boolean haveEnded = true;
        for (final Request request : required(name, requests))
        {
            haveEnded &= request == null || request.hasEnded();
        }
        return haveEnded || Several.of(true, requests).readyOperations() != 0;
    }

    // mpiJava 1.2

    /** Waits for the end. */
    public Status Wait()
    {
        return finish("Wait");
    }

    /** Tests for the end; returns null before it. */
    public Status Test()
    {
        return hasEnded() ? finish("Test") : null;
    }

    /** Waits for the end of one of several; its place is in the status. */
    public static Status Waitany(final Request[] requests)
    {
        return anyStatus("Waitany", requests, true);
    }

    /** Tests for the end of one of several; returns null before it. */
    public static Status Testany(final Request[] requests)
    {
        return anyStatus("Testany", requests, false);
    }

    /** Waits for the end of all. */
    public static Status[] Waitall(final Request[] requests)
    {
        return all("Waitall", requests);
    }

    /** Tests for the end of all; returns null before it. */
    public static Status[] Testall(final Request[] requests)
    {
        return haveAllEnded("Testall", requests) ? all("Testall", requests) : null;
    }

    /** Waits for the end of at least one; returns those that have ended, null if there is none to wait for. */
    public static Status[] Waitsome(final Request[] requests)
    {
        return some("Waitsome", requests, true);
    }

    /** Tests for ends; returns those that have ended. */
    public static Status[] Testsome(final Request[] requests)
    {
        final Status[] ended = some("Testsome", requests, false);
        return ended == null ? new Status[0] : ended;
    }

    /** Tests whether there is nothing to wait for. */
    public boolean Is_null()
    {
        return isNull();
    }

    /** Takes the operation back if nothing has happened yet; a wait must follow. */
    public void Cancel()
    {
        cancel("Cancel");
    }

    /** Frees the request; the operation goes on. */
    public void Free()
    {
        forget();
    }

    // Open MPI

    /** Takes the operation back if nothing has happened yet; a wait must follow. */
    public final void cancel() throws MPIException
    {
        cancel("cancel");
    }

    @Override
    public void free() throws MPIException
    {
        forget();
    }

    /** Tests whether there is nothing to wait for. */
    public boolean isNull()
    {
        return operation == null;
    }

    /** Waits for the end. */
    public final Status waitStatus() throws MPIException
    {
        return finish("waitStatus");
    }

    /** Waits for the end. */
    public final void waitFor() throws MPIException
    {
        finish("waitFor");
    }

    /** Tests for the end; returns null before it. */
    public final Status testStatus() throws MPIException
    {
        return hasEnded() ? finish("testStatus") : null;
    }

    /** Tests for the end, and leaves the request as it is; returns null before it. */
    public final Status getStatus() throws MPIException
    {
        return !hasEnded() ? null : operation == null ? new Status() : call.status(operation);
    }

    /** Tests for the end. */
    public final boolean test() throws MPIException
    {
        final boolean hasEnded = hasEnded();
        if (hasEnded)
        {
            finish("test");
        }
        return hasEnded;
    }

    /** Waits for the end of one of several; its place is in the status. */
    public static Status waitAnyStatus(final Request[] requests) throws MPIException
    {
        return anyStatus("waitAnyStatus", requests, true);
    }

    /** Waits for the end of one of several; returns its place, {@code MPI.UNDEFINED} if all are null. */
    public static int waitAny(final Request[] requests) throws MPIException
    {
        return anyStatus("waitAny", requests, true).index;
    }

    /** Tests for the end of one of several; returns null before it. */
    public static Status testAnyStatus(final Request[] requests) throws MPIException
    {
        return anyStatus("testAnyStatus", requests, false);
    }

    /** Tests for the end of one of several; returns its place, {@code MPI.UNDEFINED} before it. */
    public static int testAny(final Request[] requests) throws MPIException
    {
        final Status status = anyStatus("testAny", requests, false);
        return status == null ? MPI.UNDEFINED : status.index;
    }

    /** Waits for the end of all. */
    public static Status[] waitAllStatus(final Request[] requests) throws MPIException
    {
        return all("waitAllStatus", requests);
    }

    /** Waits for the end of all. */
    public static void waitAll(final Request[] requests) throws MPIException
    {
        all("waitAll", requests);
    }

    /** Tests for the end of all; returns null before it. */
    public static Status[] testAllStatus(final Request[] requests) throws MPIException
    {
        return haveAllEnded("testAllStatus", requests) ? all("testAllStatus", requests) : null;
    }

    /** Tests for the end of all. */
    public static boolean testAll(final Request[] requests) throws MPIException
    {
        final boolean haveEnded = haveAllEnded("testAll", requests);
        if (haveEnded)
        {
            all("testAll", requests);
        }
        return haveEnded;
    }

    /** Waits for the end of at least one; returns those that have ended, null if there is none to wait for. */
    public static Status[] waitSomeStatus(final Request[] requests) throws MPIException
    {
        return some("waitSomeStatus", requests, true);
    }

    /** Waits for the end of at least one; returns places, null if there is none to wait for. */
    public static int[] waitSome(final Request[] requests) throws MPIException
    {
        return places(some("waitSome", requests, true));
    }

    /** Tests for ends; returns those that have ended, null if there is none to wait for. */
    public static Status[] testSomeStatus(final Request[] requests) throws MPIException
    {
        return some("testSomeStatus", requests, false);
    }

    /** Tests for ends; returns places, null if there is none to wait for. */
    public static int[] testSome(final Request[] requests) throws MPIException
    {
        return places(some("testSome", requests, false));
    }

    /** Several operations: until one has ended; or until all have, or a process is gone that one needs. */
    static final class Several implements Awaited
    {
        private static final int READY = 1;
        private static final int FAILURE_INTERVAL = 256;        // Looks at the next one between those at all.

        private final SpinTime spinTime = new SpinTime();
        private final List<Operation> operations;
        private final boolean isUntilAll;
        private int endedCount;                 // At the list's begin.
        private int lookCount;
        private boolean isAsleep;               // A failure may be what wakes the thread.
        private boolean isFailureFound;         // The next look finds it at once.

        Several(final boolean isUntilAll, final List<Operation> operations)
        {
            this.isUntilAll = isUntilAll;
            this.operations = operations;
        }

        static Several of(final boolean isUntilAll, final Request... requests)
        {
            return new Several(isUntilAll, Stream.of(requests)
                .filter(request -> request != null && request.operation != null).map(each -> each.operation).toList());
        }

        @Override
        public int readyOperations()
        {
            if (isUntilAll)
            {
                return areReady() ? READY : 0;
            }
            int ready = 0;
            for (final Operation operation : operations)
            {
                ready |= operation.readyOperations();
            }
            return ready;
        }

        @Override
        public String inWords()
        {
            final long count = operations.stream().filter(operation -> !operation.isDone()).count();
            final Operation first = firstOpen();
            return first == null ? "" : (isUntilAll ? "all of " : "any of ") + count + " operations, the first: " +
                first.inWords();
        }

        @Override
        public int awaitedPeer()
        {
            final Operation first = firstOpen();
            return first == null || (!isUntilAll && operations.size() > 1) ? -1 : first.awaitedPeer();
        }

        /** An operation that has not ended; null if all have. */
        private Operation firstOpen()
        {
            return operations.stream().filter(operation -> !operation.isDone()).findFirst().orElse(null);
        }

        private boolean areReady()
        {
            while (endedCount < operations.size() && operations.get(endedCount).isDone())
            {
                endedCount++;
            }
            if (!isFailureFound && (isAsleep || lookCount++ % FAILURE_INTERVAL == 0))
            {
                isFailureFound = hasFailed();
            }
            return isFailureFound || endedCount == operations.size();
        }

        /** One that has failed thus may be why others never end. */
        private boolean hasFailed()
        {
            return operations.stream().anyMatch(operation -> operation.isDone() &&
                (operation.outcome() == Operation.Outcome.PEER_FAILED ||
                operation.outcome() == Operation.Outcome.REVOKED));
        }

        @Override
        public boolean isOpen()
        {
            return true;
        }

        @Override
        public SpinTime spinTime()
        {
            return spinTime;
        }

        @Override
        public void waiting(final int awaited, final Sleeper sleeper)
        {
            isAsleep = sleeper != null;
            operations.forEach(operation -> operation.waiting(awaited, sleeper));
        }
    }
}
