// SPDX-License-Identifier: Apache-2.0
// Executes the cases of a file in C, as programs.OracleProgram does in Java, and writes for each case of this rank a line:
// number, bounds of its types, a digest of all its buffers, the first bytes that it received, and a status.
//   oracle CASES OUTPUT      (writes OUTPUT.RANK)
#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEERS_MAX = 8, MESSAGES_MAX = 10, TAG = 5, BUFFERED_LENGTH = 16 << 20 };

typedef struct { MPI_Datatype type; char letter; long lower, extent, trueLower, trueExtent; int size; } Type;
typedef struct { char *base, *at; long length; } Buffer;
typedef struct { int source, target, tag, sent, received, sendMode, receiveMode; Buffer from, to;
    MPI_Request send, receive; MPI_Status status; } Message;

static long id;
static char *next;                          // Rest of the case's text.
static bool isReduction, isSmall, isNonblocking, isInter;      // Small: Open MPI's sums of short numbers have limits.
static int me, size, split, peers;          // Rank, processes, first of the second group, partners of collective calls.
static MPI_Comm all, comm;                  // Of the case; comm is the intercommunicator if it has one.
static char bounds[256], status[128], first[17];
static uint64_t digest;

static char *word(void) { char *w = strtok_r(NULL, " \n", &next); if (!w) { fprintf(stderr, "case %ld\n", id); abort(); } return w; }
static int number(void) { return atoi(word()); }

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

static uint64_t hash(uint64_t h, const char *bytes, long length)
{
    for (long i = 0; i < length; i++) { h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3ULL; }
    return h;
}

static MPI_Datatype named(char letter)
{
    switch (letter)
    {
        case 'b': return MPI_INT8_T;
        case 'h': return MPI_UINT16_T;
        case 's': return MPI_SHORT;
        case 'i': return MPI_INT;
        case 'l': return MPI_INT64_T;
        case 'f': return MPI_FLOAT;
        case 'd': return MPI_DOUBLE;
        case 'z': return MPI_C_BOOL;
        case 'x': return MPI_C_FLOAT_COMPLEX;
        case 'y': return MPI_C_DOUBLE_COMPLEX;
        case 'I': return MPI_2INT;
        case 'S': return MPI_SHORT_INT;
        case 'L': return MPI_LONG_INT;
        case 'F': return MPI_FLOAT_INT;
        case 'D': return MPI_DOUBLE_INT;
        default: fprintf(stderr, "type %c\n", letter); abort();
    }
}

// A type in prefix notation; letter is that of its basic elements, 'B' for several.
static MPI_Datatype parse(char *letter)
{
    const char *w = word();
    MPI_Datatype made, inner;
    if (w[1] == 0) { *letter = w[0]; MPI_Type_dup(named(w[0]), &made); return made; }
    if (!strcmp(w, "con")) { int n = number(); inner = parse(letter); MPI_Type_contiguous(n, inner, &made); }
    else if (!strcmp(w, "vec") || !strcmp(w, "hve"))
    {
        int n = number(), length = number(), stride = number();
        inner = parse(letter);
        if (w[0] == 'v') { MPI_Type_vector(n, length, stride, inner, &made); }
        else { MPI_Type_create_hvector(n, length, stride, inner, &made); }
    }
    else if (!strcmp(w, "res"))
    {
        int lower = number(), extent = number();
        inner = parse(letter);
        MPI_Type_create_resized(inner, lower, extent, &made);
    }
    else if (!strcmp(w, "str"))
    {
        int n = number(), lengths[16];
        MPI_Aint places[16];
        MPI_Datatype types[16];
        for (int i = 0; i < n; i++) { lengths[i] = number(); places[i] = number(); types[i] = parse(letter); }
        *letter = 'B';
        MPI_Type_create_struct(n, lengths, places, types, &made);
        for (int i = 0; i < n; i++) { MPI_Type_free(&types[i]); }
        return made;
    }
    else
    {
        int n = number(), lengths[16], places[16];
        MPI_Aint far[16];
        for (int i = 0; i < n; i++) { lengths[i] = number(); far[i] = places[i] = number(); }
        inner = parse(letter);
        if (w[0] == 'i') { MPI_Type_indexed(n, lengths, places, inner, &made); }
        else { MPI_Type_create_hindexed(n, lengths, far, inner, &made); }
    }
    MPI_Type_free(&inner);
    return made;
}

