/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of Open MPI's collective operations on the inputs of OpenMpiGroupTest: results DIR COUNT...
 * Each process writes its results to DIR/mpi-RANK, one after the other, in the order of the test.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE, BOOLEAN, TYPES };

static const int LENGTHS[] = {1, 2, 2, 4, 8, 4, 8, 1};
static int rank;
static int ranks;
static FILE *file;

static void die(const char *what)
{
    fprintf(stderr, "results: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Byte i of member m. */
static void fill_bytes(unsigned char *buffer, int length, int member)
{
    for (int i = 0; i < length; i++)
    {
        buffer[i] = (unsigned char)(i * 7 + member * 31 + i / 256);
    }
}

/* Element i of member m: a whole number whose sums are exact in every type. Open MPI's vectors saturate short ones. */
static void fill_elements(void *buffer, int count, int type, int member)
{
    for (int i = 0; i < count; i++)
    {
        const int number = (i * 37 + member * 1009) % 20011 - 10005;
        switch (type)
        {
            case BYTE:
            case BOOLEAN: ((int8_t *)buffer)[i] = number & 1; break;
            case SHORT:
            case CHAR: ((int16_t *)buffer)[i] = number & 1; break;
            case INT: ((int32_t *)buffer)[i] = number; break;
            case LONG: ((int64_t *)buffer)[i] = (int64_t)number * 65537; break;
            case FLOAT: ((float *)buffer)[i] = number; break;
            default: ((double *)buffer)[i] = number; break;
        }
    }
}

static void put(const void *buffer, size_t length)
{
    if (fwrite(buffer, 1, length, file) != length)
    {
        die("a result cannot be written");
    }
}

static void bytes(int length)
{
    const int all = length * ranks;
    const int root = ranks - 1;
    unsigned char *source = malloc(all + 1);
    unsigned char *target = malloc(all + 1);
    if (source == NULL || target == NULL)
    {
        die("no memory");
    }
    fill_bytes(source, length, rank);
    MPI_Bcast(source, length, MPI_BYTE, root, MPI_COMM_WORLD);
    put(source, length);

    fill_bytes(source, length, rank);
    MPI_Gather(source, length, MPI_BYTE, target, length, MPI_BYTE, root, MPI_COMM_WORLD);
    put(target, rank == root ? all : 0);
    MPI_Allgather(source, length, MPI_BYTE, target, length, MPI_BYTE, MPI_COMM_WORLD);
    put(target, all);

    fill_bytes(source, all, rank);
    MPI_Scatter(source, length, MPI_BYTE, target, length, MPI_BYTE, root, MPI_COMM_WORLD);
    put(target, length);
    MPI_Alltoall(source, length, MPI_BYTE, target, length, MPI_BYTE, MPI_COMM_WORLD);
    put(target, all);
    free(source);
    free(target);
}

static void reductions(int count)
{
    const MPI_Datatype types[] = {
        MPI_INT8_T, MPI_INT16_T, MPI_UINT16_T, MPI_INT32_T, MPI_INT64_T, MPI_FLOAT, MPI_DOUBLE, MPI_C_BOOL};
    const MPI_Op operations[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR,
        MPI_LXOR};
    const int root = ranks - 1;
    void *source = malloc(count * 8 + 1);
    void *target = malloc(count * 8 + 1);
    if (source == NULL || target == NULL)
    {
        die("no memory");
    }
    for (int type = 0; type < TYPES; type++)
    {
        const int is_floating = type == FLOAT || type == DOUBLE;
        for (int operation = type == BOOLEAN ? 7 : 0; operation < (is_floating ? 4 : 10); operation++)
        {
            if (is_floating && operations[operation] == MPI_PROD)
            {
                continue; /* Its rounding depends on the order. */
            }
            fill_elements(source, count, type, rank);
            MPI_Allreduce(source, target, count, types[type], operations[operation], MPI_COMM_WORLD);
            put(target, (size_t)count * LENGTHS[type]);
            MPI_Reduce(source, target, count, types[type], operations[operation], root, MPI_COMM_WORLD);
            put(target, rank == root ? (size_t)count * LENGTHS[type] : 0);
        }
    }
    free(source);
    free(target);
}

int main(int argc, char **argv)
{
    char name[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 3)
    {
        die("DIR COUNT... are needed");
    }
    snprintf(name, sizeof(name), "%s/mpi-%d", argv[1], rank);
    file = fopen(name, "wb");
    if (file == NULL)
    {
        die("the file of results cannot be made");
    }
    for (int i = 2; i < argc; i++)
    {
        bytes(atoi(argv[i]));
        reductions(atoi(argv[i]));
    }
    if (fclose(file) != 0)
    {
        die("the results cannot be written");
    }
    MPI_Finalize();
    return 0;
}
