// SPDX-License-Identifier: Apache-2.0
package programs;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import mpi.Datatype;
import mpi.MPI;

/** Types and memory of the cases of {@link OracleProgram}. */
final class Oracle
{
    /** Letters of the basic types, and what Java has for each. */
    private static final String LETTERS = "bhsildfzxyISLFD";
    private static final String PAIRS = "ISLFD";

    private Oracle()
    {
    }

    private static Datatype named(final char letter)
    {
        final Datatype[] types = {MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.DOUBLE, MPI.FLOAT, MPI.BOOLEAN,
            MPI.FLOAT_COMPLEX, MPI.DOUBLE_COMPLEX, MPI.INT2, MPI.SHORT_INT, MPI.LONG_INT, MPI.FLOAT_INT,
            MPI.DOUBLE_INT};
        return types[LETTERS.indexOf(letter)];
    }

    /** Bytes of the Java elements of a type. */
    private static int unit(final char letter)
    {
        return switch (letter)
        {
            case 'h', 's' -> 2;
            case 'i', 'f', 'x', 'I' -> 4;
            case 'l', 'd', 'y' -> 8;
            default -> 1;
        };
    }

    /** A type; its bounds are in bytes. */
    record Type(Datatype datatype, char letter, int lower, int extent, int trueLower, int trueExtent, int size)
    {
        static Type parse(final OracleProgram program)
        {
            final char[] letter = {0};
            final String word = program.word();
            final Datatype made = parse(program, word, letter);
            made.commit();
            return of(made, letter[0], word.length() == 1);
        }

        static Type bytes()
        {
            return of(MPI.BYTE, 'b', true);
        }

        private static Type of(final Datatype made, final char letter, final boolean isNamed)
        {
            final int unit = isNamed && PAIRS.indexOf(letter) >= 0 ? 1 : unit(letter);
            final int size = made.getSize() * unit;
            return new Type(made, letter, made.getLb() * unit, made.getExtent() * unit,
                size == 0 ? 0 : made.getTrueLb() * unit, size == 0 ? 0 : made.getTrueExtent() * unit, size);
        }

        /** Reads a type in prefix notation; the letter is that of its basic elements, B for several. */
        private static Datatype parse(final OracleProgram program, final String word, final char... letter)
        {
            if (word.length() == 1)
            {
                letter[0] = word.charAt(0);
                return named(letter[0]);
            }
            final int count = program.number();
            return switch (word)
            {
                case "con" -> Datatype.createContiguous(count, parse(program, program.word(), letter));
                case "vec", "hve" ->
                {
                    final int length = program.number();
                    final int stride = program.number();
                    final Datatype inner = parse(program, program.word(), letter);
                    yield word.equals("vec") ? Datatype.createVector(count, length, stride, inner) :
                        Datatype.createHVector(count, length, stride, inner);
                }
                case "res" ->
                {
                    final int extent = program.number();
                    yield Datatype.createResized(parse(program, program.word(), letter), count, extent);
                }
                default -> parseBlocks(program, word, count, letter);
            };
        }

        private static Datatype parseBlocks(
            final OracleProgram program, final String word, final int count, final char... letter)
        {
            final int[] lengths = new int[count];
            final int[] places = new int[count];
            final Datatype[] types = new Datatype[count];
            for (int i = 0; i < count; i++)
            {
                lengths[i] = program.number();
                places[i] = program.number();
                types[i] = word.equals("str") ? parse(program, program.word(), letter) : null;
            }
            if (word.equals("str"))
            {
                letter[0] = 'B';
                return Datatype.createStruct(lengths, places, types);
            }
            final Datatype inner = parse(program, program.word(), letter);
            return word.equals("idx") ? Datatype.createIndexed(lengths, places, inner) :
                Datatype.createHIndexed(lengths, places, inner);
        }
    }

    /** Room for elements, with 16 bytes or more before and behind. */
    static final class Memory
    {
        final Object at;                // The argument of calls.
        final int offset;               // In basic elements; 0 in Open MPI's dialect.
        final int lead;                 // Bytes before the first element.
        final int length;
        private final char letter;
        private final Object store;     // An array, or a direct buffer.

        Memory(final OracleProgram program, final Type type, final long count, final int salt)
        {
            final long last = count > 0 ? (count - 1) * type.extent : 0;
            final long low = count > 0 ? type.trueLower + Math.min(0, last) : 0;
            final long high = count > 0 ? type.trueLower + type.trueExtent + Math.max(0, last) : 0;
            lead = (int)((Math.max(0, -low) + 31) / 16 * 16);
            length = Math.toIntExact(lead + (Math.max(0, high) + 31) / 16 * 16);
            letter = type.letter;
            final ByteBuffer bytes = MPI.newByteBuffer(length);
            fill(program, bytes, salt);
            store = program.dialect == 2 ? bytes : array(bytes);
            offset = program.dialect == 0 ? lead / unit(letter) : 0;
            at = program.dialect == 0 ? store : program.dialect == 2 ? MPI.slice(bytes, lead) : slice();
        }

