// SPDX-License-Identifier: Apache-2.0
package programs;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import mpi.CartComm;
import mpi.CartParms;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.Datatype;
import mpi.DistGraphNeighbors;
import mpi.DoubleComplex;
import mpi.DoubleInt;
import mpi.Errhandler;
import mpi.File;
import mpi.FileView;
import mpi.FloatComplex;
import mpi.FloatInt;
import mpi.GraphComm;
import mpi.GraphParms;
import mpi.Graphcomm;
import mpi.Group;
import mpi.Info;
import mpi.Int2;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.LongInt;
import mpi.MPI;
import mpi.Message;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.ShiftParms;
import mpi.ShortInt;
import mpi.Status;
import mpi.Struct;
import mpi.UserFunction;
import mpi.User_function;
import mpi.Win;

/** Calls all that is public, each with null for one argument, alone: none ends with the JDK's exception. */
public final class NullArguments
{
    private static final List<Class<?>> CLASSES = List.of(MPI.class, Comm.class, Intracomm.class, Intercomm.class,
        Cartcomm.class, CartComm.class, Graphcomm.class, GraphComm.class, Group.class, Datatype.class, Op.class,
        Request.class, Prequest.class, Status.class, Message.class, Info.class, Errhandler.class, File.class,
        FileView.class, Win.class, Struct.class, DoubleComplex.class, FloatComplex.class, Int2.class, DoubleInt.class,
        FloatInt.class, LongInt.class, ShortInt.class, CartParms.class, GraphParms.class, DistGraphNeighbors.class,
        ShiftParms.class);

    private final List<Object> samples = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private NullArguments()
    {
        final Intracomm world = MPI.COMM_WORLD;
        final File file = new File(MPI.COMM_SELF, System.getProperty("grim.cluster.directory") + "/nulls",
            MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE);
        final User_function function = new User_function()
        {
            @Override
            public void Call(
                final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
                final Datatype type)
            {
                throw new IllegalStateException("nothing is combined");
            }
        };
        samples.addAll(List.of(world.createCart(new int[] {1}, new boolean[1], false),
            world.Create_cart(new int[] {1}, new boolean[1], false),
            world.createGraph(new int[] {0}, new int[0], false), world.Create_graph(new int[] {0}, new int[0], false),
            world, world.getGroup(), MPI.INT, MPI.SUM, new Info(), MPI.ERRORS_RETURN, file, file.getView(),
            new Win(MPI.newIntBuffer(4), 4, 1, MPI.INFO_NULL, world), new Status(), new Message(),
            world.Send_init(new int[1], 0, 1, MPI.INT, MPI.PROC_NULL, 0), MPI.doubleInt, MPI.newByteBuffer(16),
            MPI.newIntBuffer(4), MPI.newCharBuffer(4), MPI.newShortBuffer(4), MPI.newLongBuffer(4),
            MPI.newFloatBuffer(4), MPI.newDoubleBuffer(4), function, new UserFunction()
            {
            }, new int[4], "text"));
    }

    public static void main(final String[] args)
    {
        MPI.Init(args);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        MPI.COMM_SELF.setErrhandler(MPI.ERRORS_RETURN);
        final NullArguments test = new NullArguments();
        int callCount = 0;
        for (final Class<?> each : CLASSES)
        {
            final List<Executable> all = new ArrayList<>(Arrays.asList(each.getConstructors()));
            all.addAll(Arrays.asList(each.getDeclaredMethods()));
            for (final Executable one : all)
            {
                if (Modifier.isPublic(one.getModifiers()) && !one.isSynthetic())
                {
                    callCount += test.callWithNulls(one);
                }
            }
        }
        Check.holds(callCount > 700, "calls=" + callCount);
        Check.same(List.of(), test.failures);
        MPI.Finalize();
    }

    private int callWithNulls(final Executable one)
    {
        int callCount = 0;
        final Class<?>[] types = one.getParameterTypes();
        for (int i = 0; i < types.length; i++)
        {
            if (!types[i].isPrimitive())
            {
                call(one, i, null);
                callCount++;
                if (types[i].isArray() && !types[i].getComponentType().isPrimitive())
                {
                    call(one, i, Array.newInstance(types[i].getComponentType(), 1));
                }
            }
        }
        return callCount;
    }

    private void call(final Executable one, final int index, final Object argument)
    {
        final Class<?>[] types = one.getParameterTypes();
        final Object[] arguments = new Object[types.length];
        final boolean isMessage =
            one.getName().toLowerCase(Locale.ROOT).matches("i?m?(recv|probe|[bsr]?send|sendrecv).*");
        for (int i = 0; i < types.length; i++)
        {
            arguments[i] = sample(types[i], isMessage ? MPI.PROC_NULL : 0);
        }
        arguments[index] = argument;
        try
        {
            if (one instanceof final Constructor<?> constructor)
            {
                if (!Modifier.isAbstract(one.getDeclaringClass().getModifiers()))
                {
                    constructor.newInstance(arguments);
                }
            }
            else if (Modifier.isStatic(one.getModifiers()) || sample(one.getDeclaringClass(), 0) != null)
            {
                ((Method)one).invoke(sample(one.getDeclaringClass(), 0), arguments);
            }
        }
        catch (final InvocationTargetException ex)
        {
            if (ex.getCause() instanceof NullPointerException)
            {
                failures.add(one + " argument " + index + ": " + ex.getCause());
            }
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException("cannot call " + one, ex);
        }
    }

    /** An argument that is there; null if none is known. */
    private Object sample(final Class<?> type, final int number)
    {
        if (type == int.class)
        {
            return number;
        }
        if (type.isPrimitive())
        {
            return Array.get(Array.newInstance(type, 1), 0);
        }
        if (type == Object.class)
        {
            return new int[4];
        }
        for (final Object sample : samples)
        {
            if (type.isInstance(sample) && (type != Buffer.class || sample instanceof IntBuffer))
            {
                return sample;
            }
        }
        if (type.isArray() && !type.getComponentType().isArray())
        {
            final Object array = Array.newInstance(type.getComponentType(), 1);
            if (!type.getComponentType().isPrimitive())
            {
                Array.set(array, 0, sample(type.getComponentType(), number));
            }
            return array;
        }
        return null;
    }
}