static Type type(void)
{
    Type t;
    MPI_Aint lower, extent, trueLower, trueExtent;
    bool isNamed = next[0] && (next[1] == ' ' || next[1] == '\n' || !next[1]);
    t.type = parse(&t.letter);
    if (isNamed) { MPI_Type_free(&t.type); t.type = named(t.letter); }
    else { MPI_Type_commit(&t.type); }
    MPI_Type_get_extent(t.type, &lower, &extent);
    MPI_Type_get_true_extent(t.type, &trueLower, &trueExtent);
    MPI_Type_size(t.type, &t.size);
    t.lower = lower; t.extent = extent; t.trueLower = t.size ? trueLower : 0; t.trueExtent = t.size ? trueExtent : 0;
    sprintf(bounds + strlen(bounds), " %ld:%ld:%ld:%ld:%d", t.lower, t.extent, t.trueLower, t.trueExtent, t.size);
    return t;
}

static void put(char *at, const void *value, int length) { memcpy(at, value, length); }

static void fill(Buffer *b, char letter, int salt)
{
    memset(b->base, 0, b->length);
    for (long k = 0, at = 0; at < b->length; k++)
    {
        uint64_t v = mix((uint64_t)id << 40 ^ (uint64_t)salt << 32 ^ k);
        char *p = b->base + at;
        int small = (int)(v % (isReduction ? 3 : 30000)), index = (int)((v >> 20) % 7);
        float f = isReduction ? (float)((int)(v % 9) - 4) : (float)(int)(v % 100003);
        double d = f;
        int64_t l = small;
        float sf = (float)small;
        double sd = small;
        short s = (short)small;
        if (isSmall && strchr("bhs", letter)) { v = v % 5 - (letter == 'h' ? 0 : 2); }
        switch (letter)
        {
            case 'z': *p = v & 1; at += 1; break;
            case 'h': case 's': put(p, &v, 2); at += 2; break;
            case 'i': put(p, &v, 4); at += 4; break;
            case 'l': put(p, &v, 8); at += 8; break;
            case 'f': case 'x': put(p, &f, 4); at += 4; break;
            case 'd': case 'y': put(p, &d, 8); at += 8; break;
            case 'I': put(p, &small, 4); put(p + 4, &index, 4); at += 8; break;
            case 'S': put(p, &s, 2); put(p + 4, &index, 4); at += 8; break;
            case 'F': put(p, &sf, 4); put(p + 4, &index, 4); at += 8; break;
            case 'L': put(p, &l, 8); put(p + 8, &index, 4); at += 16; break;
            case 'D': put(p, &sd, 8); put(p + 8, &index, 4); at += 16; break;
            default: *p = (char)v; at += 1; break;
        }
    }
}

// Room for so many elements, with 16 bytes or more before and behind.
static Buffer buffer(const Type *t, long count, int slot)
{
    Buffer b;
    long last = count > 0 ? (count - 1) * t->extent : 0;
    long low = t->trueLower + (last < 0 ? last : 0), high = t->trueLower + t->trueExtent + (last > 0 ? last : 0);
    long lead = ((count > 0 && low < 0 ? -low : 0) + 31) / 16 * 16;
    b.length = lead + ((count > 0 && high > 0 ? high : 0) + 31) / 16 * 16;
    b.base = malloc(b.length);
    b.at = b.base + lead;
    fill(&b, t->letter, me * 20 + slot);
    return b;
}

static void end(Buffer *b)
{
    digest = hash(digest, b->base, b->length);
    long shown = b->length - (b->at - b->base);
    first[0] = 0;
    for (int i = 0; i < 8 && i < shown; i++) { sprintf(first + 2 * i, "%02x", (unsigned char)b->at[i]); }
    free(b->base);
}

static void release(Type *t) { int i, a, d, k; MPI_Type_get_envelope(t->type, &i, &a, &d, &k); if (k != MPI_COMBINER_NAMED) MPI_Type_free(&t->type); }

static void describe(const MPI_Status *s, const Type *t, char *text)
{
    int count, elements;
    MPI_Get_count(s, t->type, &count);
    MPI_Get_elements(s, t->type, &elements);
    sprintf(text, "%d/%d/%d/%d", s->MPI_SOURCE, s->MPI_TAG, count == MPI_UNDEFINED ? -1 : count,
        elements == MPI_UNDEFINED ? -1 : elements);
}

// Rank, for messages and roots, of the process with a rank in all.
static int rankOf(int rank) { return isInter && rank >= split ? rank - split : rank; }
// Rank in all of a partner.
static int peer(int j) { return isInter && me < split ? split + j : j; }

