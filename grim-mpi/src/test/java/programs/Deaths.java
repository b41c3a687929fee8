// SPDX-License-Identifier: Apache-2.0
package programs;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import mpi.Comm;
import mpi.Datatype;
import mpi.File;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.Win;

/**
 * A job that loses one process after the other, each by SIGKILL within a call of a kind: another process sends it. The
 * others say when their calls have ended, and how; then they go on in a communicator without it. Arguments: seed, and
 * kinds. Clocks of the processes of a host are the same.
 */
public final class Deaths
{
    private static final int SMALL = 8;
    private static final int LARGE = 50_000;            // Above the length of messages that are sent at once.
    private static final int TAG = 1;
    private static final int SILENT_TAG = 2;            // No message has it.
    private static final int DELAY_US_MAX = 30_000;
    private static final int EXIT_CODE_HUNG = 9;
    private static final PrintStream OUTPUT =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final Map<String, Kind> kinds = new LinkedHashMap<>();
    private final int[] small = new int[SMALL];
    private final int[] large = new int[LARGE];
    private final IntBuffer direct = MPI.newIntBuffer(LARGE);
    private final IntBuffer other = MPI.newIntBuffer(LARGE);
    private Intracomm comm;
    private int rank;
    private int size;
    private int victim;
    private int root;
    private Win win;
    private File file;
    private Intracomm made;                             // Used by the calls of the kind, in place of comm.
    private Intercomm inter;
    private Prequest persistent;
    private volatile boolean isKilled;
    private volatile String doing = "start";
    private volatile long sinceNs = System.nanoTime();

    private Deaths()
    {
        sends();
        receives();
        waits();
        collectives();
        begunCollectives();
        windows();
        communicators();
        files();
    }

    public static void main(final String[] args) throws Exception
    {
        final Deaths deaths = new Deaths();
        deaths.watch();
        MPI.Init(args);
        MPI.attachBuffer(new byte[1 << 20]);
        deaths.comm = MPI.COMM_WORLD;
        deaths.comm.setErrhandler(MPI.ERRORS_RETURN);
        final Random random = new Random(Long.parseLong(args[0]));
        for (int round = 1; round < args.length; round++)
        {
            deaths.round(round, args[round], random);
        }
        if (!args[args.length - 1].equals("finalize"))
        {
            MPI.Finalize();
        }
    }

    /** {@return all kinds of calls} */
    public static List<String> kinds()
    {
        final List<String> all = new ArrayList<>(new Deaths().kinds.keySet());
        all.add("finalize");
        return all;
    }

    private void round(final int round, final String name, final Random random) throws Exception
    {
        rank = comm.getRank();
        size = comm.getSize();
        final int[] pids = new int[size];
        comm.allGather(new int[] {(int)ProcessHandle.current().pid()}, 1, MPI.INT, pids, 1, MPI.INT);
        victim = random.nextInt(size);
        final int killer = (victim + 1 + random.nextInt(size - 1)) % size;
        root = random.nextInt(size);
        final int delayUs = random.nextInt(DELAY_US_MAX);
        begin(name);
        isKilled = false;
        made = null;
        final Kind kind = kinds.get(name);
        if (kind != null)
        {
            kind.before.run();
        }
        // Also while others are in it: the killer may be faster.
        final int entered = errorClass(() -> comm.barrier());
        if (kind == null)
        {
            end(round, killer, pids, delayUs);
            return;
        }
        final Thread thread = new Thread(() -> kill(round, pids[victim], delayUs));
        if (rank == killer)
        {
            thread.start();
        }
        final int error = rank == victim ? die(kind) : entered != MPI.SUCCESS && !kind.isOnce ? entered : survive(kind);
        say("ENDED " + round + " " + name + " " + comm.getRank() + " " + error + " " + System.nanoTime());
        kind.revocation.run();
        thread.join();
        shrink(round);
    }

    private void revoke()
    {
        (made == null ? comm : made).revoke();
    }

    /** Calls of the victim, until it is killed. */
    private int die(final Kind kind) throws InterruptedException
    {
        try
        {
            while (rank == victim)
            {
                kind.victim.run();
            }
        }
        catch (final MPIException ex)
        {
            say("WRONG victim: " + ex.getMessage());
        }
        Thread.sleep(Long.MAX_VALUE);
        return MPI.SUCCESS;
    }

