/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations in turns that org.grim.bench.groups.TurnBlock gives: collectives FILE SIDE
 * Those of org.grim.bench.mpi.MpiOperation come behind those of org.grim.bench.groups.Collective.
 * Between turns all processes sleep.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PART_LENGTH 128
#define MEMBERS_MAX 16
#define TURN_OFFSET PART_LENGTH
#define TIME_OFFSET (TURN_OFFSET + PART_LENGTH)
#define DONE_OFFSET (TIME_OFFSET + PART_LENGTH)
#define SIDES_MAX 8
#define LENGTH (DONE_OFFSET + SIDES_MAX * MEMBERS_MAX * PART_LENGTH)
#define SLEEP_NS 1000000
#define WINDOW 64
#define LOOK_SLEEPS 100
#define ELEMENTS_MAX ((1 << 20) / 8)

enum { END = -1, BARRIER, ALL_REDUCE_SHORT, ALL_REDUCE_LONG, BROADCAST, LATENCY = 8, RATE, ALL_REDUCE, BROADCAST_ANY, ALL_TO_ALL };

struct turn
{
    uint64_t sequence;
    int32_t side;
    int32_t what;
    int32_t count;
    int32_t length;
};

static void die(const char *what)
{
    fprintf(stderr, "collectives: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static char *map(const char *path)
{
    const int file = open(path, O_RDWR);
    void *memory = file < 0 ? MAP_FAILED : mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
    {
        die("the file of turns cannot be mapped");
    }
    return memory;
}

static void pass(int from, int rank, void *memory, int length)
{
    if (rank == from)
    {
        MPI_Send(memory, length, MPI_BYTE, 1 - from, 0, MPI_COMM_WORLD);
    }
    else
    {
        MPI_Recv(memory, length, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void operation(const struct turn *turn, int number, int rank, int64_t *source, int64_t *target)
{
    switch (turn->what)
    {
        case BARRIER:
            MPI_Barrier(MPI_COMM_WORLD);
            break;
        case ALL_REDUCE_SHORT:
        case ALL_REDUCE_LONG:
        case ALL_REDUCE:
            MPI_Allreduce(source, target, turn->length / 8, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
            break;
        case LATENCY:
            pass(0, rank, rank == 0 ? source : target, turn->length);
            pass(1, rank, target, turn->length);
            break;
        case RATE:
            pass(0, rank, rank == 0 ? source : target, turn->length);
            if (number % WINDOW == 0)
            {
                pass(1, rank, target, 1);
            }
            break;
        case ALL_TO_ALL:
            MPI_Alltoall(source, turn->length, MPI_BYTE, target, turn->length, MPI_BYTE, MPI_COMM_WORLD);
            break;
        default:
            MPI_Bcast(target, turn->length, MPI_BYTE, 0, MPI_COMM_WORLD);
            break;
    }
}

int main(int argc, char **argv)
{
    int rank;
    int ranks;
    uint64_t sequence = 0;
    long sleep_count = 0;
    const struct timespec pause = {0, SLEEP_NS};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 3 || ranks > MEMBERS_MAX)
    {
        die("at most 16 processes, FILE and SIDE are needed");
    }
    const int side = atoi(argv[2]);
    char *block = map(argv[1]);
    const struct turn *turn = (const struct turn *)(block + TURN_OFFSET);
    uint64_t *time_ns = (uint64_t *)(block + TIME_OFFSET);
    uint64_t *done = (uint64_t *)(block + DONE_OFFSET + (side * MEMBERS_MAX + rank) * PART_LENGTH);
    int64_t *source = malloc(ELEMENTS_MAX * sizeof(int64_t));
    int64_t *target = calloc(ELEMENTS_MAX, sizeof(int64_t));
    if (source == NULL || target == NULL)
    {
        die("no memory");
    }
    for (int i = 0; i < ELEMENTS_MAX; i++)
    {
        source[i] = (int64_t)i * (rank + 1);
    }
    for (;;)
    {
        const uint64_t next = __atomic_load_n(&turn->sequence, __ATOMIC_ACQUIRE);
        if (next == sequence)
        {
            nanosleep(&pause, NULL);
            if (++sleep_count % LOOK_SLEEPS == 0 && access(argv[1], F_OK) != 0)
            {
                break;              /* the command is gone, and its file with it */
            }
            continue;
        }
        sequence = next;
        if (turn->what == END)
        {
            break;
        }
        if (turn->side != side)
        {
            __atomic_store_n(done, sequence, __ATOMIC_RELEASE);     /* no other turn begins before */
            continue;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        for (int i = 0; i < turn->count; i++)
        {
            operation(turn, i, rank, source, target);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
        {
            *time_ns = (uint64_t)((MPI_Wtime() - start) * (turn->what == LATENCY ? 5e8 : 1e9));
        }
        if (turn->what == ALL_REDUCE_LONG &&
            target[ELEMENTS_MAX - 1] != (int64_t)(ELEMENTS_MAX - 1) * ranks * (ranks + 1) / 2)
        {
            die("a sum is wrong");
        }
        __atomic_store_n(done, sequence, __ATOMIC_RELEASE);
    }
    MPI_Finalize();
    return 0;
}