static void beginSend(Message *m, const Type *t, int round)
{
    int to = rankOf(m->target);
    switch (m->sendMode)
    {
        case 0: MPI_Isend(m->from.at, m->sent, t->type, to, m->tag, comm, &m->send); break;
        case 1: MPI_Issend(m->from.at, m->sent, t->type, to, m->tag, comm, &m->send); break;
        case 2: MPI_Ibsend(m->from.at, m->sent, t->type, to, m->tag, comm, &m->send); break;
        case 4: MPI_Irsend(m->from.at, m->sent, t->type, to, m->tag, comm, &m->send); break;
        case 5: MPI_Send(m->from.at, m->sent, t->type, to, m->tag, comm); break;
        case 6: MPI_Ssend(m->from.at, m->sent, t->type, to, m->tag, comm); break;
        case 7: MPI_Bsend(m->from.at, m->sent, t->type, to, m->tag, comm); break;
        default:
            if (round == 0 && m->sendMode == 3) { MPI_Send_init(m->from.at, m->sent, t->type, to, m->tag, comm, &m->send); }
            if (round == 0 && m->sendMode == 8) { MPI_Ssend_init(m->from.at, m->sent, t->type, to, m->tag, comm, &m->send); }
            MPI_Start(&m->send);
    }
}

static void beginReceive(Message *m, const Type *t, int round)
{
    int from = m->receiveMode == 1 || m->receiveMode == 3 ? MPI_ANY_SOURCE : rankOf(m->source);
    int tag = m->receiveMode == 2 || m->receiveMode == 3 ? MPI_ANY_TAG : m->tag;
    if (m->receiveMode <= 3) { MPI_Irecv(m->to.at, m->received, t->type, from, tag, comm, &m->receive); }
    else if (m->receiveMode == 4)
    {
        if (round == 0) { MPI_Recv_init(m->to.at, m->received, t->type, from, tag, comm, &m->receive); }
        MPI_Start(&m->receive);
    }
}

static void finishReceive(Message *m, const Type *t)
{
    int from = rankOf(m->source), flag = 0;
    MPI_Message found;
    switch (m->receiveMode)
    {
        case 5: MPI_Probe(MPI_ANY_SOURCE, m->tag, comm, &m->status); from = m->status.MPI_SOURCE; break;
        case 6: MPI_Mprobe(from, m->tag, comm, &found, &m->status); break;
        case 8: while (!flag) { MPI_Iprobe(from, m->tag, comm, &flag, &m->status); } break;
        case 9: while (!flag) { MPI_Improbe(from, m->tag, comm, &flag, &found, &m->status); } break;
        default: break;
    }
    if (m->receiveMode <= 4) { MPI_Wait(&m->receive, &m->status); }
    else if (m->receiveMode == 6 || m->receiveMode == 9) { MPI_Mrecv(m->to.at, m->received, t->type, &found, &m->status); }
    else { MPI_Recv(m->to.at, m->received, t->type, from, m->tag, comm, &m->status); }
}

static void pointToPoint(void)
{
    int order = number(), rounds = number(), n = number();
    Type sent = type(), received = type();
    Message list[MESSAGES_MAX];
    for (int i = 0; i < n; i++)
    {
        Message *m = &list[i];
        m->source = number(); m->target = number(); m->tag = number(); m->sent = number(); m->received = number();
        m->sendMode = number(); m->receiveMode = number();
        m->send = m->receive = MPI_REQUEST_NULL;
        if (m->source == me) { m->from = buffer(&sent, m->sent, 2 * i); }
        if (m->target == me) { m->to = buffer(&received, m->received, m->receiveMode == 3 ? 1 : 2 * i + 1); }
    }
    for (int round = 0; round < rounds; round++)
    {
        if (order == 0) { for (int i = 0; i < n; i++) { if (list[i].target == me) { beginReceive(&list[i], &received, round); } } MPI_Barrier(all); }
        for (int i = 0; i < n; i++) { if (list[i].source == me) { beginSend(&list[i], &sent, round); } }
        if (order != 0)
        {
            if (order == 1) { MPI_Barrier(all); }
            for (int i = 0; i < n; i++) { if (list[i].target == me) { beginReceive(&list[i], &received, round); } }
        }
        for (int i = 0; i < n; i++)
        {
            Message *m = &list[i];
            if (m->target != me) { continue; }
            char text[96];
            finishReceive(m, &received);
            describe(&m->status, &received, text);
            uint64_t h = hash(m->receiveMode == 3 ? 1 : i + 2, text, (long)strlen(text));
            digest += hash(h, m->to.base, m->to.length);
            if (m->receiveMode != 3) { strcpy(status, text); }
        }
        for (int i = 0; i < n; i++) { if (list[i].source == me) { MPI_Wait(&list[i].send, MPI_STATUS_IGNORE); } }
    }
    for (int i = 0; i < n; i++)
    {
        if (list[i].source == me) { end(&list[i].from); if (list[i].send != MPI_REQUEST_NULL) { MPI_Request_free(&list[i].send); } }
        if (list[i].target == me)
        {
            free(list[i].to.base);
            if (list[i].receive != MPI_REQUEST_NULL) { MPI_Request_free(&list[i].receive); }
        }
    }
    release(&sent); release(&received);
}

