// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

import org.grim.buffer.PrimitiveArray;
import org.grim.group.Reduction;
import org.grim.mpi.Layout;

/**
 * A type of elements of messages: basic ones, and where they lie. mpiJava counts places in basic elements; Open MPI
 * in bytes where its methods say so.
 * <p>Thread: any; does not change, but for its name, its attributes and its state: new, committed, freed.
 */
public final class Datatype implements Freeable, Cloneable
{
    static final Datatype BYTE = basic("MPI_BYTE", Basic.BYTE);
    static final Datatype CHAR = basic("MPI_CHAR", Basic.CHAR);
    static final Datatype SHORT = basic("MPI_SHORT", Basic.SHORT);
    static final Datatype BOOLEAN = basic("MPI_BOOLEAN", Basic.BOOLEAN);
    static final Datatype INT = basic("MPI_INT", Basic.INT);
    static final Datatype LONG = basic("MPI_LONG", Basic.LONG);
    static final Datatype FLOAT = basic("MPI_FLOAT", Basic.FLOAT);
    static final Datatype DOUBLE = basic("MPI_DOUBLE", Basic.DOUBLE);
    static final Datatype PACKED = basic("MPI_PACKED", Basic.BYTE);
    static final Datatype OBJECT =
        new Datatype("MPI_OBJECT", Basic.BYTE, Layout.of(PrimitiveArray.BYTES), Kind.OBJECT, 0, 1);
    static final Datatype NULL = empty("MPI_DATATYPE_NULL", Kind.NULL, 0);
    static final Datatype LB = empty("MPI_LB", Kind.MARKER, 1);             // See LOWER.
    static final Datatype UB = empty("MPI_UB", Kind.MARKER, 2);             // See UPPER.

    static final Datatype SHORT2 = twice("MPI_SHORT2", Basic.SHORT, Kind.BASIC, Short.BYTES);
    static final Datatype INT2 = twice("MPI_2INT", Basic.INT, Kind.PAIR, Integer.BYTES);
    static final Datatype LONG2 = twice("MPI_LONG2", Basic.LONG, Kind.BASIC, Long.BYTES);
    static final Datatype FLOAT2 = twice("MPI_FLOAT2", Basic.FLOAT, Kind.BASIC, Float.BYTES);
    static final Datatype DOUBLE2 = twice("MPI_DOUBLE2", Basic.DOUBLE, Kind.BASIC, Double.BYTES);
    static final Datatype FLOAT_COMPLEX = twice("MPI_C_FLOAT_COMPLEX", Basic.FLOAT, Kind.BASIC, 2 * Float.BYTES);
    static final Datatype DOUBLE_COMPLEX = twice("MPI_C_DOUBLE_COMPLEX", Basic.DOUBLE, Kind.BASIC, 2 * Double.BYTES);

    static final Datatype SHORT_INT = pair("MPI_SHORT_INT", Short.BYTES);
    static final Datatype LONG_INT = pair("MPI_LONG_INT", Long.BYTES);
    static final Datatype FLOAT_INT = pair("MPI_FLOAT_INT", Float.BYTES);
    static final Datatype DOUBLE_INT = pair("MPI_DOUBLE_INT", Double.BYTES);

    private static final int LOWER = 1;
    private static final int UPPER = 2;

    private final Basic basic;
    private final Layout layout;
    private Layout bytes;                   // The same; null until it is needed. Threads that race make equal ones.
    private final Kind kind;
    private final int markers;              // LOWER, UPPER: bounds that a program has set.
    private final int[] parts;              // Bytes of the elements that MPI counts, in order, again and again.
    private final boolean isPredefined;
    private final Attributes attributes = new Attributes();
    private String name;
    private boolean isCommitted;
    private boolean isFree;

    private Datatype(
        final String name, final Basic basic, final Layout layout, final Kind kind, final int markers,
        final int... parts)
    {
        this.name = name;
        this.basic = basic;
        this.layout = layout;
        this.kind = kind;
        this.markers = markers;
        this.parts = parts;
        isPredefined = !name.isEmpty();
        isCommitted = isPredefined;
        isFree = kind == Kind.NULL;
    }

