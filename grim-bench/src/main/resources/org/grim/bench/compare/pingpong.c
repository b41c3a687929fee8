/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ping-pong and stream between two MPI processes: pingpong MS SIZE...
 * For each size the first process prints "latency SIZE NS" (half of the median round trip) and "stream SIZE MESSAGES_PER_S".
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAG_DATA 1
#define TAG_STOP 2
#define SAMPLES_MAX 1000000
#define WINDOW 64

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void die(const char *what)
{
    fprintf(stderr, "pingpong: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double latency_ns(char *buffer, int size, double seconds, double *samples)
{
    const double end = MPI_Wtime() + seconds;
    long count = 0;
    double arrival;
    do
    {
        const double start = MPI_Wtime();
        MPI_Send(buffer, size, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD);
        MPI_Recv(buffer, size, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        arrival = MPI_Wtime();
        samples[count++] = arrival - start;
    }
    while (arrival < end && count < SAMPLES_MAX);
    MPI_Send(buffer, 0, MPI_BYTE, 1, TAG_STOP, MPI_COMM_WORLD);
    qsort(samples, count, sizeof(double), compare);
    return samples[count / 2] / 2 * 1e9;
}

static void echo(char *buffer, int size)
{
    MPI_Status status;
    for (;;)
    {
        MPI_Recv(buffer, size, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_STOP)
        {
            return;
        }
        MPI_Send(buffer, size, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD);
    }
}

static double stream_per_second(char *buffer, int size, double seconds)
{
    MPI_Request requests[WINDOW];
    long count = 0;
    long received = 0;
    const double start = MPI_Wtime();
    do
    {
        for (int i = 0; i < WINDOW; i++)
        {
            MPI_Isend(buffer, size, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        count += WINDOW;
    }
    while (MPI_Wtime() - start < seconds);
    MPI_Send(buffer, 0, MPI_BYTE, 1, TAG_STOP, MPI_COMM_WORLD);
    MPI_Recv(&received, 1, MPI_LONG, 1, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (received != count)
    {
        die("messages were lost");
    }
    return count / (MPI_Wtime() - start);
}

static void count_all(char *buffer, int size)
{
    MPI_Status status;
    long count = 0;
    for (;;)
    {
        MPI_Recv(buffer, size, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_STOP)
        {
            MPI_Send(&count, 1, MPI_LONG, 0, TAG_STOP, MPI_COMM_WORLD);
            return;
        }
        count++;
    }
}

int main(int argc, char **argv)
{
    int rank;
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 2 || argc < 3)
    {
        die("two processes and MS SIZE... are needed");
    }
    const double seconds = atoi(argv[1]) / 1e3;
    double *samples = malloc(SAMPLES_MAX * sizeof(double));
    for (int i = 2; i < argc; i++)
    {
        const int size = atoi(argv[i]);
        char *buffer = calloc(1, size + 1);
        if (samples == NULL || buffer == NULL || size < 0)
        {
            die("no memory");
        }
        for (int pass = 0; pass < 2; pass++)        /* the first one warms up */
        {
            const double pass_seconds = pass == 0 ? seconds / 5 : seconds;
            if (rank == 0)
            {
                const double ns = latency_ns(buffer, size, pass_seconds, samples);
                const double per_second = stream_per_second(buffer, size, pass_seconds);
                if (pass == 1)
                {
                    printf("latency %d %.2f\nstream %d %.1f\n", size, ns, size, per_second);
                    fflush(stdout);
                }
            }
            else
            {
                echo(buffer, size);
                count_all(buffer, size);
            }
        }
        free(buffer);
    }
    free(samples);
    MPI_Finalize();
    return 0;
}
