// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Makes cases by chance: calls that have one result in any order of the processes. A case is a line: number, processes,
 * view (a: as in the job, r: reversed, iM: an intercommunicator whose second group begins at M), dialect,
 * whether the call is non-blocking, its name, and what that has; types in prefix notation.
 */
public final class OracleCases
{
    private static final int PROCESSES_MAX = 5;
    private static final int MESSAGES_MAX = 10;
    private static final int TAG_FIRST = 100;
    /** Bytes about which a transfer changes its kind, in one of both libraries. */
    private static final int[] THRESHOLDS =
        {0, 8, 64, 500, 2048, 4096, 8192, 12_288, 16_384, 16_384, 32_768, 65_536, 65_536, 131_072, 262_144};
    /** Beyond it Open MPI 4.1 copies a process's own part wrongly if types differ. */
    private static final int OWN_LENGTH_MAX = 65_536;
    private static final String[] INTEGER_OPERATIONS =
        {"max", "min", "sum", "prod", "land", "band", "lor", "bor", "lxor", "bxor"};

    private final Random random;
    private int size;
    private int split;                      // First process of the second group; 0 if there is one.
    private int dialect;
    private boolean isNonblocking;
    private String view;

    public OracleCases(final long seed)
    {
        random = new Random(seed);
    }

    public List<String> make(final int count)
    {
        final List<String> cases = new ArrayList<>();
        for (int id = 1; id <= count; id++)
        {
            size = 1 + random.nextInt(PROCESSES_MAX);
            dialect = random.nextInt(3);
            isNonblocking = dialect == 2 && random.nextBoolean();
            split = 0;
            view = chance(4) ? "r" : "a";
            final String call = call(random.nextInt(100));
            cases.add(id + " " + size + " " + view + " " + dialect + " " + (isNonblocking ? 1 : 0) + " " + call);
        }
        return cases;
    }

    private boolean chance(final int oneOf)
    {
        return random.nextInt(oneOf) == 0;
    }

    private String any(final String... words)
    {
        return words[random.nextInt(words.length)];
    }

    private void inter()
    {
        if (size > 1 && chance(4))
        {
            split = 1 + random.nextInt(size - 1);
            view = "i" + split;
        }
    }

    private String call(final int kind)
    {
        return kind < 40 ? messages() : kind < 48 ? shift() : kind < 53 ? pack() : kind < 54 ? barrier() :
            kind < 70 ? move() : kind < 81 ? parts() : reduction();
    }

    private String barrier()
    {
        return "barrier";
    }

    private String pack()
    {
        final OracleType type = type();
        return "pack " + count(type.size()) + " " + type.text();
    }

    private String shift()
    {
        final Pair pair = pair();
        final int distance = random.nextInt(size);
        return chance(3) ? "srr " + distance + " " + pair.sentCount + " " + pair.sentCount + " " + pair.sent.text() +
            " " + pair.sent.text() : "sr " + distance + " " + pair.sentCount + " " +
            (pair.receivedCount + random.nextInt(3)) + " " + pair.sent.text() + " " + pair.received.text();
    }

    private String move()
    {
        final String name = any("bcast", "gather", "scatter", "allgather", "alltoall");
        if (dialect != 0)
        {
            inter();
        }
        final boolean isInPlace = dialect != 0 && split == 0 && chance(3) && !name.equals("bcast") &&
            !name.equals("alltoall");
        Pair pair = pair();
        while (!pair.sent.equals(pair.received) && pair.sentCount * pair.sent.size() > OWN_LENGTH_MAX)
        {
            pair = pair();
        }
        return name + " " + random.nextInt(size) + " " + (isInPlace ? 1 : 0) + " " + pair.sentCount + " " +
            pair.receivedCount + " " + pair.sent.text() + " " + pair.received.text();
    }