static void shift(bool isReplace)
{
    int distance = number(), sentCount = number(), receivedCount = number(), to = (me + distance) % size, from = (me + size - distance) % size;
    Type sent = type(), received = type();
    Buffer a = buffer(&sent, sentCount, 0), b = buffer(&received, receivedCount, 1);
    MPI_Status s;
    if (isReplace) { MPI_Sendrecv_replace(a.at, sentCount, sent.type, to, TAG, from, TAG, comm, &s); }
    else { MPI_Sendrecv(a.at, sentCount, sent.type, to, TAG, b.at, receivedCount, received.type, from, TAG, comm, &s); }
    describe(&s, &received, status);
    if (isReplace) { end(&b); end(&a); } else { end(&a); end(&b); }
    release(&sent); release(&received);
}

#define CALL(name, iname, ...) do { \
    if (isNonblocking) { MPI_Request q; MPI_I##iname(__VA_ARGS__, &q); MPI_Wait(&q, MPI_STATUS_IGNORE); } \
    else { MPI_##name(__VA_ARGS__); } } while (0)

// The root argument of the process with rank root in all.
static int rootOf(int root)
{
    bool isMine = isInter && (me < split) == (root < split);
    return isMine ? me == root ? MPI_ROOT : MPI_PROC_NULL : rankOf(root);
}

static void move(const char *name)
{
    int rank = number(), inPlace = number(), s = number(), r = number(), root = rootOf(rank);
    Type sent = type(), received = type();
    bool isRoot = me == rank;
    int sendParts = !strcmp(name, "alltoall") || !strcmp(name, "scatter") ? peers : 1;
    int receiveParts = !strcmp(name, "scatter") || !strcmp(name, "bcast") ? 1 : peers;
    Buffer a = buffer(&sent, (long)s * sendParts, 0), b = buffer(&received, (long)r * receiveParts, 1);
    void *from = inPlace && (isRoot || !strcmp(name, "allgather")) ? MPI_IN_PLACE : a.at;
    if (!strcmp(name, "bcast"))
    {
        if (isRoot) { CALL(Bcast, bcast, a.at, s, sent.type, root, comm); }
        else { CALL(Bcast, bcast, b.at, r, received.type, root, comm); }
    }
    else if (!strcmp(name, "gather")) { CALL(Gather, gather, from, s, sent.type, b.at, r, received.type, root, comm); }
    else if (!strcmp(name, "scatter"))
    {
        void *to = inPlace && isRoot ? MPI_IN_PLACE : b.at;
        CALL(Scatter, scatter, a.at, s, sent.type, to, r, received.type, root, comm);
    }
    else if (!strcmp(name, "allgather")) { CALL(Allgather, allgather, from, s, sent.type, b.at, r, received.type, comm); }
    else { CALL(Alltoall, alltoall, a.at, s, sent.type, b.at, r, received.type, comm); }
    end(&a); end(&b);
    release(&sent); release(&received);
}

// Places of parts one behind the other, with gaps; returns the elements of all.
static long places(const int *counts, int *at, int gap, bool isReversed)
{
    int next = 0;
    for (int k = 0; k < peers; k++)
    {
        int j = isReversed ? peers - 1 - k : k;
        at[j] = next;
        next += counts[j] + gap;
    }
    return next;
}

static void parts(const char *name)
{
    int rank = number(), inPlace = number(), base = number(), mod = number(), gap = number(), isReversed = number();
    Type t = type(), u = type();
    int root = rootOf(rank), sentCounts[PEERS_MAX], counts[PEERS_MAX], sentAt[PEERS_MAX], at[PEERS_MAX];
    bool isRoot = me == rank, isAll = name[0] == 'a' && name[3] == 't';
    int own = (base + 3 * me + (isAll ? 5 * me : 0)) % mod;
    for (int j = 0; j < peers; j++)
    {
        sentCounts[j] = isAll ? (base + 3 * me + 5 * peer(j)) % mod : (base + 3 * peer(j)) % mod;
        counts[j] = isAll ? (base + 3 * peer(j) + 5 * me) % mod : sentCounts[j];
    }
    long sum = places(counts, at, gap, isReversed), sentSum = places(sentCounts, sentAt, gap, false);
    if (!strcmp(name, "alltoallw"))
    {
        MPI_Datatype types[PEERS_MAX];
        for (int j = 0; j < peers; j++) { types[j] = (me + peer(j)) % 2 ? u.type : t.type; sentAt[j] *= (int)t.extent; at[j] *= (int)t.extent; }
        Buffer a = buffer(&t, sentSum, 0), b = buffer(&t, sum, 1);
        CALL(Alltoallw, alltoallw, a.at, sentCounts, sentAt, types, b.at, counts, at, types, comm);
        end(&a); end(&b);
    }
    else if (!strcmp(name, "scatterv"))
    {
        Buffer a = buffer(&t, sum, 0), b = buffer(&t, own, 1);
        CALL(Scatterv, scatterv, a.at, counts, at, t.type, inPlace && isRoot ? MPI_IN_PLACE : b.at, own, t.type, root, comm);
        end(&a); end(&b);
    }
    else
    {
        Buffer a = buffer(&t, isAll ? sentSum : own, 0), b = buffer(&t, sum, 1);
        void *from = inPlace && (isRoot || name[0] == 'a') ? MPI_IN_PLACE : a.at;
        if (!strcmp(name, "gatherv")) { CALL(Gatherv, gatherv, from, own, t.type, b.at, counts, at, t.type, root, comm); }
        else if (!strcmp(name, "allgatherv")) { CALL(Allgatherv, allgatherv, from, own, t.type, b.at, counts, at, t.type, comm); }
        else { CALL(Alltoallv, alltoallv, a.at, sentCounts, sentAt, t.type, b.at, counts, at, t.type, comm); }
        end(&a); end(&b);
    }
    release(&t); release(&u);
}

// Maps x to a x + b: associative, and not commutative.
static void compose(void *in, void *inOut, int *length, MPI_Datatype *ignored)
{
    (void)ignored;
    for (int i = 0; i < *length; i++)
    {
        const uint32_t *l = (const uint32_t *)in + 2 * i;
        uint32_t *r = (uint32_t *)inOut + 2 * i;
        r[1] = l[0] * r[1] + l[1];
        r[0] = l[0] * r[0];
    }
}

static MPI_Op operation(const char *name)
{
    static const struct { const char *name; MPI_Op op; } all[] = {{"max", MPI_MAX}, {"min", MPI_MIN}, {"sum", MPI_SUM},
        {"prod", MPI_PROD}, {"land", MPI_LAND}, {"band", MPI_BAND}, {"lor", MPI_LOR}, {"bor", MPI_BOR}, {"lxor", MPI_LXOR},
        {"bxor", MPI_BXOR}, {"minloc", MPI_MINLOC}, {"maxloc", MPI_MAXLOC}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) { if (!strcmp(name, all[i].name)) { return all[i].op; } }
    MPI_Op made;
    MPI_Op_create(compose, 0, &made);
    return made;
}

static void reduction(const char *name)
{
    isReduction = true;
    int rank = number(), inPlace = number();
    const char *opName = word();
    int count = number(), mod = number(), root = rootOf(rank), counts[PEERS_MAX], sum = 0;
    MPI_Op op = operation(opName);
    isSmall = !strcmp(opName, "sum") || !strcmp(opName, "prod");
    Type t = type();
    int local = isInter ? size - peers : size, block = isInter ? count * peers : count, own = count;
    bool isScatter = !strcmp(name, "rs") || !strcmp(name, "rsb"), isRoot = me == rank;
    for (int j = 0; isScatter && j < local; j++) { counts[j] = isInter || name[2] ? block : (count + 3 * j) % mod; sum += counts[j]; }
    if (isScatter) { own = counts[rankOf(me)]; }
    Buffer a = buffer(&t, isScatter ? sum : count, 0), b = buffer(&t, isScatter && inPlace ? sum : own, 1);
    void *from = inPlace && (isRoot || strcmp(name, "reduce")) ? MPI_IN_PLACE : a.at;
    if (!strcmp(name, "reduce")) { CALL(Reduce, reduce, from, b.at, count, t.type, op, root, comm); }
    else if (!strcmp(name, "allreduce")) { CALL(Allreduce, allreduce, from, b.at, count, t.type, op, comm); }
    else if (!strcmp(name, "scan")) { CALL(Scan, scan, from, b.at, count, t.type, op, comm); }
    else if (!strcmp(name, "exscan")) { CALL(Exscan, exscan, from, b.at, count, t.type, op, comm); }
    else if (!strcmp(name, "rs")) { CALL(Reduce_scatter, reduce_scatter, from, b.at, counts, t.type, op, comm); }
    else if (!strcmp(name, "rsb")) { CALL(Reduce_scatter_block, reduce_scatter_block, from, b.at, block, t.type, op, comm); }
    else { MPI_Reduce_local(a.at, b.at, count, t.type, op); }
    end(&a);
    // Not defined: the first process's part of exscan, and elements behind the result of reduce-scatter in place.
    if (!strcmp(name, "exscan") && me == 0) { b.length = 0; }
    else if (isScatter && inPlace) { b.length = b.at - b.base + own * t.extent; }
    end(&b);
    release(&t);
    if (!strcmp(opName, "user")) { MPI_Op_free(&op); }
    isReduction = isSmall = false;
}

static void pack(void)
{
    int count = number(), at = 0, length;
    Type t = type(), bytes = {MPI_BYTE, 'b', 0, 1, 0, 1, 1};
    MPI_Pack_size(count, t.type, comm, &length);
    Buffer a = buffer(&t, count, 0), b = buffer(&t, count, 1), packed = buffer(&bytes, count * (long)t.size, 2);
    MPI_Pack(a.at, count, t.type, packed.at, count * t.size, &at, comm);
    sprintf(status, "%d/%d", length, at);
    at = 0;
    MPI_Unpack(packed.at, count * t.size, &at, b.at, count, t.type, comm);
    end(&a); end(&packed); end(&b);
    release(&t);
}

static void execute(void)
{
    const char *name = word();
    if (!strcmp(name, "p2p")) { pointToPoint(); }
    else if (!strcmp(name, "sr")) { shift(false); }
    else if (!strcmp(name, "srr")) { shift(true); }
    else if (!strcmp(name, "pack")) { pack(); }
    else if (!strcmp(name, "barrier"))
    {
        if (isNonblocking) { MPI_Request q; MPI_Ibarrier(comm, &q); MPI_Wait(&q, MPI_STATUS_IGNORE); } else { MPI_Barrier(comm); }
    }
    else if (name[strlen(name) - 1] == 'v' || !strcmp(name, "alltoallw")) { parts(name); }
    else if (!strcmp(name, "bcast") || !strcmp(name, "gather") || !strcmp(name, "scatter") || !strcmp(name, "allgather") ||
        !strcmp(name, "alltoall")) { move(name); }
    else { reduction(name); }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, count;
    char path[4096];
    static char line[65536];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Buffer_attach(malloc(BUFFERED_LENGTH), BUFFERED_LENGTH);
    snprintf(path, sizeof path, "%s.%d", argv[2], rank);
    FILE *cases = fopen(argv[1], "r"), *out = fopen(path, "w");
    if (!cases || !out) { perror(argv[1]); MPI_Abort(MPI_COMM_WORLD, 2); }
    while (fgets(line, sizeof line, cases))
    {
        next = line;
        id = number(); size = number();
        const char *view = word();
        number();                           // The dialect of Java.
        isNonblocking = number();
        isInter = view[0] == 'i';
        split = isInter ? atoi(view + 1) : 0;
        MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, view[0] == 'r' ? -rank : rank, &all);
        if (all == MPI_COMM_NULL) { continue; }
        MPI_Comm_rank(all, &me);
        comm = all;
        peers = size;
        if (isInter)
        {
            MPI_Comm local;
            MPI_Comm_split(all, me >= split, me, &local);
            MPI_Intercomm_create(local, 0, all, me < split ? split : 0, TAG, &comm);
            MPI_Comm_free(&local);
            MPI_Comm_remote_size(comm, &peers);
        }
        bounds[0] = status[0] = first[0] = 0;
        digest = 0xcbf29ce484222325ULL;
        execute();
        fprintf(out, "%ld%s %016llx %s %s\n", id, bounds, (unsigned long long)digest, first, status);
        fflush(out);
        if (isInter) { MPI_Comm_free(&comm); }
        MPI_Comm_free(&all);
    }
    fclose(out);
    MPI_Finalize();
    return 0;
}