    private static Datatype basic(final String name, final Basic basic)
    {
        return new Datatype(name, basic, Layout.of(basic.array), Kind.BASIC, 0, basic.length());
    }

    private static Datatype empty(final String name, final Kind kind, final int markers)
    {
        final Layout none = Layout.of(PrimitiveArray.BYTES).blocks(new long[0], new int[0]);
        return new Datatype(name, Basic.BYTE, none, kind, markers, 1);
    }

    private static Datatype twice(final String name, final Basic basic, final Kind kind, final int part)
    {
        return new Datatype(name, basic, Layout.of(basic.array).blocks(new long[] {0}, new int[] {2}), kind, 0, part);
    }

    private static Datatype pair(final String name, final int valueLength)
    {
        final int indexOffset = Math.max(valueLength, Integer.BYTES);
        final Layout layout = Layout.of(PrimitiveArray.BYTES)
            .blocks(new long[] {0, indexOffset}, new int[] {valueLength, Integer.BYTES})
            .resized(0, 2L * indexOffset);
        return new Datatype(name, Basic.BYTE, layout, Kind.PAIR, 0, valueLength, Integer.BYTES);
    }

    // mpiJava 1.2

    /** {@return basic elements from the lower to the upper bound} */
    public int Extent() throws MPIException
    {
        return Math.toIntExact(valid().layout.extent());
    }

    /** {@return number of basic elements} */
    public int Size() throws MPIException
    {
        return valid().layout.size();
    }

    /** {@return lower bound, in basic elements} */
    public int Lb() throws MPIException
    {
        return Math.toIntExact(valid().layout.lowerBound());
    }

    /** {@return upper bound, in basic elements} */
    public int Ub() throws MPIException
    {
        return Math.toIntExact(valid().layout.lowerBound() + layout.extent());
    }

    /** Commits the type. Methods of mpiJava take types that are not committed, too, as those of MPJ Express do. */
    public void Commit() throws MPIException
    {
        commit();
    }

    /**
     * Returns elements that lie one behind the other.
     *
     * @param count   elements.
     * @param oldtype of each.
     * @return the type.
     */
    public static Datatype Contiguous(final int count, final Datatype oldtype) throws MPIException
    {
        return required(oldtype).blocks(new long[] {0}, count);
    }

    /**
     * Returns blocks at equal distances.
     *
     * @param count       blocks.
     * @param blocklength elements in each.
     * @param stride      from block to block, in elements.
     * @param oldtype     of elements.
     * @return the type.
     */
    public static Datatype Vector(final int count, final int blocklength, final int stride, final Datatype oldtype)
        throws MPIException
    {
        return required(oldtype).vector(count, blocklength, stride * oldtype.layout.extent());
    }

    /**
     * Returns blocks at equal distances.
     *
     * @param count       blocks.
     * @param blocklength elements in each.
     * @param stride      from block to block, in basic elements.
     * @param oldtype     of elements.
     * @return the type.
     */
    public static Datatype Hvector(final int count, final int blocklength, final int stride, final Datatype oldtype)
        throws MPIException
    {
        return required(oldtype).vector(count, blocklength, stride);
    }

    /**
     * Returns blocks of their own lengths and places.
     *
     * @param array_of_blocklengths  elements in each.
     * @param array_of_displacements of each, in elements.
     * @param oldtype                of elements.
     * @return the type.
     */
    public static Datatype Indexed(
        final int[] array_of_blocklengths, final int[] array_of_displacements, final Datatype oldtype)
        throws MPIException
    {
        final long extent = required(oldtype).layout.extent();
        return oldtype.blocks(
            displacements(array_of_displacements).mapToLong(i -> i * extent).toArray(), array_of_blocklengths);
    }

