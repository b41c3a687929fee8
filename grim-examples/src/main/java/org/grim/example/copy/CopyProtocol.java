// SPDX-License-Identifier: Apache-2.0
package org.grim.example.copy;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Protocol of sender and receiver. Both are in one jar, so there is no version. */
final class CopyProtocol
{
    /** Part of the file. Arguments: offset, low and high word. */
    static final String CHUNK = "copy.chunk";
    /** A window is wanted. Arguments: length of the file, low and high word; payload: region of the credit word. */
    static final String WINDOW = "copy.window";
    /** The window. Payload: the receiver's region. */
    static final String WINDOW_OPEN = "copy.window-open";
    /** All parts were sent. Arguments: length of the file, low and high word; payload: the sender's digest. */
    static final String END = "copy.end";
    /** Everything stands under its name. Payload: the receiver's digest. */
    static final String DONE = "copy.done";
    /** The receiver's digest is another one; nothing was kept. Payload: that digest. */
    static final String DIFFERS = "copy.differs";
    /** The receiver cannot go on. Payload: why, in UTF-8. */
    static final String FAILED = "copy.failed";

    static final String SENDER_NAME = "copy-sender";
    static final String RECEIVER_NAME = "copy-receiver";
    static final int DIGEST_LENGTH = 32;

    private CopyProtocol()
    {
    }

    static MessageDigest newDigest()
    {
        try
        {
            return MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every JVM has SHA-256", ex);
        }
    }

    static int low(final long value)
    {
        return (int)value;
    }

    static int high(final long value)
    {
        return (int)(value >>> Integer.SIZE);
    }

    static long value(final int low, final int high)
    {
        return (long)high << Integer.SIZE | Integer.toUnsignedLong(low);
    }
}