        private Object slice()
        {
            final int start = lead / unit(letter);
            return store instanceof byte[] array ? MPI.slice(array, start) :
                store instanceof char[] array ? MPI.slice(array, start) :
                store instanceof short[] array ? MPI.slice(array, start) :
                store instanceof int[] array ? MPI.slice(array, start) :
                store instanceof long[] array ? MPI.slice(array, start) :
                store instanceof float[] array ? MPI.slice(array, start) : MPI.slice((double[])store, start);
        }

        private Object array(final ByteBuffer bytes)
        {
            final Class<?> type = switch (letter)
            {
                case 'h' -> char.class;
                case 's' -> short.class;
                case 'i', 'I' -> int.class;
                case 'l' -> long.class;
                case 'f', 'x' -> float.class;
                case 'd', 'y' -> double.class;
                case 'z' -> boolean.class;
                default -> byte.class;
            };
            final int unit = unit(letter);
            final Object array = Array.newInstance(type, length / unit);
            for (int i = 0; i < length / unit; i++)
            {
                Array.set(array, i, switch (letter)
                {
                    case 'h' -> (Object)bytes.getChar(unit * i);
                    case 's' -> bytes.getShort(unit * i);
                    case 'i', 'I' -> bytes.getInt(unit * i);
                    case 'l' -> bytes.getLong(unit * i);
                    case 'f', 'x' -> bytes.getFloat(unit * i);
                    case 'd', 'y' -> bytes.getDouble(unit * i);
                    case 'z' -> bytes.get(i) != 0;
                    default -> bytes.get(i);
                });
            }
            return array;
        }

        byte[] bytes()
        {
            final byte[] bytes = new byte[length];
            if (store instanceof final ByteBuffer buffer)
            {
                buffer.get(0, bytes);
                return bytes;
            }
            final ByteBuffer to = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
            final int unit = unit(letter);
            for (int i = 0; i < length / unit; i++)
            {
                final Object value = Array.get(store, i);
                switch (letter)
                {
                    case 'h' -> to.putChar(unit * i, (char)value);
                    case 's' -> to.putShort(unit * i, (short)value);
                    case 'i', 'I' -> to.putInt(unit * i, (int)value);
                    case 'l' -> to.putLong(unit * i, (long)value);
                    case 'f', 'x' -> to.putFloat(unit * i, (float)value);
                    case 'd', 'y' -> to.putDouble(unit * i, (double)value);
                    case 'z' -> to.put(i, (byte)((boolean)value ? 1 : 0));
                    default -> to.put(i, (byte)value);
                }
            }
            return bytes;
        }

        private static long mix(final long number)
        {
            long x = (number ^ number >>> 33) * 0xff51afd7ed558ccdL;
            x = (x ^ x >>> 33) * 0xc4ceb9fe1a85ec53L;
            return x ^ x >>> 33;
        }

        private void fill(final OracleProgram program, final ByteBuffer to, final int salt)
        {
            final boolean isReduction = program.isReduction;
            final int step = letter == 'L' || letter == 'D' ? 16 : PAIRS.indexOf(letter) >= 0 ? 8 : unit(letter);
            for (int at = 0, k = 0; at < length; at += step, k++)
            {
                final long mixed = mix(program.id << 40 ^ (long)salt << 32 ^ k);
                final long v = !program.isSmall || "bhs".indexOf(letter) < 0 ? mixed :
                    Long.remainderUnsigned(mixed, 5) - (letter == 'h' ? 0 : 2);
                final int small = (int)Long.remainderUnsigned(v, isReduction ? 3 : 30000);
                final int index = (int)Long.remainderUnsigned(v >>> 20, 7);
                final float number = isReduction ? Long.remainderUnsigned(v, 9) - 4 : Long.remainderUnsigned(v, 100003);
                switch (letter)
                {
                    case 'z' -> to.put(at, (byte)(v & 1));
                    case 'h', 's' -> to.putShort(at, (short)v);
                    case 'i' -> to.putInt(at, (int)v);
                    case 'l' -> to.putLong(at, v);
                    case 'f', 'x' -> to.putFloat(at, number);
                    case 'd', 'y' -> to.putDouble(at, number);
                    case 'I' -> to.putInt(at, small).putInt(at + 4, index);
                    case 'S' -> to.putShort(at, (short)small).putInt(at + 4, index);
                    case 'F' -> to.putFloat(at, small).putInt(at + 4, index);
                    case 'L' -> to.putLong(at, small).putInt(at + 8, index);
                    case 'D' -> to.putDouble(at, small).putInt(at + 8, index);
                    default -> to.put(at, (byte)v);
                }
            }
        }
    }
}