    /**
     * Returns blocks of their own lengths and places.
     *
     * @param array_of_blocklengths  elements in each.
     * @param array_of_displacements of each, in basic elements.
     * @param oldtype                of elements.
     * @return the type.
     */
    public static Datatype Hindexed(
        final int[] array_of_blocklengths, final int[] array_of_displacements, final Datatype oldtype)
        throws MPIException
    {
        return required(oldtype).blocks(
            displacements(array_of_displacements).asLongStream().toArray(), array_of_blocklengths);
    }

    /**
     * Returns blocks of their own types, of one basic type; {@code MPI.LB} and {@code MPI.UB} set bounds.
     *
     * @param array_of_blocklengths  elements in each.
     * @param array_of_displacements of each, in basic elements.
     * @param array_of_types         of elements of each.
     * @return the type.
     */
    public static Datatype Struct(
        final int[] array_of_blocklengths, final int[] array_of_displacements, final Datatype[] array_of_types)
        throws MPIException
    {
        Datatype like = null;
        for (final Datatype type : types(array_of_types))
        {
            if (required(type).kind != Kind.MARKER)
            {
                like = like == null ? type : like;
                if (type.basic != like.basic || type.isObject() != like.isObject())
                {
                    throw new MPIException(MPI.ERR_TYPE, "types of a struct have different basic types: " +
                        like.basic + " and " + type.basic);
                }
            }
        }
        final Layout[] layouts = Arrays.stream(array_of_types).map(type -> type.layout).toArray(Layout[]::new);
        return struct(like == null ? BYTE : like, array_of_blocklengths, array_of_displacements, array_of_types,
            layouts);
    }

    // Open MPI

    /** {@return lower bound, in basic elements} */
    public int getLb() throws MPIException
    {
        return inUnits(valid().layout.lowerBound());
    }

    /** {@return extent, in basic elements} */
    public int getExtent() throws MPIException
    {
        return inUnits(valid().layout.extent());
    }

    /** {@return place of the first basic element, in basic elements} */
    public int getTrueLb() throws MPIException
    {
        return inUnits(valid().layout.trueLowerBound());
    }

    /** {@return extent without gaps at the ends, in basic elements} */
    public int getTrueExtent() throws MPIException
    {
        return inUnits(valid().layout.trueUpperBound() - layout.trueLowerBound());
    }

    /** {@return number of basic elements} */
    public int getSize() throws MPIException
    {
        return inUnits(valid().layout.size());
    }

    /** Commits the type; before, it can only be used to make other types. */
    public void commit() throws MPIException
    {
        valid().isCommitted = true;
    }

    /**
     * Frees the type; operations in progress are not affected.
     *
     * @throws MPIException if it is a predefined one.
     */
    @Override
    public void free() throws MPIException
    {
        if (isPredefined)
        {
            throw new MPIException(MPI.ERR_TYPE, name + " is predefined and cannot be freed");
        }
        valid();
        isFree = true;
    }

    /** {@return whether it was freed, or is the null type} */
    public boolean isNull()
    {
        return isFree;
    }

    @Override
    public Datatype clone()
    {
        return dup();
    }

    /** {@return an equal type} */
    public Datatype dup() throws MPIException
    {
        final Datatype copy = new Datatype("", valid().basic, layout, kind, markers, parts);
        copy.isCommitted = isCommitted;
        return copy;
    }

    /**
     * Returns elements that lie one behind the other.
     *
     * @param count   elements.
     * @param oldType of each.
     * @return the type.
     */
    public static Datatype createContiguous(final int count, final Datatype oldType) throws MPIException
    {
        return Contiguous(count, oldType);
    }

    /**
     * Returns blocks at equal distances.
     *
     * @param count       blocks.
     * @param blockLength elements in each.
     * @param stride      from block to block, in elements.
     * @param oldType     of elements.
     * @return the type.
     */
    public static Datatype createVector(
        final int count, final int blockLength, final int stride, final Datatype oldType) throws MPIException
    {
        return Vector(count, blockLength, stride, oldType);
    }

