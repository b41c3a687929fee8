// SPDX-License-Identifier: Apache-2.0
package org.grim.example.mpi;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * A farm of workers that goes on when one dies: rank 0 gives tasks to the others, and the task of a dead worker to
 * another one. Here rank 2 dies in its first task. In the dialect of MPJ Express.
 */
public final class TaskFarm
{
    private static final int TASK_COUNT = 100;
    private static final int TASK_TAG = 1;
    private static final int END_TAG = 2;
    private static final int DOOMED_RANK = 2;

    private final int size = MPI.COMM_WORLD.Size();
    private final Queue<Integer> tasks = new ArrayDeque<>();
    private final Request[] answers = new Request[size];
    private final int[][] results = new int[size][1];
    private final int[] given = new int[size];
    private int done;
    private int dead;
    private int sum;

    /** Gives tasks as rank 0, works as any other one. */
    public static void main(final String[] args)
    {
        MPI.Init(args);
        if (MPI.COMM_WORLD.Rank() == 0)
        {
            new TaskFarm().farm();
        }
        else
        {
            work();
        }
        MPI.Finalize();
    }

    private static void work()
    {
        final int[] task = new int[1];
        while (MPI.COMM_WORLD.Recv(task, 0, 1, MPI.INT, 0, MPI.ANY_TAG).tag == TASK_TAG)
        {
            if (MPI.COMM_WORLD.Rank() == DOOMED_RANK)
            {
                Runtime.getRuntime().halt(0);       // As kill -9. With another exit code grim run would end all.
            }
            task[0] *= task[0];
            MPI.COMM_WORLD.Send(task, 0, 1, MPI.INT, 0, TASK_TAG);
        }
    }

    private void farm()
    {
        for (int task = 0; task < TASK_COUNT; task++)
        {
            tasks.add(task);
        }
        final boolean[] isAlive = new boolean[size];
        Arrays.fill(isAlive, 1, size, true);
        while (done < TASK_COUNT)
        {
            for (int worker = 1; worker < size; worker++)
            {
                if (isAlive[worker])
                {
                    isAlive[worker] = serve(worker);
                }
            }
        }
        for (int worker = 1; worker < size; worker++)
        {
            if (isAlive[worker])
            {
                MPI.COMM_WORLD.Send(results[worker], 0, 1, MPI.INT, worker, END_TAG);
            }
        }
        System.out.println("tasks: " + done + ", sum: " + sum + ", dead workers: " + dead);
    }

    /** Takes a worker's answer, if it has come, and gives it the next task. Returns false if the worker is dead. */
    private boolean serve(final int worker)
    {
        try
        {
            if (answers[worker] != null && answers[worker].Test() != null)
            {
                answers[worker] = null;
                sum += results[worker][0];
                done++;
            }
            if (answers[worker] == null && !tasks.isEmpty())
            {
                given[worker] = tasks.remove();
                answers[worker] = MPI.COMM_WORLD.Irecv(results[worker], 0, 1, MPI.INT, worker, TASK_TAG);
                MPI.COMM_WORLD.Send(given, worker, 1, MPI.INT, worker, TASK_TAG);
            }
            return true;
        }
        catch (final MPIException ex)
        {
            if (ex.getErrorClass() != MPI.ERR_PROC_FAILED)
            {
                throw ex;
            }
            tasks.add(given[worker]);
            dead++;
            return false;
        }
    }
}
