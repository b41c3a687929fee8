// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.GrimConfig;
import org.grim.buffer.Buffers;
import org.grim.mpi.Engine;
import org.grim.mpi.Launch;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The environment of a program: its start and end, and the constants. A launcher names the process's rank and the job's
 * size; without one the process is a job of its own.
 * <p>Thread: any, {@code MPI_THREAD_MULTIPLE} always.
 */
public final class MPI
{
    static
    {
        Buffers.requireAccess();            // Before anything that needs it.
    }

    /** No error. */
    public static final int SUCCESS = 0;
    /** Class of errors. */
    public static final int ERR_BUFFER = 1;
    /** Class of errors. */
    public static final int ERR_COUNT = 2;
    /** Class of errors. */
    public static final int ERR_TYPE = 3;
    /** Class of errors. */
    public static final int ERR_TAG = 4;
    /** Class of errors. */
    public static final int ERR_COMM = 5;
    /** Class of errors. */
    public static final int ERR_RANK = 6;
    /** Class of errors. */
    public static final int ERR_REQUEST = 7;
    /** Class of errors. */
    public static final int ERR_ROOT = 8;
    /** Class of errors. */
    public static final int ERR_GROUP = 9;
    /** Class of errors. */
    public static final int ERR_OP = 10;
    /** Class of errors. */
    public static final int ERR_TOPOLOGY = 11;
    /** Class of errors. */
    public static final int ERR_DIMS = 12;
    /** Class of errors. */
    public static final int ERR_ARG = 13;
    /** Class of errors. */
    public static final int ERR_UNKNOWN = 14;
    /** Class of errors: a message is longer than its room, or types or lengths of the processes differ. */
    public static final int ERR_TRUNCATE = 15;
    /** Class of errors. */
    public static final int ERR_OTHER = 16;
    /** Class of errors. */
    public static final int ERR_INTERN = 17;
    /** Class of errors. */
    public static final int ERR_IN_STATUS = 18;
    /** Class of errors. */
    public static final int ERR_PENDING = 19;
    /** Class of errors. */
    public static final int ERR_ACCESS = 20;
    /** Class of errors. */
    public static final int ERR_AMODE = 21;
    /** Class of errors. */
    public static final int ERR_ASSERT = 22;
    /** Class of errors. */
    public static final int ERR_BAD_FILE = 23;
    /** Class of errors. */
    public static final int ERR_BASE = 24;
    /** Class of errors. */
    public static final int ERR_CONVERSION = 25;
    /** Class of errors. */
    public static final int ERR_DISP = 26;
    /** Class of errors. */
    public static final int ERR_DUP_DATAREP = 27;
    /** Class of errors. */
    public static final int ERR_FILE_EXISTS = 28;
    /** Class of errors. */
    public static final int ERR_FILE_IN_USE = 29;
    /** Class of errors. */
    public static final int ERR_FILE = 30;
    /** Class of errors. */
    public static final int ERR_INFO_KEY = 31;
    /** Class of errors. */
    public static final int ERR_INFO_NOKEY = 32;
    /** Class of errors. */
    public static final int ERR_INFO_VALUE = 33;
    /** Class of errors. */
    public static final int ERR_INFO = 34;
    /** Class of errors. */
    public static final int ERR_IO = 35;
    /** Class of errors. */
    public static final int ERR_KEYVAL = 36;
    /** Class of errors. */
    public static final int ERR_LOCKTYPE = 37;
    /** Class of errors. */
    public static final int ERR_NAME = 38;
    /** Class of errors. */
    public static final int ERR_NO_MEM = 39;
    /** Class of errors. */
    public static final int ERR_NOT_SAME = 40;
    /** Class of errors. */
    public static final int ERR_NO_SPACE = 41;
    /** Class of errors. */
    public static final int ERR_NO_SUCH_FILE = 42;
    /** Class of errors. */
    public static final int ERR_PORT = 43;
    /** Class of errors. */
    public static final int ERR_QUOTA = 44;
    /** Class of errors. */
    public static final int ERR_READ_ONLY = 45;
    /** Class of errors. */
    public static final int ERR_RMA_CONFLICT = 46;
    /** Class of errors. */
    public static final int ERR_RMA_SYNC = 47;
    /** Class of errors. */
    public static final int ERR_SERVICE = 48;
    /** Class of errors. */
    public static final int ERR_SIZE = 49;
    /** Class of errors. */
    public static final int ERR_SPAWN = 50;
    /** Class of errors. */
    public static final int ERR_UNSUPPORTED_DATAREP = 51;
    /** Class of errors. */
    public static final int ERR_UNSUPPORTED_OPERATION = 52;
    /** Class of errors. */
    public static final int ERR_WIN = 53;
    /** Class of errors: a process has aborted. */
    public static final int ERR_PROC_ABORTED = 74;
    /** Class of errors: a process that the call needs is gone (of the fault-tolerance proposal). */
    public static final int ERR_PROC_FAILED = 75;
    /** Class of errors: a process has revoked the communicator (of the fault-tolerance proposal). */
    public static final int ERR_REVOKED = 77;
    /** Class of errors. */
    public static final int ERR_SYSRESOURCE = -2;
    /** The last code of the library. */
    public static final int ERR_LASTCODE = 92;
    /** Any sender. */
    public static final int ANY_SOURCE = -1;
    /** Any tag. */
    public static final int ANY_TAG = -1;
    /** Nobody: messages to and from it are nothing. */
    public static final int PROC_NULL = -2;
    /** The root of a collective call between two groups, in its own group. */
    public static final int ROOT = -4;
    /** No number. */
    public static final int UNDEFINED = -32766;
    /** Result of a comparison: the same object. */
    public static final int IDENT = 0;
    /** Two of the same members in the same order. */
    public static final int CONGRUENT = 3;
    /** Result of a comparison: the same members in another order. */
    public static final int SIMILAR = 1;
    /** Other members. */
    public static final int UNEQUAL = 2;
    /** Topology of a graph. */
    public static final int GRAPH = 1;
    /** Topology of a grid. */
    public static final int CART = 2;
    /** Topology of a graph of which each process knows its part. */
    public static final int DIST_GRAPH = 3;
    /** One thread. */
    public static final int THREAD_SINGLE = 0;
    /** Calls of one thread only. */
    public static final int THREAD_FUNNELED = 1;
    /** Calls of one thread at a time. */
    public static final int THREAD_SERIALIZED = 2;
    /** Calls of any threads. */
    public static final int THREAD_MULTIPLE = 3;
    /** Key of the largest tag. */
    public static final int TAG_UB = 1;
    /** Key of the rank of the host process. */
    public static final int HOST = 2;
    /** Key of the rank of a process that reads and writes. */
    public static final int IO = 3;
    /** Key: whether the processes have one clock. */
    public static final int WTIME_IS_GLOBAL = 4;
    /** Key of the number of processes. */
    public static final int UNIVERSE_SIZE = 5;
    /** Key of the number of the program. */
    public static final int APPNUM = 6;
    /** Key of the last error code. */
    public static final int LASTUSEDCODE = 7;
    /** Key of the memory of a window. */
    public static final int WIN_BASE = 8;
    /** Key of the length of a window. */
    public static final int WIN_SIZE = 9;
    /** Key of the unit of displacements of a window. */
    public static final int WIN_DISP_UNIT = 10;
    /** No key. */
    public static final int KEYVAL_INVALID = -1;
    /** Bytes that a program adds to a buffer for each message. */
    public static final int BSEND_OVERHEAD = 128;
    /** Bytes that a program adds for each message. */
    public static final int SEND_OVERHEAD = 0;
    /** Bytes that a program adds for each message. */
    public static final int RECV_OVERHEAD = 0;
    /** Processors of this JVM. */
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();
    /** Version of the standard. */
    public static final int VERSION = 3;
    /** Version of the standard, behind the dot. */
    public static final int SUBVERSION = 1;
    /** Maximum length of a name. */
    public static final int MAX_OBJECT_NAME = 64;
    /** Maximum length of a port. */
    public static final int MAX_PORT_NAME = 1024;
    /** Maximum length of a representation. */
    public static final int MAX_DATAREP_STRING = 128;
    /** Maximum length of a key. */
    public static final int MAX_INFO_KEY = 36;
    /** Maximum length of a value. */
    public static final int MAX_INFO_VAL = 256;
    /** Order of dimensions. */
    public static final int ORDER_C = 0;
    /** Order of dimensions. */
    public static final int ORDER_FORTRAN = 1;
    /** Distribution of arrays. */
    public static final int DISTRIBUTE_BLOCK = 0;
    /** Distribution of arrays. */
    public static final int DISTRIBUTE_CYCLIC = 1;
    /** Distribution of arrays. */
    public static final int DISTRIBUTE_NONE = 2;
    /** Distribution of arrays. */
    public static final int DISTRIBUTE_DFLT_DARG = -1;
    /** Mode of a file. */
    public static final int MODE_CREATE = 1;
    /** Mode of a file. */
    public static final int MODE_RDONLY = 2;
    /** Mode of a file. */
    public static final int MODE_WRONLY = 4;
    /** Mode of a file. */
    public static final int MODE_RDWR = 8;
    /** Mode of a file. */
    public static final int MODE_DELETE_ON_CLOSE = 16;
    /** Mode of a file. */
    public static final int MODE_UNIQUE_OPEN = 32;
    /** Mode of a file. */
    public static final int MODE_EXCL = 64;
    /** Mode of a file. */
    public static final int MODE_APPEND = 128;
    /** Mode of a file. */
    public static final int MODE_SEQUENTIAL = 256;
    /** Place in a file. */
    public static final int DISPLACEMENT_CURRENT = -54278278;
    /** Origin of a place in a file. */
    public static final int SEEK_SET = 600;
    /** Origin of a place in a file. */
    public static final int SEEK_CUR = 602;
    /** Origin of a place in a file. */
    public static final int SEEK_END = 604;
    /** Assertion about a window. */
    public static final int MODE_NOCHECK = 1;
    /** Assertion about a window. */
    public static final int MODE_NOPRECEDE = 2;
    /** Assertion about a window. */
    public static final int MODE_NOPUT = 4;
    /** Assertion about a window. */
    public static final int MODE_NOSTORE = 8;
    /** Assertion about a window. */
    public static final int MODE_NOSUCCEED = 16;
    /** Kind of lock. */
    public static final int LOCK_EXCLUSIVE = 1;
    /** Kind of lock. */
    public static final int LOCK_SHARED = 2;
    /** Datatype. */
    public static final Datatype BYTE = Datatype.BYTE;
    /** Datatype. */
    public static final Datatype CHAR = Datatype.CHAR;
    /** Datatype. */
    public static final Datatype SHORT = Datatype.SHORT;
    /** Datatype. */
    public static final Datatype BOOLEAN = Datatype.BOOLEAN;
    /** Datatype. */
    public static final Datatype INT = Datatype.INT;
    /** Datatype. */
    public static final Datatype LONG = Datatype.LONG;
    /** Datatype. */
    public static final Datatype FLOAT = Datatype.FLOAT;
    /** Datatype. */
    public static final Datatype DOUBLE = Datatype.DOUBLE;
    /** Datatype. */
    public static final Datatype PACKED = Datatype.PACKED;
    /** Datatype. */
    public static final Datatype OBJECT = Datatype.OBJECT;
    /** Datatype. */
    public static final Datatype LB = Datatype.LB;
    /** Datatype. */
    public static final Datatype UB = Datatype.UB;
    /** Datatype. */
    public static final Datatype SHORT2 = Datatype.SHORT2;
    /** Datatype. */
    public static final Datatype INT2 = Datatype.INT2;
    /** Datatype. */
    public static final Datatype LONG2 = Datatype.LONG2;
    /** Datatype. */
    public static final Datatype FLOAT2 = Datatype.FLOAT2;
    /** Datatype. */
    public static final Datatype DOUBLE2 = Datatype.DOUBLE2;
    /** Datatype. */
    public static final Datatype FLOAT_COMPLEX = Datatype.FLOAT_COMPLEX;
    /** Datatype. */
    public static final Datatype DOUBLE_COMPLEX = Datatype.DOUBLE_COMPLEX;
    /** Datatype. */
    public static final Datatype SHORT_INT = Datatype.SHORT_INT;
    /** Datatype. */
    public static final Datatype LONG_INT = Datatype.LONG_INT;
    /** Datatype. */
    public static final Datatype FLOAT_INT = Datatype.FLOAT_INT;
    /** Datatype. */
    public static final Datatype DOUBLE_INT = Datatype.DOUBLE_INT;
    /** No datatype. */
    public static final Datatype NULL = Datatype.NULL;
    /** No datatype. */
    public static final Datatype DATATYPE_NULL = Datatype.NULL;
    /** Operation of reductions. */
    public static final Op MAX = Op.MAX;
    /** Operation of reductions. */
    public static final Op MIN = Op.MIN;
    /** Operation of reductions. */
    public static final Op SUM = Op.SUM;
    /** Operation of reductions. */
    public static final Op PROD = Op.PROD;
    /** Operation of reductions. */
    public static final Op LAND = Op.LAND;
    /** Operation of reductions. */
    public static final Op BAND = Op.BAND;
    /** Operation of reductions. */
    public static final Op LOR = Op.LOR;
    /** Operation of reductions. */
    public static final Op BOR = Op.BOR;
    /** Operation of reductions. */
    public static final Op LXOR = Op.LXOR;
    /** Operation of reductions. */
    public static final Op BXOR = Op.BXOR;
    /** Operation of reductions. */
    public static final Op MINLOC = Op.MINLOC;
    /** Operation of reductions. */
    public static final Op MAXLOC = Op.MAXLOC;
    /** Operation of reductions. */
    public static final Op REPLACE = Op.REPLACE;
    /** Operation of reductions. */
    public static final Op NO_OP = Op.NO_OP;
    /** Structure of a pair. */
    public static final Int2 int2 = new Int2();
    /** Structure of a pair. */
    public static final ShortInt shortInt = new ShortInt();
    /** Structure of a pair. */
    public static final LongInt longInt = new LongInt();
    /** Structure of a pair. */
    public static final FloatInt floatInt = new FloatInt();
    /** Structure of a pair. */
    public static final DoubleInt doubleInt = new DoubleInt();
    /** All processes of the job. */
    public static final Intracomm COMM_WORLD = new Intracomm("MPI_COMM_WORLD");
    /** This process alone. */
    public static final Intracomm COMM_SELF = new Intracomm("MPI_COMM_SELF");
    /** No communicator. */
    public static final Comm COMM_NULL = null;
    /** No group. */
    public static final Group GROUP_NULL = null;
    /** The group of nobody. */
    public static final Group GROUP_EMPTY = Group.EMPTY;
    /** No request. */
    public static final Request REQUEST_NULL = new Request(null, null);
    /** Result of nothing. */
    public static final Status EMPTY_STATUS = new Status();
    /** Settings of the job. */
    public static final Info INFO_ENV = Info.ENVIRONMENT;
    /** No settings. */
    public static final Info INFO_NULL = Info.NULL;
    /** Errors of Open MPI's methods end the job. */
    public static final Errhandler ERRORS_ARE_FATAL = Errhandler.FATAL;
    /** Errors of Open MPI's methods end the job. */
    public static final Errhandler ERRORS_ABORT = Errhandler.FATAL;
    /** Errors are exceptions. */
    public static final Errhandler ERRORS_RETURN = Errhandler.RETURN;