    /**
     * Returns blocks at equal distances.
     *
     * @param count       blocks.
     * @param blockLength elements in each.
     * @param stride      from block to block, in bytes.
     * @param oldType     of elements.
     * @return the type.
     */
    public static Datatype createHVector(
        final int count, final int blockLength, final int stride, final Datatype oldType) throws MPIException
    {
        return required(oldType).vector(count, blockLength, oldType.fromBytes(stride));
    }

    /**
     * Returns blocks of their own lengths and places.
     *
     * @param blockLengths  elements in each.
     * @param displacements of each, in elements.
     * @param oldType       of elements.
     * @return the type.
     */
    public static Datatype createIndexed(final int[] blockLengths, final int[] displacements, final Datatype oldType)
        throws MPIException
    {
        return Indexed(blockLengths, displacements, oldType);
    }

    /**
     * Returns blocks of their own lengths and places.
     *
     * @param blockLengths  elements in each.
     * @param displacements of each, in bytes.
     * @param oldType       of elements.
     * @return the type.
     */
    public static Datatype createHIndexed(final int[] blockLengths, final int[] displacements, final Datatype oldType)
        throws MPIException
    {
        required(oldType);
        return oldType.blocks(displacements(displacements).mapToLong(oldType::fromBytes).toArray(), blockLengths);
    }

    /**
     * Returns blocks of their own types; the basic type is BYTE. The extent is rounded up to the longest alignment.
     *
     * @param blockLengths  elements in each.
     * @param displacements of each, in bytes.
     * @param types         of elements of each.
     * @return the type.
     */
    public static Datatype createStruct(final int[] blockLengths, final int[] displacements, final Datatype[] types)
        throws MPIException
    {
        int alignment = 1;
        for (final Datatype type : types(types))
        {
            alignment = Math.max(alignment, required(type).alignment());
        }
        final Layout[] layouts = Arrays.stream(types).map(type -> type.layout.bytes()).toArray(Layout[]::new);
        final Datatype made = struct(BYTE, blockLengths, displacements, types, layouts);
        final long extent = made.layout.extent();
        return (made.markers & UPPER) != 0 || extent % alignment == 0 ? made : made.derived(made.layout.resized(
            made.layout.lowerBound(), extent + alignment - Math.floorMod(extent, (long)alignment)), made.markers);
    }

    /**
     * Returns a type with other bounds.
     *
     * @param oldType the type.
     * @param lb      lower bound, in bytes.
     * @param extent  in bytes.
     * @return the type.
     */
    public static Datatype createResized(final Datatype oldType, final int lb, final int extent) throws MPIException
    {
        return required(oldType).derived(
            oldType.layout.resized(oldType.fromBytes(lb), oldType.fromBytes(extent)), LOWER | UPPER);
    }

    /**
     * Names the type.
     *
     * @param newName of it.
     */
    public void setName(final String newName) throws MPIException
    {
        valid();
        name = newName;
    }

    /** {@return the type's name} */
    public String getName() throws MPIException
    {
        return valid().name;
    }

    /** {@return a new key of attributes} */
    public static int createKeyval() throws MPIException
    {
        return Attributes.createKey();
    }

    /**
     * Frees a key of attributes.
     *
     * @param keyval the key.
     */
    public static void freeKeyval(final int keyval) throws MPIException
    {
        Attributes.freeKey(keyval);
    }

    /**
     * Sets an attribute.
     *
     * @param keyval its key.
     * @param value  its value.
     */
    public void setAttr(final int keyval, final Object value) throws MPIException
    {
        valid().attributes.set(keyval, value);
    }

    /**
     * Returns an attribute.
     *
     * @param keyval its key.
     * @return its value; null if there is none.
     */
    public Object getAttr(final int keyval) throws MPIException
    {
        return valid().attributes.get(keyval);
    }

    /**
     * Removes an attribute.
     *
     * @param keyval its key.
     */
    public void deleteAttr(final int keyval) throws MPIException
    {
        valid().attributes.delete(keyval);
    }

    // The library

    Layout layout()
    {
        return layout;
    }

    PrimitiveArray basic()
    {
        return basic.array;
    }