    /** Calls of a survivor, until one ends otherwise; or the only one. */
    private static int survive(final Kind kind)
    {
        int error = MPI.SUCCESS;
        do
        {
            error = errorClass(kind.survivor);
        }
        while (error == MPI.SUCCESS && !kind.isOnce);
        return error;
    }

    private void shrink(final int round) throws InterruptedException
    {
        begin("shrink after " + doing);
        Intracomm shrunk = comm.shrink();
        while (shrunk.getSize() >= size)
        {
            Thread.sleep(1);                            // One did not know yet.
            shrunk = comm.shrink();
        }
        say("SHRUNK " + round + " " + System.nanoTime());
        Check.same(size - 1, shrunk.getSize());
        shrunk.setErrhandler(MPI.ERRORS_RETURN);
        final int[] sum = {1};
        shrunk.allReduce(sum, 1, MPI.INT, MPI.SUM);
        Check.same(size - 1, sum[0]);
        final int own = shrunk.getRank();
        final int[] token = {own};
        shrunk.sendRecvReplace(token, 1, MPI.INT, (own + 1) % (size - 1), 0, (own + size - 2) % (size - 1), 0);
        Check.same((own + size - 2) % (size - 1), token[0]);
        comm = shrunk;
    }

    /** The victim waits in Finalize for the killer, which comes late. */
    private void end(final int round, final int killer, final int[] pids, final int delayUs)
    {
        if (rank == killer)
        {
            kill(round, pids[victim], delayUs + DELAY_US_MAX);
        }
        final int own = rank;
        MPI.Finalize();
        say("ENDED " + round + " finalize " + own + " 0 " + System.nanoTime());
    }