    private String parts()
    {
        final String name = dialect == 0 ? any("gatherv", "scatterv", "allgatherv", "alltoallv") :
            any("gatherv", "scatterv", "allgatherv", "alltoallv", "alltoallw");
        if (dialect != 0)
        {
            inter();
        }
        final boolean isInPlace = dialect != 0 && split == 0 && chance(3) && !name.startsWith("alltoall");
        final OracleType type = type();
        final boolean isPlain = type.low() == 0 && type.high() <= type.extent() && type.letter() != 'B' &&
            OracleType.PAIRS.indexOf(type.letter()) < 0;
        final String other = !isPlain ? type.text() :
            "con " + type.size() / OracleType.named(type.letter()).size() + " " + type.letter();
        final int mod = Math.max(1, count(type.size()));
        return name + " " + random.nextInt(size) + " " + (isInPlace ? 1 : 0) + " " + random.nextInt(mod) + " " + mod +
            " " + random.nextInt(3) + " " + random.nextInt(2) + " " + type.text() + " " + other;
    }

    private String reduction()
    {
        final String name = dialect == 0 ? any("reduce", "allreduce", "scan", "rs") :
            any("reduce", "allreduce", "scan", "exscan", "rs", "rsb", "local");
        if (dialect != 0 && !name.endsWith("scan") && !name.equals("local"))
        {
            inter();
        }
        isNonblocking &= !name.equals("local");
        final boolean isInPlace = dialect != 0 && split == 0 && chance(3) && !name.equals("local");
        char letter;
        do
        {
            letter = "bhsilfdzxyISLFD".charAt(random.nextInt(15));
        }
        while (dialect == 1 && letter == 'z');
        String operation = letter == 'z' ? any("land", "lor", "lxor") :
            letter == 'x' || letter == 'y' ? size <= 2 ? any("sum", "prod") : "sum" :
            OracleType.PAIRS.indexOf(letter) >= 0 ? any("minloc", "maxloc") :
            letter == 'f' || letter == 'd' ? any("max", "min", "sum", "prod") : any(INTEGER_OPERATIONS);
        String type = Character.toString(letter);
        if (chance(8))
        {
            operation = "user";
            type = "con 2 i";
        }
        final int count = count(OracleType.named(letter).size());
        return name + " " + random.nextInt(size) + " " + (isInPlace ? 1 : 0) + " " + operation + " " + count + " " +
            (count + 1 + random.nextInt(8)) + " " + type;
    }

    /** Messages that match in one manner: by tags, by order, or such that it does not matter. */
    private String messages()
    {
        inter();
        isNonblocking = false;
        final int order = random.nextInt(3);
        final int count = 1 + random.nextInt(MESSAGES_MAX);
        final int pattern = random.nextInt(4);
        // A wildcard could match the next round's message: a synchronous send of this one would have no receive.
        final int rounds = pattern == 3 ? 1 : 1 + random.nextInt(2);
        final Pair types = pair();
        final int perElement = Math.max(1, types.sent.size());
        final StringBuilder text = new StringBuilder(
            "p2p " + order + " " + rounds + " " + count + " " + types.sent.text() + " " + types.received.text());
        for (int i = 0; i < count; i++)
        {
            final int source = random.nextInt(size);
            final int target = split == 0 ? random.nextInt(size) : source < split ?
                split + random.nextInt(size - split) : random.nextInt(split);
            final int sent = pattern == 3 ? types.sentCount : count(perElement);
            final int room = pattern == 3 ? 1 : random.nextInt(3);
            final int received = types.received.size() == 0 ? room :
                (int)(((long)sent * types.sent.size() + types.received.size() - 1) / types.received.size()) + room;
            final int receiveMode = receiveMode(pattern);
            text.append(' ').append(source).append(' ').append(target).append(' ')
                .append(pattern == 0 ? TAG_FIRST + i : pattern == 2 ? 3 : random.nextInt(4)).append(' ').append(sent)
                .append(' ').append(received).append(' ').append(sendMode(order, receiveMode)).append(' ')
                .append(receiveMode);
        }
        return text.toString();
    }

    private int receiveMode(final int pattern)
    {
        final int[] byTag = dialect == 0 ? new int[] {0, 1, 4, 5, 7, 8} : new int[] {0, 1, 4, 5, 6, 7, 8, 9};
        return switch (pattern)
        {
            case 0 -> byTag[random.nextInt(byTag.length)];
            case 1 -> 2;
            case 2 -> chance(2) ? 0 : 4;
            default -> 3;
        };
    }