    boolean isObject()
    {
        return kind == Kind.OBJECT;
    }

    /**
     * Basic elements of that many bytes of a message; {@code MPI.UNDEFINED} if the last one is not whole. A predefined
     * pair is one, as in Open MPI.
     */
    long elements(final long length)
    {
        if (kind == Kind.PAIR)
        {
            return count(length);
        }
        final long period = IntStream.of(parts).asLongStream().sum();
        long count = length / period * parts.length;
        long rest = length % period;
        for (int i = 0; rest > 0; i++)
        {
            rest -= parts[i];
            count++;
        }
        return rest < 0 ? MPI.UNDEFINED : count;
    }

    /** Elements of this type in that many bytes of a message; {@code MPI.UNDEFINED} if the last one is not whole. */
    long count(final long length)
    {
        final long packedLength = layout.packedLength();
        if (Long.bitCount(packedLength) == 1)           // The usual ones: a division takes as long as all the rest.
        {
            return (length & packedLength - 1) != 0 ? MPI.UNDEFINED :
                length >> Long.numberOfTrailingZeros(packedLength);
        }
        return packedLength == 0 ? length == 0 ? 0 : MPI.UNDEFINED :
            length % packedLength == 0 ? length / packedLength : MPI.UNDEFINED;
    }

    /** Checks that a call can have so many elements of this type. */
    void check(final int count)
    {
        valid();
        if (count < 0)
        {
            throw new MPIException(MPI.ERR_COUNT, "count=" + count + " is negative");
        }
        if (kind == Kind.MARKER)
        {
            throw new MPIException(MPI.ERR_TYPE, name + " is no type of elements");
        }
    }

    /** Basic elements that there is room for; in an array of other values only if any array is taken as memory. */
    int room(final Object buffer, final boolean isAnyArray)
    {
        if (buffer instanceof final Buffer memory && !isObject())
        {
            return (int)Math.min(
                (long)memory.capacity() * elementLength(memory) / basic.length(), Integer.MAX_VALUE);
        }
        if (buffer == null)
        {
            throw new MPIException(MPI.ERR_BUFFER, "the buffer is null");
        }
        final Class<?> component = buffer.getClass().getComponentType();
        if (component != null && (isObject() ? !component.isPrimitive() : component == basic.component))
        {
            return Array.getLength(buffer);
        }
        final PrimitiveArray other = isAnyArray && !isObject() ? PrimitiveArray.of(buffer) : null;
        if (other == null)
        {
            throw new MPIException(MPI.ERR_TYPE, "a buffer of class " + buffer.getClass().getTypeName() +
                " has no elements of type " + (isObject() ? "OBJECT" : basic.toString()));
        }
        return (int)Math.min((long)Array.getLength(buffer) * other.elementLength(), Integer.MAX_VALUE) /
            basic.length();
    }

    /** Whether an array has elements of the basic type. */
    boolean isOf(final Object array)
    {
        return array.getClass().getComponentType() == basic.component;
    }

    /** The same elements, counted in bytes. */
    Layout bytes()
    {
        if (bytes == null)
        {
            bytes = layout.bytes();
        }
        return bytes;
    }

    /** Returns a type of the same elements, which begin at any byte of memory. */
    Datatype inBytes()
    {
        final Datatype same = new Datatype("", Basic.BYTE, bytes(), kind, markers, parts);
        same.isCommitted = isCommitted;
        same.isFree = isFree;
        return same;
    }

    static int elementLength(final Buffer memory)
    {
        return memory instanceof ByteBuffer ? Byte.BYTES :
            memory instanceof ShortBuffer || memory instanceof CharBuffer ? Short.BYTES :
            memory instanceof LongBuffer || memory instanceof DoubleBuffer ? Long.BYTES : Integer.BYTES;
    }

    int extentInBytes()
    {
        return Math.toIntExact(valid().layout.extent() * basic.length());
    }

    /** Makes an array of the basic type. */
    Object newArray(final int length)
    {
        return isObject() ? new Object[length] : Array.newInstance(basic.component, length);
    }