    private void kill(final int round, final int pid, final int delayUs)
    {
        try
        {
            TimeUnit.MICROSECONDS.sleep(delayUs);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
        final ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        final long killedNs = System.nanoTime();
        process.destroyForcibly();
        isKilled = true;
        say("KILLED " + round + " " + killedNs);
    }

    private void begin(final String what)
    {
        doing = what;
        sinceNs = System.nanoTime();
    }

    /** A process that hangs says where, and ends. */
    private void watch()
    {
        final Thread caller = Thread.currentThread();
        final Thread watcher = new Thread(() ->
        {
            while (System.nanoTime() - sinceNs < PATIENCE_NS)
            {
                try
                {
                    Thread.sleep(100);
                }
                catch (final InterruptedException ex)
                {
                    throw new IllegalStateException(ex);
                }
            }
            say("HUNG " + doing + " rank=" + rank + " victim=" + victim + " root=" + root + " of=" + size + " " +
                Arrays.toString(caller.getStackTrace()));
            Runtime.getRuntime().halt(EXIT_CODE_HUNG);
        });
        watcher.setDaemon(true);
        watcher.start();
    }

    private static synchronized void say(final String line)
    {
        OUTPUT.println(line);
    }

    private static int errorClass(final Runnable call)
    {
        try
        {
            call.run();
            return MPI.SUCCESS;
        }
        catch (final MPIException ex)
        {
            return ex.getErrorClass();
        }
    }

    // Kinds: the victim receives what survivors send

    private void sends()
    {
        send("Send", () -> comm.Send(large, 0, LARGE, MPI.INT, victim, TAG));
        send("Send-short", () -> comm.Send(small, 0, SMALL, MPI.INT, victim, TAG));
        send("Ssend", () -> comm.Ssend(small, 0, SMALL, MPI.INT, victim, TAG));
        send("Rsend", () -> comm.Rsend(large, 0, LARGE, MPI.INT, victim, TAG));
        send("bSend", () ->
        {
            try
            {
                comm.bSend(small, SMALL, MPI.INT, victim, TAG);
            }
            catch (final MPIException ex)
            {
                if (ex.getErrorClass() != MPI.ERR_BUFFER)
                {
                    throw ex;
                }
                Thread.onSpinWait();                         // The attached buffer is full.
            }
        });
        send("iSend", () -> comm.iSend(direct, LARGE, MPI.INT, victim, TAG).waitFor());
        send("isSend", () -> comm.isSend(direct, SMALL, MPI.INT, victim, TAG).waitFor());
        send("irSend", () -> comm.irSend(direct, LARGE, MPI.INT, victim, TAG).waitFor());
        send("Ibsend", () ->
        {
            comm.Ibsend(small, 0, SMALL, MPI.INT, victim, TAG).Wait();
            comm.Ssend(small, 0, SMALL, MPI.INT, victim, TAG);
        });
        add("sendInit", new Kind(this::receiveOfEach, () ->
        {
            persistent.start();
            persistent.waitFor();
        }).after(() -> persistent = comm.sendInit(direct, LARGE, MPI.INT, victim, TAG)));
        add("sendRecv", new Kind(this::exchangeWithEach, () ->
            comm.sendRecv(large, LARGE, MPI.INT, victim, TAG, direct, LARGE, MPI.INT, victim, TAG)));
        add("sendRecvReplace", new Kind(this::exchangeWithEach, () ->
            comm.sendRecvReplace(large, LARGE, MPI.INT, victim, TAG, victim, TAG)));
    }

    private void send(final String name, final Runnable call)
    {
        add(name, new Kind(this::receiveOfEach, call));
    }

    private void receiveOfEach()
    {
        survivors().forEach(survivor -> comm.recv(large, LARGE, MPI.INT, survivor, TAG));
    }

    private void sendToEach()
    {
        survivors().forEach(survivor -> comm.send(large, LARGE, MPI.INT, survivor, TAG));
    }

    private void exchangeWithEach()
    {
        survivors().forEach(survivor -> comm.sendRecvReplace(large, LARGE, MPI.INT, survivor, TAG, survivor, TAG));
    }

    private IntStream survivors()
    {
        return IntStream.range(0, size).filter(each -> each != victim);
    }

    // Kinds: the victim sends what survivors receive

    private void receives()
    {
        receive("Recv", () -> comm.Recv(large, 0, LARGE, MPI.INT, victim, TAG));
        receive("iRecv", () -> comm.iRecv(direct, LARGE, MPI.INT, victim, TAG).waitFor());
        receive("recv-any", () -> comm.recv(large, LARGE, MPI.INT, MPI.ANY_SOURCE, TAG));
        receive("probe", () ->
        {
            comm.probe(victim, TAG);
            comm.recv(large, LARGE, MPI.INT, victim, TAG);
        });
        receive("iProbe", () ->
        {
            if (comm.iProbe(victim, TAG) != null)
            {
                comm.recv(large, LARGE, MPI.INT, victim, TAG);
            }
        });
        receive("mProbe", () ->
        {
            final Message message = new Message();
            message.mProbe(victim, TAG, comm);
            message.mRecv(large, LARGE, MPI.INT);
        });
        receive("imProbe", () ->
        {
            final Message message = new Message();
            if (message.imProbe(victim, TAG, comm) != null)
            {
                message.imRecv(direct, LARGE, MPI.INT).waitFor();
            }
        });
        add("recvInit", new Kind(this::sendToEach, () ->
        {
            Prequest.startAll(new Prequest[] {persistent});
            persistent.waitFor();
        }).after(() -> persistent = comm.recvInit(direct, LARGE, MPI.INT, victim, TAG)));
    }

    private void receive(final String name, final Runnable call)
    {
        add(name, new Kind(this::sendToEach, call));
    }

    // Kinds: the victim waits for what nobody sends; survivors for it, and for another one that sends nothing

    private void waits()
    {
        waitFor("waitAny", requests -> Request.waitAny(requests));
        waitFor("Waitsome", requests -> Request.Waitsome(requests));
        waitFor("waitAll", Deaths::waitAll);
        waitFor("testAny", requests ->
        {
            while (Request.testAny(requests) == MPI.UNDEFINED)
            {
                Thread.onSpinWait();
            }
        });
        waitFor("testAll", requests ->
        {
            while (!Request.testAll(requests))
            {
                Thread.onSpinWait();
            }
        });
        waitFor("testSome", requests ->
        {
            while (Request.testSome(requests).length == 0)
            {
                Thread.onSpinWait();
            }
        });
        add("revoke", new Kind(this::waitForAny, () ->
        {
            final int first = victim == 0 ? 1 : 0;
            comm.recv(small, SMALL, MPI.INT, rank == first ? victim : first, SILENT_TAG);
        }).revoked(this::revoke));
    }

    private static void waitAll(final Request... requests)
    {
        try
        {
            Request.waitAll(requests);
        }
        catch (final MPIException ex)
        {
            final Status[] statuses = ex.getStatuses();
            Check.same(MPI.ERR_PROC_FAILED, statuses[0].getError());
            Check.same(MPI.ERR_PENDING, statuses[1].getError());
            throw ex;
        }
    }

    private void waitFor(final String name, final Waiter waiter)
    {
        add(name, new Kind(this::waitForAny, () ->
        {
            final int neighbor = survivors().filter(each -> each != rank).findFirst().orElseThrow();
            final Request[] requests = {comm.iRecv(direct, SMALL, MPI.INT, victim, SILENT_TAG),
                comm.iRecv(other, SMALL, MPI.INT, neighbor, SILENT_TAG)};
            try
            {
                waiter.await(requests);
            }
            finally
            {
                requests[1].cancel();
                requests[1].waitFor();
            }
        }));
    }

    private void waitForAny()
    {
        comm.recv(small, SMALL, MPI.INT, MPI.ANY_SOURCE, SILENT_TAG);
    }

    // Kinds: all call the same

    private void collectives()
    {
        all("barrier", () -> comm.barrier());
        all("bcast", () -> comm.bcast(large, LARGE, MPI.INT, root));
        all("gather", () -> comm.gather(large, LARGE / size, MPI.INT, direct, LARGE / size, MPI.INT, root));
        all("gatherv", () -> comm.gatherv(small, SMALL, MPI.INT, direct, each(SMALL), places(), MPI.INT, root));
        all("scatter", () -> comm.scatter(large, LARGE / size, MPI.INT, direct, LARGE / size, MPI.INT, root));
        all("scatterv", () -> comm.scatterv(large, each(SMALL), places(), MPI.INT, direct, SMALL, MPI.INT, root));
        all("allGather", () -> comm.allGather(large, LARGE / size, MPI.INT, direct, LARGE / size, MPI.INT));
        all("allGatherv", () -> comm.allGatherv(small, SMALL, MPI.INT, direct, each(SMALL), places(), MPI.INT));
        all("allToAll", () -> comm.allToAll(large, LARGE / size, MPI.INT, direct, LARGE / size, MPI.INT));
        all("allToAllv", () -> comm.allToAllv(
            large, each(SMALL), places(), MPI.INT, direct, each(SMALL), places(), MPI.INT));
        revoked("allToAllw", () ->
        {
            final int[] bytes = bytePlaces();
            comm.allToAllw(direct, each(SMALL), bytes, types(), other, each(SMALL), bytes, types());
        });
        revoked("iAllToAllw", () ->
        {
            final int[] bytes = bytePlaces();
            comm.iAllToAllw(direct, each(SMALL), bytes, types(), other, each(SMALL), bytes, types()).waitFor();
        });
        all("reduce", () -> comm.reduce(large, direct, LARGE, MPI.INT, MPI.SUM, root));
        all("allReduce", () -> comm.allReduce(large, direct, LARGE, MPI.INT, MPI.SUM));
        all("Allreduce-short", () -> comm.Allreduce(small, 0, new int[SMALL], 0, SMALL, MPI.INT, MPI.MAX));
        all("reduceScatter", () -> comm.reduceScatter(large, direct, each(SMALL), MPI.INT, MPI.SUM));
        all("reduceScatterBlock", () -> comm.reduceScatterBlock(large, direct, SMALL, MPI.INT, MPI.SUM));
        all("scan", () -> comm.scan(large, direct, LARGE, MPI.INT, MPI.SUM));
        all("exScan", () -> comm.exScan(small, direct, SMALL, MPI.INT, MPI.SUM));
        all("Bcast-objects", () -> comm.Bcast(new Object[] {"text"}, 0, 1, MPI.OBJECT, root));
        neighbors("neighborAllToAll", () -> made.neighborAllToAll(large, SMALL, MPI.INT, direct, SMALL, MPI.INT));
        neighbors("neighborAllGather", () -> made.neighborAllGather(large, SMALL, MPI.INT, direct, SMALL, MPI.INT));
        neighbors("neighborAllToAllv", () -> made.neighborAllToAllv(large, new int[] {SMALL, SMALL},
            new int[] {0, SMALL}, MPI.INT, direct, new int[] {SMALL, SMALL}, new int[] {0, SMALL}, MPI.INT));
        neighbors("iNeighborAllGather", () ->
            made.iNeighborAllGather(direct, SMALL, MPI.INT, other, SMALL, MPI.INT).waitFor());
        neighbors("iNeighborAllToAll", () ->
            made.iNeighborAllToAll(direct, SMALL, MPI.INT, other, SMALL, MPI.INT).waitFor());
        between("inter-allReduce", () -> inter.allReduce(small, direct, SMALL, MPI.INT, MPI.SUM));
        between("inter-barrier", () -> inter.barrier());
        between("inter-allGather", () -> inter.allGather(small, SMALL, MPI.INT, direct, SMALL, MPI.INT));
        between("inter-allToAll", () -> inter.allToAll(large, SMALL, MPI.INT, direct, SMALL, MPI.INT));
        between("inter-iAllToAll", () -> inter.iAllToAll(direct, SMALL, MPI.INT, other, SMALL, MPI.INT).waitFor());
        between("inter-merge", () -> inter.merge(rank < size / 2).free());
    }

    /** Calls of a ring, in which two processes need the victim: these end the calls of the others. */
    private void neighbors(final String name, final Runnable call)
    {
        add(name, new Kind(call, call).revoked(this::revoke)
            .after(() -> made = comm.createCart(new int[] {size}, new boolean[] {true}, false)));
    }

    /** Calls of two halves. The victim's own need not need it: the calls there end by a revocation of the other one. */
    private void between(final String name, final Runnable call)
    {
        final Runnable calls = () ->
        {
            try
            {
                call.run();
            }
            catch (final MPIException ex)
            {
                inter.revoke();
                throw ex;
            }
        };
        add(name, new Kind(calls, calls).after(() ->
        {
            final boolean isLow = rank < size / 2;
            final Intracomm half = comm.split(isLow ? 0 : 1, 0);
            inter = comm.createIntercomm(half, 0, isLow ? size / 2 : 0, TAG);
            inter.setErrhandler(MPI.ERRORS_RETURN);
        }));
    }

    private void begunCollectives()
    {
        begun("iBarrier", () -> comm.iBarrier());
        begun("iBcast", () -> comm.iBcast(direct, LARGE, MPI.INT, root));
        begun("iGather", () -> comm.iGather(direct, SMALL, MPI.INT, other, SMALL, MPI.INT, root));
        begun("iGatherv", () -> comm.iGatherv(direct, SMALL, MPI.INT, other, each(SMALL), places(), MPI.INT, root));
        begun("iScatter", () -> comm.iScatter(direct, SMALL, MPI.INT, other, SMALL, MPI.INT, root));
        begun("iScatterv", () -> comm.iScatterv(
            direct, each(SMALL), places(), MPI.INT, other, SMALL, MPI.INT, root));
        begun("iAllGather", () -> comm.iAllGather(direct, SMALL, MPI.INT, other, SMALL, MPI.INT));
        begun("iAllGatherv", () -> comm.iAllGatherv(
            direct, SMALL, MPI.INT, other, each(SMALL), places(), MPI.INT));
        begun("iAllToAll", () -> comm.iAllToAll(direct, LARGE / size, MPI.INT, other, LARGE / size, MPI.INT));
        begun("iAllToAllv", () -> comm.iAllToAllv(
            direct, each(SMALL), places(), MPI.INT, other, each(SMALL), places(), MPI.INT));
        begun("iReduce", () -> comm.iReduce(direct, other, LARGE, MPI.INT, MPI.SUM, root));
        begun("iAllReduce", () -> comm.iAllReduce(direct, other, LARGE, MPI.INT, MPI.SUM));
        begun("iReduceScatter", () -> comm.iReduceScatter(direct, other, each(SMALL), MPI.INT, MPI.SUM));
        begun("iReduceScatterBlock", () -> comm.iReduceScatterBlock(direct, other, SMALL, MPI.INT, MPI.SUM));
        begun("iScan", () -> comm.iScan(direct, other, SMALL, MPI.INT, MPI.SUM));
        begun("iExScan", () -> comm.iExScan(direct, other, SMALL, MPI.INT, MPI.SUM));
    }

    private void begun(final String name, final Beginner beginner)
    {
        all(name, () -> beginner.begin().waitFor());
    }

    /** Calls in which a process that has failed may be awaited by others: it ends their calls. */
    private void revoked(final String name, final Runnable call)
    {
        add(name, new Kind(call, call).revoked(this::revoke));
    }

    private int[] bytePlaces()
    {
        return IntStream.of(places()).map(place -> place * Integer.BYTES).toArray();
    }

    private Datatype[] types()
    {
        final Datatype[] types = new Datatype[size];
        Arrays.fill(types, MPI.INT);
        return types;
    }

    private void all(final String name, final Runnable call)
    {
        add(name, new Kind(call, call));
    }

    private int[] each(final int count)
    {
        final int[] counts = new int[size];
        Arrays.fill(counts, count);
        return counts;
    }

    private int[] places()
    {
        return IntStream.range(0, size).map(each -> each * SMALL).toArray();
    }

    // Kinds of windows

    private void windows()
    {
        window("fence", this::fence, this::fence);
        window("lock", () -> lockAndPut(victim == 0 ? 1 : 0), () -> lockAndPut(victim));
        window("lockAll", this::lockAll, this::lockAll);
        window("flush", () -> lockAndFlush(victim == 0 ? 1 : 0), () -> lockAndFlush(victim));
        window("rPut", () -> lockAndPutByRequest(victim == 0 ? 1 : 0), () -> lockAndPutByRequest(victim));
        window("rGet", () -> lockAndGetByRequest(victim == 0 ? 1 : 0), () -> lockAndGetByRequest(victim));
        window("start", () -> expose(survivors().toArray()), () -> access(victim));
        window("post", () -> access(survivors().toArray()), () -> expose(victim));
        all("new-Win", () ->
        {
            final Win free = new Win(direct, SMALL, 1, MPI.INFO_NULL, comm);
            try
            {
                free.free();
            }
            finally
            {
                Check.same(true, free.isNull());
            }
        });
        add("win-ring", new Kind(this::passInWindow, this::passInWindow).revoked(this::revoke).after(this::newWindow));
        add("win.revoke", new Kind(this::passInWindow, this::passInWindow).revoked(() -> win.revoke())
            .after(this::newWindow));
        add("lock-of-dead", new Kind(this::waitForAny, () ->
        {
            final int holder = victim == 0 ? 1 : 0;
            win.lock(MPI.LOCK_EXCLUSIVE, holder, 0);
            win.unlock(holder);
        }).once().after(() ->
        {
            newWindow();
            if (rank == victim)
            {
                win.lock(MPI.LOCK_EXCLUSIVE, victim == 0 ? 1 : 0, 0);
            }
        }));
    }

    private void window(final String name, final Runnable ofVictim, final Runnable ofSurvivor)
    {
        add(name, new Kind(ofVictim, ofSurvivor).after(this::newWindow));
    }

    private void newWindow()
    {
        win = new Win(direct, LARGE, 1, MPI.INFO_NULL, comm);
    }

    private void fence()
    {
        win.fence(0);
        win.put(other, SMALL, MPI.INT, (rank + 1) % size, 0, SMALL, MPI.INT);
        win.fence(0);
    }

    private void lockAndPut(final int target)
    {
        win.lock(MPI.LOCK_EXCLUSIVE, target, 0);
        win.put(other, SMALL, MPI.INT, target, 0, SMALL, MPI.INT);
        win.unlock(target);
    }

    private void lockAll()
    {
        win.lockAll(0);
        win.get(other, SMALL, MPI.INT, (rank + 1) % size, 0, SMALL, MPI.INT);
        win.unlockAll();
    }

    private void lockAndFlush(final int target)
    {
        win.lock(MPI.LOCK_SHARED, target, 0);
        for (int i = 0; i < 1_000; i++)
        {
            win.accumulate(other, SMALL, MPI.INT, target, 0, SMALL, MPI.INT, MPI.SUM);
            win.flush(target);
        }
        win.unlock(target);
    }

    private void lockAndPutByRequest(final int target)
    {
        win.lock(MPI.LOCK_SHARED, target, 0);
        win.rPut(other, SMALL, MPI.INT, target, 0, SMALL, MPI.INT).waitFor();
        win.unlock(target);
    }

    private void lockAndGetByRequest(final int target)
    {
        win.lock(MPI.LOCK_SHARED, target, 0);
        win.rGet(other, SMALL, MPI.INT, target, 0, SMALL, MPI.INT).waitFor();
        win.unlock(target);
    }

    /** Each is exposed to its neighbor below, and accesses the one above: others than these wait for no victim. */
    private void passInWindow()
    {
        win.post(win.getGroup().incl(new int[] {(rank + size - 1) % size}), 0);
        access((rank + 1) % size);
        win.waitFor();
    }

    private void access(final int... targets)
    {
        final Group group = win.getGroup().incl(targets);
        win.start(group, 0);
        for (final int target : targets)
        {
            win.put(other, SMALL, MPI.INT, target, 0, SMALL, MPI.INT);
        }
        win.complete();
    }

    private void expose(final int... origins)
    {
        win.post(win.getGroup().incl(origins), 0);
        win.waitFor();
    }

    // Kinds of communicators

    private void communicators()
    {
        all("dup", () -> comm.dup().free());
        all("iDup", () -> comm.iDup().free());
        all("split", () -> comm.split(rank % 2, 0).free());
        all("create", () -> comm.create(comm.getGroup()).free());
        all("createCart", () -> comm.createCart(new int[] {size}, new boolean[] {true}, false).free());
        all("createGraph", () ->
        {
            final int[] ends = IntStream.range(1, size + 1).toArray();
            comm.createGraph(ends, IntStream.of(ends).map(next -> next % size).toArray(), false).free();
        });
        all("createDistGraphAdjacent", () -> comm.createDistGraphAdjacent(new int[] {(rank + size - 1) % size},
            new int[] {(rank + 1) % size}, MPI.INFO_NULL, false).free());
        final Runnable createGroup = () -> comm.createGroup(comm.getGroup(), TAG).free();
        revoked("createGroup", createGroup);
        all("splitType", () -> comm.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL).free());
        add("createIntercomm", new Kind(this::connect, this::connect).after(() ->
            made = comm.split(rank == victim || rank % 2 == victim % 2 ? 0 : 1, rank == victim ? 0 : 1)));
        add("agree", new Kind(() -> comm.agree(1), () ->
        {
            while (comm.agree(isKilled ? 0 : 1) != 0)
            {
                Thread.onSpinWait();
            }
        }).once());
        add("shrink", new Kind(() -> comm.shrink(), () ->
        {
            while (comm.shrink().getSize() == size)
            {
                Thread.onSpinWait();
            }
        }).once());
    }