    private int sendMode(final int order, final int receiveMode)
    {
        final int[] modes = order == 0 && receiveMode <= 4 ? new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8} :
            new int[] {0, 0, 1, 2, 3, 7, 8};
        return modes[random.nextInt(modes.length)];
    }

    /** Elements whose bytes are about a threshold. */
    private int count(final int length)
    {
        final int bytes = THRESHOLDS[random.nextInt(THRESHOLDS.length)] + (chance(2) ? 0 : random.nextInt(40) - 20);
        return length == 0 ? random.nextInt(5) : Math.max(0, bytes / length + (chance(3) ? random.nextInt(3) - 1 : 0));
    }

    private OracleType type()
    {
        return OracleType.random(random, letter(), dialect == 0);
    }

    private char letter()
    {
        final String letters = dialect == 1 ? "bhsilfdxyISLFDBB" : "bhsilfdzxyISLFDBB";
        return letters.charAt(random.nextInt(letters.length()));
    }

    /** Types of the same basic elements for both sides, and as many of each. */
    private Pair pair()
    {
        final OracleType sent = type();
        OracleType received = sent.letter() == 'B' || chance(4) ? sent :
            OracleType.random(random, sent.letter(), dialect == 0);
        if (sent.size() == 0 || received.size() == 0)
        {
            received = sent;
        }
        final int gcd = Math.max(1, gcd(sent.size(), received.size()));
        final int times = count(sent.size() / gcd * received.size());
        return new Pair(sent, received, times * Math.max(1, received.size() / gcd),
            times * Math.max(1, sent.size() / gcd));
    }

    private static int gcd(final int a, final int b)
    {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** Elements as they are sent, and as they are received. */
    private record Pair(OracleType sent, OracleType received, int sentCount, int receivedCount)
    {
    }

    /**
     * A type, and what the choice of others needs; all numbers are of bytes. Elements one behind the other do not
     * overlap: from low to high there are at most extent.
     */
    private record OracleType(String text, char letter, int size, int extent, int lower, int low, int high, int unit)
    {
        static final String PAIRS = "ISLFD";
        private static final String LETTERS = "bhsilfdzxyISLFD";
        private static final int[] SIZES = {1, 2, 2, 4, 8, 4, 8, 1, 8, 16, 8, 6, 12, 8, 12};
        private static final int[] EXTENTS = {1, 2, 2, 4, 8, 4, 8, 1, 8, 16, 8, 8, 16, 8, 16};
        private static final int[] UNITS = {1, 2, 2, 4, 8, 4, 8, 1, 4, 8, 4, 4, 8, 4, 8};
        private static final int BLOCKS_MAX = 4;

        static OracleType named(final char letter)
        {
            final int i = LETTERS.indexOf(letter);
            return i < 0 ? named('b') : new OracleType(Character.toString(letter), letter, SIZES[i], EXTENTS[i], 0, 0,
                letter == 'L' || letter == 'D' ? 12 : EXTENTS[i], UNITS[i]);
        }

        static OracleType random(final Random random, final char letter, final boolean canBeNegative)
        {
            OracleType type = letter == 'B' ? struct(random, canBeNegative) : named(letter);
            for (int depth = random.nextInt(4) - 1; depth > 0; depth--)
            {
                type = type.derive(random, canBeNegative, 4);
            }
            return type;
        }

        /** A type of nothing is derived no further: Open MPI gives some of those an extent, and others none. */
        private OracleType derive(final Random random, final boolean canBeNegative, final int kinds)
        {
            if (size == 0)
            {
                return this;
            }
            final int count = 1 + random.nextInt(BLOCKS_MAX);
            final boolean isInBytes = random.nextBoolean();
            return switch (random.nextInt(kinds))
            {
                case 0 -> repeated(random.nextInt(BLOCKS_MAX + 1));
                case 1 -> vector(random, count, isInBytes, canBeNegative);
                case 2 -> blocks(random, count, isInBytes, canBeNegative);
                default -> resized(random, canBeNegative);
            };
        }

        private OracleType repeated(final int times)
        {
            return new OracleType("con " + times + " " + text, letter, times * size, times * extent,
                times == 0 ? 0 : lower, times == 0 ? 0 : low, times == 0 ? 0 : high + (times - 1) * extent, unit);
        }

        private OracleType vector(
            final Random random, final int count, final boolean isInBytes, final boolean canBeNegative)
        {
            final int length = 1 + random.nextInt(3);
            final int distance = (length + random.nextInt(3)) * extent + (isInBytes ? random.nextInt(3) * unit : 0);
            final int step = canBeNegative && random.nextInt(3) == 0 ? -distance : distance;
            final int span = (count - 1) * step;
            return new OracleType((isInBytes ? "hve " : "vec ") + count + " " + length + " " +
                (isInBytes || extent == 0 ? step : step / extent) + " " + text, letter, count * length * size,
                Math.abs(span) + length * extent, lower + Math.min(0, span), low + Math.min(0, span),
                high + Math.max(0, span) + (length - 1) * extent, unit);
        }

        private OracleType resized(final Random random, final boolean canBeNegative)
        {
            final int newLower = low - (canBeNegative ? random.nextInt(3) * unit : Math.min(low, unit));
            final int newExtent = high - low + random.nextInt(3) * unit;
            final int rounded = (newExtent + unit - 1) / unit * unit;
            return new OracleType("res " + newLower + " " + rounded + " " + text, letter, size, rounded, newLower, low,
                high, unit);
        }

        private OracleType blocks(
            final Random random, final int count, final boolean isInBytes, final boolean canBeNegative)
        {
            final List<String> blocks = new ArrayList<>();
            final int origin = canBeNegative ? -random.nextInt(4) * extent : 0;
            int at = origin + random.nextInt(2) * extent;
            int least = Integer.MAX_VALUE;
            int most = Integer.MIN_VALUE;
            int elements = 0;
            for (int i = 0; i < count; i++)
            {
                final int length = random.nextInt(4);
                blocks.add(length + " " + (isInBytes || extent == 0 ? at : at / extent));
                if (length > 0)
                {
                    least = Math.min(least, at);
                    most = Math.max(most, at + (length - 1) * extent);
                    elements += length;
                }
                at += (length + random.nextInt(3)) * extent + (isInBytes ? random.nextInt(2) * unit : 0);
            }
            Collections.shuffle(blocks, random);
            final String name = (isInBytes ? "hid " : "idx ") + count + " " + String.join(" ", blocks) + " " + text;
            return elements == 0 ? new OracleType(name, letter, 0, 0, 0, 0, 0, unit) : new OracleType(name, letter,
                elements * size, most - least + extent, least + lower, least + low, most + high, unit);
        }

        /**
         * Fields are in the order of their places, and none is of nothing: Open MPI rounds up the extent after each,
         * also after those, and not once. None is resized: its bounds would be those of all.
         */
        private static OracleType struct(final Random random, final boolean canBeNegative)
        {
            final int count = 1 + random.nextInt(BLOCKS_MAX);
            final List<String> fields = new ArrayList<>();
            int next = canBeNegative ? -8 * random.nextInt(3) : 0;
            int lower = Integer.MAX_VALUE;
            int upper = Integer.MIN_VALUE;
            int low = Integer.MAX_VALUE;
            int high = Integer.MIN_VALUE;
            int size = 0;
            int unit = 1;
            for (int i = 0; i < count; i++)
            {
                final OracleType plain = named(LETTERS.charAt(random.nextInt(LETTERS.length())));
                final OracleType derived = plain.derive(random, false, 3);
                final OracleType field = random.nextInt(3) > 0 || derived.size == 0 ? plain : derived;
                final int length = 1 + random.nextInt(3);
                final int place = field.unit *
                    Math.floorDiv(next - Math.min(field.low, field.lower) + field.unit - 1, field.unit);
                fields.add(length + " " + place + " " + field.text);
                lower = Math.min(lower, place + field.lower);
                upper = Math.max(upper, place + field.lower + length * field.extent);
                low = field.size == 0 ? low : Math.min(low, place + field.low);
                high = field.size == 0 ? high : Math.max(high, place + field.high + (length - 1) * field.extent);
                size += length * field.size;
                unit = Math.max(unit, field.unit);
                next = Math.max(place + field.high, place + field.lower + field.extent) +
                    (length - 1) * field.extent + random.nextInt(9);
            }
            final int extent = (upper - lower + unit - 1) / unit * unit;
            return new OracleType("str " + count + " " + String.join(" ", fields), 'B', size, extent, lower,
                size == 0 ? 0 : low, size == 0 ? 0 : high, unit);
        }
    }
}