    /** Basic elements before the first element, if that many of this type lie in an array of their own. */
    int before(final int count)
    {
        return Math.toIntExact(-Math.min(0, layout.trueLowerBound() + Math.min(0, (count - 1) * layout.extent())));
    }

    /** Basic elements from the first element on, if that many of this type lie in an array of their own. */
    int span(final int count)
    {
        return Math.toIntExact(Math.max(count * layout.extent(),
            layout.trueUpperBound() + Math.max(0, (count - 1) * layout.extent())));
    }

    /** The numbers that all elements are; null if they are none, or of several types. */
    Reduction.Type numbers()
    {
        return kind != Kind.OBJECT && parts.length == 1 && parts[0] == basic.length() ? basic.type : null;
    }

    /** The numbers of which two are one element; null if it is no type of complex numbers. */
    Reduction.Type complexNumbers()
    {
        return parts.length == 1 && parts[0] == 2 * basic.length() ? basic.type : null;
    }

    /** The numbers that come before indices in pairs; null if it is no type of pairs. */
    Reduction.Type pairValues()
    {
        final Reduction.Type numbers = numbers();
        return numbers != null ? layout.size() == 2 ? numbers : null :
            kind != Kind.PAIR ? null :
            parts == SHORT_INT.parts ? Reduction.Type.SHORT : parts == FLOAT_INT.parts ? Reduction.Type.FLOAT :
            parts == LONG_INT.parts ? Reduction.Type.LONG : Reduction.Type.DOUBLE;
    }

    /** Returns a type that is an argument. */
    static Datatype required(final Datatype type)
    {
        return MPIException.required(type, MPI.ERR_TYPE, "the datatype").valid();
    }

    /** Returns this type, which elements of messages, windows and files may have. */
    Datatype committed()
    {
        if (!valid().isCommitted)
        {
            throw new MPIException(MPI.ERR_TYPE, "the type " + this + " is not committed");
        }
        return this;
    }

    /** Returns this type, unless it was freed. */
    private Datatype valid()
    {
        if (isFree)
        {
            throw new MPIException(MPI.ERR_TYPE, "the type is null, or was freed");
        }
        return this;
    }

    private int alignment()
    {
        return basic == Basic.BYTE ? IntStream.of(parts).max().orElse(1) : basic.length();
    }

    private int inUnits(final long basicElements)
    {
        return Math.toIntExact(kind == Kind.PAIR ? basicElements * basic.length() : basicElements);
    }

    private long fromBytes(final int bytes)
    {
        if (bytes % basic.length() != 0)
        {
            throw new MPIException(MPI.ERR_ARG, "displacement=" + bytes + " bytes is no multiple of the length=" +
                basic.length() + " of a basic element");
        }
        return bytes / basic.length();
    }

    private Datatype derived(final Layout newLayout, final int newMarkers)
    {
        return new Datatype("", basic, newLayout, isObject() ? Kind.OBJECT : Kind.BASIC, newMarkers, parts);
    }

    private Datatype vector(final int count, final int blockLength, final long stride)
    {
        checkCount(count);
        final long[] displacements = new long[count];
        final int[] blockLengths = new int[count];
        for (int i = 0; i < count; i++)
        {
            displacements[i] = i * stride;
            blockLengths[i] = blockLength;
        }
        return blocks(displacements, blockLengths);
    }

    private Datatype blocks(final long[] displacements, final int... blockLengths)
    {
        valid();
        checkLengths(blockLengths, displacements.length);
        try
        {
            return derived(layout.blocks(displacements, blockLengths), markers);
        }
        catch (final ArithmeticException ex)
        {
            throw new MPIException(MPI.ERR_ARG, "a type has more elements, or one further away, than an array can");
        }
    }