    /** The victim leads its half. */
    private void connect()
    {
        final boolean isOfVictim = rank % 2 == victim % 2;
        final int otherLeader = isOfVictim ? victim % 2 == 0 ? 1 : 0 : victim;
        comm.createIntercomm(made, 0, otherLeader, TAG).free();
    }

    // Kinds of files

    private void files()
    {
        all("File", () -> openFile().close());
        file("setSize", () -> file.setSize(LARGE));
        file("setView", () -> file.setView(0, MPI.INT, MPI.INT, "native", MPI.INFO_NULL));
        file("writeOrdered", () -> file.writeOrdered(small, SMALL, MPI.INT));
    }

    private void file(final String name, final Runnable call)
    {
        add(name, new Kind(call, call).after(() -> file = openFile()));
    }

    private File openFile()
    {
        return new File(comm, System.getProperty("deaths.file"), MPI.MODE_CREATE + MPI.MODE_RDWR, MPI.INFO_NULL);
    }

    private void add(final String name, final Kind kind)
    {
        kinds.put(name, kind);
    }

    /** Calls of the victim and of the others, which are repeated. */
    private static final class Kind
    {
        private final Runnable victim;
        private final Runnable survivor;
        private Runnable before = () -> { };
        private boolean isOnce;
        private Runnable revocation = () -> { };

        Kind(final Runnable victim, final Runnable survivor)
        {
            this.victim = victim;
            this.survivor = survivor;
        }

        /** Sets what all do before. */
        Kind after(final Runnable newBefore)
        {
            before = newBefore;
            return this;
        }

        /** The survivors' call is not repeated. */
        Kind once()
        {
            isOnce = true;
            return this;
        }

        /** Sets how processes that need the victim end the calls of others, which do not notice its death. */
        Kind revoked(final Runnable newRevocation)
        {
            revocation = newRevocation;
            return this;
        }
    }

    /** A call that ends requests. */
    @FunctionalInterface
    private interface Waiter
    {
        void await(Request... requests);
    }

    /** A call that begins something. */
    @FunctionalInterface
    private interface Beginner
    {
        Request begin();
    }
}
