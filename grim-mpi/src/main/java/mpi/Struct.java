// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Base of a user's struct: fields that are added one by one, at offsets in bytes, and views of its elements in buffers.
 * <p>Thread: any, one at a time.
 */
public abstract class Struct
{
    private final List<Datatype> types = new ArrayList<>();
    private final List<Integer> offsets = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private int extent;
    private Datatype datatype;

    // Open MPI

    /** Has no fields. */
    protected Struct()
    {
        // Fields are added.
    }

    /** {@return bytes from one element to the next} */
    public final int getExtent() throws MPIException
    {
        getType();
        return extent;
    }

    /** {@return type of the struct, which is committed; no fields can be added any more} */
    public final Datatype getType() throws MPIException
    {
        if (datatype == null)
        {
            datatype = Datatype.createStruct(ints(lengths), ints(offsets), types.toArray(Datatype[]::new));
            datatype.commit();
            extent = datatype.getExtent();
        }
        return datatype;
    }

    private static int[] ints(final List<Integer> list)
    {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    /** {@return a new view} */
    protected abstract Data newData();

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})    // Data is the subclass's, and so is T.
    private <T extends Data> T newData(final ByteBuffer buffer, final int offset)
    {
        final Data data = newData();
        data.buffer = MPI.required(buffer);
        data.offset = offset;
        return (T)data;
    }

    /**
     * Returns a view of an element at the beginning of a buffer.
     *
     * @param <T>    class of the view.
     * @param buffer that it lies in.
     * @return the view.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public final <T extends Data> T getData(final ByteBuffer buffer) throws MPIException
    {
        return getData(buffer, 0);
    }

    /**
     * Returns a view of an element of several.
     *
     * @param <T>    class of the view.
     * @param buffer that they lie in.
     * @param index  of the element.
     * @return the view.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public final <T extends Data> T getData(final ByteBuffer buffer, final int index) throws MPIException
    {
        return newData(buffer, index * getExtent());
    }

    /**
     * Returns a view of an element at the beginning of an array.
     *
     * @param <T>   class of the view.
     * @param array that it lies in.
     * @return the view.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public final <T extends Data> T getData(final byte[] array) throws MPIException
    {
        return getData(array, 0);
    }

    /**
     * Returns a view of an element of several.
     *
     * @param <T>   class of the view.
     * @param array that they lie in.
     * @param index of the element.
     * @return the view.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public final <T extends Data> T getData(final byte[] array, final int index) throws MPIException
    {
        return getData(ByteBuffer.wrap(MPI.required(array)).order(ByteOrder.nativeOrder()), index);
    }

    /**
     * Sets where the next field begins.
     *
     * @param offset not before the end of the last field.
     * @return this.
     */
    public final Struct setOffset(final int offset)
    {
        checkOpen();
        if (offset < extent)
        {
            throw new IllegalArgumentException("offset=" + offset + " is before the end=" + extent +
                " of the last field");
        }
        extent = offset;
        return this;
    }

    /** {@return offset of a new field of type byte} */
    public final int addByte()
    {
        return addByte(1);
    }

    /**
     * Adds an array.
     *
     * @param length its elements of type byte.
     * @return its offset.
     */
    public final int addByte(final int length)
    {
        return addField(Datatype.BYTE, length);
    }

    /** {@return offset of a new field of type char} */
    public final int addChar()
    {
        return addChar(1);
    }

    /**
     * Adds an array.
     *
     * @param length its elements of type char.
     * @return its offset.
     */
    public final int addChar(final int length)
    {
        return addField(Datatype.CHAR, length);
    }

    /** {@return offset of a new field of type short} */
    public final int addShort()
    {
        return addShort(1);
    }

    /**
     * Adds an array.
     *
     * @param length its elements of type short.
     * @return its offset.
     */
    public final int addShort(final int length)
    {
        return addField(Datatype.SHORT, length);
    }

    /** {@return offset of a new field of type int} */
    public final int addInt()
    {
        return addInt(1);
    }

    /**
     * Adds an array.
     *
     * @param length its elements of type int.
     * @return its offset.
     */
    public final int addInt(final int length)
    {
        return addField(Datatype.INT, length);
    }

    /** {@return offset of a new field of type long} */
    public final int addLong()
    {
        return addLong(1);
    }

    /**
     * Adds an array.
     *
     * @param length its elements of type long.
     * @return its offset.
     */
    public final int addLong(final int length)
    {
        return addField(Datatype.LONG, length);
    }

    /** {@return offset of a new field of type float} */
    public final int addFloat()
    {
        return addFloat(1);
    }

    /**
     * Adds an array.
     *
     * @param length its elements of type float.
     * @return its offset.
     */
    public final int addFloat(final int length)
    {
        return addField(Datatype.FLOAT, length);
    }

    /** {@return offset of a new field of type double} */
    public final int addDouble()
    {
        return addDouble(1);
    }

    /**
     * Adds an array.
     *
     * @param length its elements of type double.
     * @return its offset.
     */
    public final int addDouble(final int length)
    {
        return addField(Datatype.DOUBLE, length);
    }

    /**
     * Adds a struct.
     *
     * @param struct its type.
     * @return its offset.
     */
    public final int addStruct(final Struct struct) throws MPIException
    {
        return addStruct(struct, 1);
    }

    /**
     * Adds an array of structs.
     *
     * @param struct their type.
     * @param length structs.
     * @return its offset.
     */
    public final int addStruct(final Struct struct, final int length) throws MPIException
    {
        return addField(MPIException.required(struct, MPI.ERR_TYPE, "the struct").getType(), length);
    }

    /**
     * Adds an element of a type.
     *
     * @param type the type.
     * @return its offset.
     */
    public final int addData(final Datatype type) throws MPIException
    {
        return addData(type, 1);
    }

    /**
     * Adds elements of a type.
     *
     * @param type   the type.
     * @param length elements.
     * @return offset of the first one.
     */
    public final int addData(final Datatype type, final int length) throws MPIException
    {
        return addField(type, length);
    }

    private int addField(final Datatype type, final int length)
    {
        checkOpen();
        Datatype.required(type);
        final int offset = extent;
        types.add(type);
        offsets.add(offset);
        lengths.add(length);
        extent = Math.addExact(extent, Math.multiplyExact(type.extentInBytes(), length));
        return offset;
    }

    private void checkOpen()
    {
        if (datatype != null)
        {
            throw new IllegalStateException("the type of the struct is made; fields cannot be added any more");
        }
    }

    /** Base of a view of one element. */
    public abstract class Data
    {
        private ByteBuffer buffer;
        private int offset;

        /** Views nothing yet. */
        protected Data()
        {
            // The struct sets the buffer.
        }

        /** {@return a buffer that begins with the element} */
        public final ByteBuffer getBuffer()
        {
            return from(0);
        }

        /**
         * Returns a value of type byte.
         *
         * @param field its offset.
         * @return the value.
         */
        protected final byte getByte(final int field)
        {
            return buffer.get(offset + field);
        }

        /**
         * Returns a value of an array of type byte.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @return the value.
         */
        protected final byte getByte(final int field, final int index)
        {
            return buffer.get(offset + field + index);
        }

        /**
         * Sets a value of type byte.
         *
         * @param field its offset.
         * @param v     the value.
         */
        protected final void putByte(final int field, final byte v)
        {
            buffer.put(offset + field, v);
        }

        /**
         * Sets a value of an array of type byte.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @param v     the value.
         */
        protected final void putByte(final int field, final int index, final byte v)
        {
            buffer.put(offset + field + index, v);
        }

        /**
         * Returns a value of type char.
         *
         * @param field its offset.
         * @return the value.
         */
        protected final char getChar(final int field)
        {
            return buffer.getChar(offset + field);
        }

        /**
         * Returns a value of an array of type char.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @return the value.
         */
        protected final char getChar(final int field, final int index)
        {
            return buffer.getChar(offset + field + index * Character.BYTES);
        }

        /**
         * Sets a value of type char.
         *
         * @param field its offset.
         * @param v     the value.
         */
        protected final void putChar(final int field, final char v)
        {
            buffer.putChar(offset + field, v);
        }

        /**
         * Sets a value of an array of type char.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @param v     the value.
         */
        protected final void putChar(final int field, final int index, final char v)
        {
            buffer.putChar(offset + field + index * Character.BYTES, v);
        }

        /**
         * Returns a value of type short.
         *
         * @param field its offset.
         * @return the value.
         */
        protected final short getShort(final int field)
        {
            return buffer.getShort(offset + field);
        }

        /**
         * Returns a value of an array of type short.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @return the value.
         */
        protected final short getShort(final int field, final int index)
        {
            return buffer.getShort(offset + field + index * Short.BYTES);
        }

        /**
         * Sets a value of type short.
         *
         * @param field its offset.
         * @param v     the value.
         */
        protected final void putShort(final int field, final short v)
        {
            buffer.putShort(offset + field, v);
        }

        /**
         * Sets a value of an array of type short.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @param v     the value.
         */
        protected final void putShort(final int field, final int index, final short v)
        {
            buffer.putShort(offset + field + index * Short.BYTES, v);
        }

        /**
         * Returns a value of type int.
         *
         * @param field its offset.
         * @return the value.
         */
        protected final int getInt(final int field)
        {
            return buffer.getInt(offset + field);
        }

        /**
         * Returns a value of an array of type int.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @return the value.
         */
        protected final int getInt(final int field, final int index)
        {
            return buffer.getInt(offset + field + index * Integer.BYTES);
        }

        /**
         * Sets a value of type int.
         *
         * @param field its offset.
         * @param v     the value.
         */
        protected final void putInt(final int field, final int v)
        {
            buffer.putInt(offset + field, v);
        }

        /**
         * Sets a value of an array of type int.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @param v     the value.
         */
        protected final void putInt(final int field, final int index, final int v)
        {
            buffer.putInt(offset + field + index * Integer.BYTES, v);
        }

        /**
         * Returns a value of type long.
         *
         * @param field its offset.
         * @return the value.
         */
        protected final long getLong(final int field)
        {
            return buffer.getLong(offset + field);
        }

        /**
         * Returns a value of an array of type long.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @return the value.
         */
        protected final long getLong(final int field, final int index)
        {
            return buffer.getLong(offset + field + index * Long.BYTES);
        }

        /**
         * Sets a value of type long.
         *
         * @param field its offset.
         * @param v     the value.
         */
        protected final void putLong(final int field, final long v)
        {
            buffer.putLong(offset + field, v);
        }

        /**
         * Sets a value of an array of type long.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @param v     the value.
         */
        protected final void putLong(final int field, final int index, final long v)
        {
            buffer.putLong(offset + field + index * Long.BYTES, v);
        }

        /**
         * Returns a value of type float.
         *
         * @param field its offset.
         * @return the value.
         */
        protected final float getFloat(final int field)
        {
            return buffer.getFloat(offset + field);
        }

        /**
         * Returns a value of an array of type float.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @return the value.
         */
        protected final float getFloat(final int field, final int index)
        {
            return buffer.getFloat(offset + field + index * Float.BYTES);
        }

        /**
         * Sets a value of type float.
         *
         * @param field its offset.
         * @param v     the value.
         */
        protected final void putFloat(final int field, final float v)
        {
            buffer.putFloat(offset + field, v);
        }

        /**
         * Sets a value of an array of type float.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @param v     the value.
         */
        protected final void putFloat(final int field, final int index, final float v)
        {
            buffer.putFloat(offset + field + index * Float.BYTES, v);
        }

        /**
         * Returns a value of type double.
         *
         * @param field its offset.
         * @return the value.
         */
        protected final double getDouble(final int field)
        {
            return buffer.getDouble(offset + field);
        }

        /**
         * Returns a value of an array of type double.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @return the value.
         */
        protected final double getDouble(final int field, final int index)
        {
            return buffer.getDouble(offset + field + index * Double.BYTES);
        }

        /**
         * Sets a value of type double.
         *
         * @param field its offset.
         * @param v     the value.
         */
        protected final void putDouble(final int field, final double v)
        {
            buffer.putDouble(offset + field, v);
        }

        /**
         * Sets a value of an array of type double.
         *
         * @param field the array's offset.
         * @param index in the array.
         * @param v     the value.
         */
        protected final void putDouble(final int field, final int index, final double v)
        {
            buffer.putDouble(offset + field + index * Double.BYTES, v);
        }

        /**
         * Returns a view of a struct.
         *
         * @param <S>    class of the struct.
         * @param <D>    class of the view.
         * @param struct its type.
         * @param field  its offset.
         * @return the view.
         */
        @SuppressWarnings("TypeParameterUnusedInFormals")
        protected final <S extends Struct, D extends Struct.Data> D getData(final S struct, final int field)
        {
            return ((Struct)struct).newData(buffer, offset + field);
        }

        /**
         * Returns a view of a struct of an array.
         *
         * @param <S>    class of the struct.
         * @param <D>    class of the view.
         * @param struct its type.
         * @param field  the array's offset.
         * @param index  in the array.
         * @return the view.
         */
        @SuppressWarnings("TypeParameterUnusedInFormals")
        protected final <S extends Struct, D extends Struct.Data> D getData(
            final S struct, final int field, final int index)
        {
            return ((Struct)struct).newData(buffer, offset + field + index * struct.getExtent());
        }

        /**
         * Returns a buffer that begins with a field.
         *
         * @param type  of the field.
         * @param field its offset.
         * @return the buffer.
         */
        protected final ByteBuffer getBuffer(final Datatype type, final int field)
        {
            return getBuffer(type, field, 0);
        }

        /**
         * Returns a buffer that begins with an element of an array.
         *
         * @param type  of the element.
         * @param field the array's offset.
         * @param index in the array.
         * @return the buffer.
         */
        protected final ByteBuffer getBuffer(final Datatype type, final int field, final int index)
            throws MPIException
        {
            return from(field + index * type.extentInBytes());
        }

        private ByteBuffer from(final int position)
        {
            return offset + position == 0 ? buffer : MPI.slice(buffer, offset + position);
        }
    }
}