    private static Datatype struct(
        final Datatype like, final int[] blockLengths, final int[] displacements, final Datatype[] types,
        final Layout[] layouts)
    {
        final long[] longDisplacements = displacements(displacements).asLongStream().toArray();
        checkLengths(blockLengths, longDisplacements.length);
        checkLengths(blockLengths, types.length);
        final IntStream.Builder parts = IntStream.builder();
        long lower = Long.MAX_VALUE;
        long upper = Long.MIN_VALUE;
        int markers = 0;
        for (int i = 0; i < types.length; i++)
        {
            final Layout layout = layouts[i];
            final long steps = (blockLengths[i] - 1) * layout.extent();
            final long first = displacements[i] + layout.lowerBound();
            final boolean isThere = blockLengths[i] > 0;
            if (isThere && (types[i].markers & LOWER) != 0)
            {
                lower = Math.min(lower, first + Math.min(0, steps));
                markers |= LOWER;
            }
            if (isThere && (types[i].markers & UPPER) != 0)
            {
                upper = Math.max(upper, first + layout.extent() + Math.max(0, steps));
                markers |= UPPER;
            }
            types[i].addParts(parts, blockLengths[i]);
        }
        final Layout natural = struct(like.basic, layouts, longDisplacements, blockLengths, types);
        lower = (markers & LOWER) != 0 ? lower : natural.lowerBound();
        upper = (markers & UPPER) != 0 ? upper : natural.lowerBound() + natural.extent();
        return new Datatype("", like.basic, natural.resized(lower, upper - lower),
            like.isObject() ? Kind.OBJECT : Kind.BASIC, markers, shortest(parts.build().toArray()));
    }

    /** Elements without those that only set bounds. */
    private static Layout struct(
        final Basic basic, final Layout[] layouts, final long[] displacements, final int[] blockLengths,
        final Datatype[] types)
    {
        final int[] lengths = blockLengths.clone();
        for (int i = 0; i < lengths.length; i++)
        {
            lengths[i] = types[i].kind == Kind.MARKER ? 0 : lengths[i];
        }
        try
        {
            return Layout.of(basic.array, layouts, displacements, lengths);
        }
        catch (final ArithmeticException ex)
        {
            throw new MPIException(MPI.ERR_ARG, "a type has more elements, or one further away, than an array can");
        }
    }

    private void addParts(final IntStream.Builder all, final int blockLength)
    {
        final long times = blockLength * layout.packedLength() / IntStream.of(parts).asLongStream().sum();
        for (long i = 0; i < times; i++)
        {
            for (final int part : parts)
            {
                all.add(part);
            }
        }
    }

    private static int[] shortest(final int[] parts)
    {
        return parts.length == 0 ? new int[] {1} :
            IntStream.of(parts).allMatch(part -> part == parts[0]) ? new int[] {parts[0]} : parts;
    }

    private static void checkCount(final int count)
    {
        if (count < 0)
        {
            throw new MPIException(MPI.ERR_COUNT, "count=" + count + " is negative");
        }
    }

    private static IntStream displacements(final int... displacements)
    {
        return IntStream.of(MPIException.required(displacements, MPI.ERR_ARG, "the array of displacements"));
    }

    private static Datatype[] types(final Datatype... types)
    {
        return MPIException.required(types, MPI.ERR_TYPE, "the array of datatypes");
    }

    private static void checkLengths(final int[] blockLengths, final int count)
    {
        if (MPIException.required(blockLengths, MPI.ERR_ARG, "the array of block lengths").length != count)
        {
            throw new MPIException(MPI.ERR_ARG, "block lengths=" + blockLengths.length +
                " and displacements or types=" + count + " differ");
        }
        for (final int length : blockLengths)
        {
            checkCount(length);
        }
    }

    @Override
    public String toString()
    {
        return name.isEmpty() ? "derived from " + basic : name;
    }

    /** Kinds of types. */
    private enum Kind
    {
        /** A type of basic elements. */
        BASIC,
        /** A type of objects; the layout counts them. */
        OBJECT,
        /** A type of a value and an index; Open MPI counts it in bytes. */
        PAIR,
        /** A type of no elements, which sets a bound. */
        MARKER,
        /** No type. */
        NULL
    }
}
