// SPDX-License-Identifier: Apache-2.0
package org.grim.crypto;

import java.security.GeneralSecurityException;
import java.util.Arrays;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Derives keys from a secret: HKDF of RFC 5869 with HMAC-SHA256.
 * <p>Thread: any; no state.
 */
final class Hkdf
{
    static final int HASH_LENGTH = 32;
    static final int LENGTH_MAX = 255 * HASH_LENGTH;

    private static final String MAC = "HmacSHA256";

    private Hkdf()
    {
    }

    /** Makes a secret of any bytes one of {@value #HASH_LENGTH} bytes that has no structure. */
    static byte[] extract(final byte[] salt, final byte[] secret)
    {
        return mac(salt.length == 0 ? new byte[HASH_LENGTH] : salt).doFinal(secret);
    }

    /** Derives a key of 1 to {@value #LENGTH_MAX} bytes from what {@link #extract} made. */
    static byte[] expand(final byte[] secret, final byte[] info, final int length)
    {
        if (length < 1 || length > LENGTH_MAX)
        {
            throw new IllegalArgumentException("key length=" + length + " bytes is outside 1 to " + LENGTH_MAX);
        }
        final Mac mac = mac(secret);
        final byte[] key = new byte[length];
        byte[] block = new byte[0];
        for (int offset = 0, counter = 1; offset < length; offset += HASH_LENGTH, counter++)
        {
            mac.update(block);
            mac.update(info);
            mac.update((byte)counter);
            block = mac.doFinal();
            System.arraycopy(block, 0, key, offset, Math.min(HASH_LENGTH, length - offset));
        }
        Arrays.fill(block, (byte)0);
        return key;
    }

    private static Mac mac(final byte[] key)
    {
        try
        {
            final Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac;
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException(MAC + " is part of every JDK", ex);
        }
    }
}