    private static final String LINE_PREFIX = "grim-mpi: rank ";
    private static final PrintStream ERROR_STREAM =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8);

    private static volatile Engine engine;  // Null before Init.
    private static volatile Thread mainThread;
    private static volatile boolean isFinalized;

    private MPI()
    {
    }

    private static synchronized void start(final String name)
    {
        if (engine != null)
        {
            throw COMM_WORLD.failure(
                name, ERR_OTHER, isFinalized ? "MPI was finalized before" : "MPI is initialized already");
        }
        requireOneLibrary(name);
        engine = Engine.start(Launch.of(System.getenv()), GrimConfig.load());
        mainThread = Thread.currentThread();
        COMM_WORLD.begin(engine.world());
        COMM_SELF.begin(engine.self());
        Info.describe(engine.size());
    }

    /** Classes of another library would be mixed with these. */
    private static void requireOneLibrary(final String name)
    {
        final List<String> own = places("org/grim/mpi/Engine.class");
        for (final String place : places("mpi/MPI.class"))
        {
            if (!own.contains(place))
            {
                throw COMM_WORLD.failure(name, ERR_OTHER, "two MPI libraries are on the class path: GRIM at " +
                    own.get(0) + " and another one at " + place + "; take one of them off");
            }
        }
    }

    /** Jars and directories that have a resource. */
    private static List<String> places(final String resource)
    {
        try
        {
            return Collections.list(MPI.class.getClassLoader().getResources(resource)).stream().map(URL::toString)
                .map(text -> text.substring(0, text.length() - resource.length())).toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** {@return the engine; null before the start, and after the end} */
    static Engine engine()
    {
        return isFinalized ? null : engine;
    }

    /** {@return a reason why calls are refused} */
    static String unavailable()
    {
        return isFinalized ? "MPI is finalized" : "MPI is not initialized";
    }

    /** Writes a line about this process. */
    static void report(final String text)
    {
        final Engine started = engine();
        ERROR_STREAM.println(LINE_PREFIX + (started == null ? "?" : Integer.toString(started.rank())) + ": " + text);
    }

    /** Ends this process at once; the launcher ends the others. */
    static void end(final int code, final String text)
    {
        report(text);
        Runtime.getRuntime().halt(code);
    }

    // Both

    /**
     * Starts: joins the job and waits for its other processes.
     *
     * @param args of the program.
     * @return the same.
     */
    public static String[] Init(final String[] args) throws MPIException
    {
        start("Init");
        return args;
    }

    /** Ends: waits for the other processes, and leaves the job. Operations in progress end. */
    public static void Finalize() throws MPIException
    {
        COMM_WORLD.open("Finalize");
        COMM_WORLD.leave();
        final int openCount = Request.openCount() + BufferedSends.all().openCount();
        if (openCount > 0)
        {
            report("Finalize: operations=" + openCount + " in progress, whose end was not awaited, end now");
        }
        isFinalized = true;
        engine.close();
    }

    // mpiJava 1.2

    /**
     * Starts with a level of threads; any is allowed.
     *
     * @param argCount    number of arguments.
     * @param requirement one of {@code THREAD_...}.
     * @param args        of the program.
     * @return the same.
     */
    public static String[] initThread(final int argCount, final int requirement, final String[] args)
    {
        start("Init");
        return args;
    }

    /** Tests whether this thread has started MPI. */
    public static boolean isMainThread()
    {
        return Thread.currentThread() == mainThread;
    }

    /** Tests whether MPI was started. */
    public static boolean Initialized()
    {
        return engine != null;
    }

    /** Tests whether MPI was ended. */
    public static boolean Finalized()
    {
        return isFinalized;
    }

    /** Reads a clock, in seconds. */
    public static double Wtime()
    {
        return (double)System.nanoTime() / TimeUnit.SECONDS.toNanos(1);
    }

    /** {@return the clock's step in seconds} */
    public static double Wtick()
    {
        return 1.0 / TimeUnit.SECONDS.toNanos(1);
    }

    /** {@return name of the host} */
    public static String Get_processor_name()
    {
        try
        {
            return InetAddress.getLocalHost().getHostName();
        }
        catch (final UnknownHostException expected)
        {
            return "localhost";             // The name service does not know this host.
        }
    }

    /** Attaches memory for buffered sends: its length bounds that of messages that are not sent yet. */
    public static void Buffer_attach(final ByteBuffer buffer)
    {
        BufferedSends.all().attach("Buffer_attach", buffer, buffer == null ? 0 : buffer.capacity());
    }

    /** Attaches memory for buffered sends: its length bounds that of messages that are not sent yet. */
    public static void Buffer_attach(final byte[] buffer)
    {
        BufferedSends.all().attach("Buffer_attach", buffer, buffer == null ? 0 : buffer.length);
    }

    /** Detaches the memory after all buffered messages are sent. */
    public static void Buffer_detach()
    {
        BufferedSends.all().detach("Buffer_detach");
    }

    /** Sets the handler of the communicator of all; this dialect's errors are exceptions in any case. */
    public static void Errorhandler_set(final Errhandler errhandler)
    {
        COMM_WORLD.setErrhandler(errhandler);
    }

    /** {@return handler of the communicator of all} */
    public static Errhandler Errorhandler_get()
    {
        return COMM_WORLD.getErrhandler();
    }

    // Open MPI

    /**
     * Starts with a level of threads.
     *
     * @param args     of the program.
     * @param required one of {@code THREAD_...}.
     * @return {@code THREAD_MULTIPLE}.
     */
    public static int InitThread(final String[] args, final int required) throws MPIException
    {
        start("Init");
        return THREAD_MULTIPLE;
    }

    /** {@return level of threads: {@code THREAD_MULTIPLE}} */
    public static int queryThread() throws MPIException
    {
        return THREAD_MULTIPLE;
    }

    /** Tests whether this thread has started MPI. */
    public static boolean isThreadMain() throws MPIException
    {
        return isMainThread();
    }

    /** Tests whether MPI was started. */
    public static boolean isInitialized() throws MPIException
    {
        return Initialized();
    }

    /** Tests whether MPI was ended. */
    public static boolean isFinalized() throws MPIException
    {
        return Finalized();
    }

    /** Reads a clock, in seconds. */
    public static double wtime() throws MPIException
    {
        return Wtime();
    }

    /** {@return the clock's step in seconds} */
    public static double wtick() throws MPIException
    {
        return Wtick();
    }

    /** {@return name of the host} */
    public static String getProcessorName() throws MPIException
    {
        return Get_processor_name();
    }

    /** {@return version of the standard} */
    public static Version getVersion()
    {
        return new Version(VERSION, SUBVERSION);
    }

    /** {@return name of this library} */
    public static String getLibVersion()
    {
        return "GRIM for Java";
    }

    /** Controls profiling, of which there is none. */
    public static void pControl(final int level, final Object argument)
    {
        // There is no profiler.
    }

    /** Attaches memory for buffered sends: its length bounds that of messages that are not sent yet. */
    public static void attachBuffer(final byte[] buffer) throws MPIException
    {
        BufferedSends.all().attach("attachBuffer", buffer, buffer == null ? 0 : buffer.length);
    }

    /** Detaches the memory after all buffered messages are sent. */
    public static byte[] detachBuffer() throws MPIException
    {
        return (byte[])BufferedSends.all().detach("detachBuffer");
    }

    /** Allocates a direct buffer in the machine's byte order. */
    public static ByteBuffer newByteBuffer(final int capacity)
    {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    }
    /** Allocates a direct buffer in the machine's byte order. */
    public static CharBuffer newCharBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, Character.BYTES)).asCharBuffer();
    }

    /** Allocates a direct buffer in the machine's byte order. */
    public static ShortBuffer newShortBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, Short.BYTES)).asShortBuffer();
    }

    /** Allocates a direct buffer in the machine's byte order. */
    public static IntBuffer newIntBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, Integer.BYTES)).asIntBuffer();
    }

    /** Allocates a direct buffer in the machine's byte order. */
    public static LongBuffer newLongBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, Long.BYTES)).asLongBuffer();
    }

    /** Allocates a direct buffer in the machine's byte order. */
    public static FloatBuffer newFloatBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, Float.BYTES)).asFloatBuffer();
    }

    /** Allocates a direct buffer in the machine's byte order. */
    public static DoubleBuffer newDoubleBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, Double.BYTES)).asDoubleBuffer();
    }

    /** Makes a view of a buffer that begins at an element. */
    public static ByteBuffer slice(final ByteBuffer buf, final int offset)
    {
        return required(buf).duplicate().clear().position(offset).slice().order(buf.order());
    }

    /** Makes a view of a buffer that begins at an element. */
    public static CharBuffer slice(final CharBuffer buf, final int offset)
    {
        return required(buf).duplicate().clear().position(offset).slice();
    }

    /** Makes a view of a buffer that begins at an element. */
    public static ShortBuffer slice(final ShortBuffer buf, final int offset)
    {
        return required(buf).duplicate().clear().position(offset).slice();
    }

    /** Makes a view of a buffer that begins at an element. */
    public static IntBuffer slice(final IntBuffer buf, final int offset)
    {
        return required(buf).duplicate().clear().position(offset).slice();
    }

    /** Makes a view of a buffer that begins at an element. */
    public static LongBuffer slice(final LongBuffer buf, final int offset)
    {
        return required(buf).duplicate().clear().position(offset).slice();
    }

    /** Makes a view of a buffer that begins at an element. */
    public static FloatBuffer slice(final FloatBuffer buf, final int offset)
    {
        return required(buf).duplicate().clear().position(offset).slice();
    }

    /** Makes a view of a buffer that begins at an element. */
    public static DoubleBuffer slice(final DoubleBuffer buf, final int offset)
    {
        return required(buf).duplicate().clear().position(offset).slice();
    }

    /** Makes a view of an array that begins at an element. */
    public static ByteBuffer slice(final byte[] buf, final int offset)
    {
        return ByteBuffer.wrap(required(buf)).position(offset).slice();
    }

    /** Makes a view of an array that begins at an element. */
    public static CharBuffer slice(final char[] buf, final int offset)
    {
        return CharBuffer.wrap(required(buf)).position(offset).slice();
    }

    /** Makes a view of an array that begins at an element. */
    public static ShortBuffer slice(final short[] buf, final int offset)
    {
        return ShortBuffer.wrap(required(buf)).position(offset).slice();
    }

    /** Makes a view of an array that begins at an element. */
    public static IntBuffer slice(final int[] buf, final int offset)
    {
        return IntBuffer.wrap(required(buf)).position(offset).slice();
    }

    /** Makes a view of an array that begins at an element. */
    public static LongBuffer slice(final long[] buf, final int offset)
    {
        return LongBuffer.wrap(required(buf)).position(offset).slice();
    }

    /** Makes a view of an array that begins at an element. */
    public static FloatBuffer slice(final float[] buf, final int offset)
    {
        return FloatBuffer.wrap(required(buf)).position(offset).slice();
    }

    /** Makes a view of an array that begins at an element. */
    public static DoubleBuffer slice(final double[] buf, final int offset)
    {
        return DoubleBuffer.wrap(required(buf)).position(offset).slice();
    }

    /** {@return a buffer or an array that is an argument} */
    static <T> T required(final T buf)
    {
        return MPIException.required(buf, ERR_BUFFER, "the buffer");
    }
}
