// SPDX-License-Identifier: Apache-2.0
package programs;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The digest of a case's buffers and statuses; that of {@code oracle.c}. */
final class OracleDigest
{
    private static final long START = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private long value = START;

    private static long hash(final long start, final byte[] bytes, final int length)
    {
        long hash = start;
        for (int i = 0; i < length; i++)
        {
            hash = (hash ^ (bytes[i] & 0xff)) * PRIME;
        }
        return hash;
    }

    void add(final byte[] bytes, final int length)
    {
        value = hash(value, bytes, length);
    }

    /** Adds a message; those of one key in any order. */
    void addMessage(final long key, final String status, final byte[] bytes)
    {
        value += hash(hash(key, status.getBytes(US_ASCII), status.length()), bytes, bytes.length);
    }

    @Override
    public String toString()
    {
        return String.format("%016x", value);
    }
}
