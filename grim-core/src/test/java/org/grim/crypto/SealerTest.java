// SPDX-License-Identifier: Apache-2.0
package org.grim.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

import org.grim.buffer.OwnFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.crypto.Sealer.REFUSED;
import static org.grim.crypto.Sealer.TAG_LENGTH;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Seals under one key; the vectors were computed by other implementations of HKDF and AES-GCM. */
final class SealerTest
{
    private static final byte[] TEXT = "GRIM seals this.".getBytes(UTF_8);
    private static final byte[] CONTEXT = {1, 2, 3};
    private static final int SEALED_LENGTH = TEXT.length + TAG_LENGTH;

    @TempDir
    private Path directory;

    /** Test cases 13 and 14 of "The Galois/Counter Mode of Operation" by McGrew and Viega. */
    @Test
    void shouldSealTheVectorsOfTheStandard()
    {
        assertEquals("530f8afbc74536b9a963b4f1c4cb738b", sealed(new Sealer(new byte[32]), 0, new byte[0]));
        assertEquals("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919",
            sealed(new Sealer(new byte[32]), 0, new byte[16]));
    }

    @Test
    void shouldSealEachNumberAsTheVectorsSay() throws IOException
    {
        final Sealer sealer = sealer(1);

        assertEquals("a7f4502a0fdfbfec5095927ca74fbe65a185e5914ab90eadef1a1df554805da2", sealed(sealer, 0, TEXT));
        assertEquals("cb27628599eae9ea771822ad95bd32618a97e0da2280312b4952a1da00f1bfd4", sealed(sealer, 1, TEXT));
        assertEquals("ec9d1fee379978371b3225a4b981f1333fc1787c797a52f53b3c4088b45ec8ef",
            sealed(sealer, 0x0102_0304_0506_0708L, TEXT));
    }

    @Test
    void shouldOpenWithItsKeyUnderItsNumberOnly() throws IOException
    {
        final byte[] sealed = new byte[5 + SEALED_LENGTH];
        final byte[] opened = new byte[3 + TEXT.length];
        final Sealer sealer = sealer(1);

        assertEquals(SEALED_LENGTH, sealer.seal(7, TEXT, 0, TEXT.length, sealed, 5));

        assertEquals(TEXT.length, sealer(1).open(7, sealed, 5, SEALED_LENGTH, opened, 3));
        assertArrayEquals(TEXT, Arrays.copyOfRange(opened, 3, opened.length));
        assertEquals(TEXT.length, sealer.twin().open(7, sealed, 5, SEALED_LENGTH, opened, 3));
        assertEquals(REFUSED, sealer(1).open(8, sealed, 5, SEALED_LENGTH, opened, 3));
        assertEquals(REFUSED, sealer(2).open(7, sealed, 5, SEALED_LENGTH, opened, 3));
        assertEquals(REFUSED, new Sealer(key(1), "other", CONTEXT).open(7, sealed, 5, SEALED_LENGTH, opened, 3));
        assertEquals(REFUSED, new Sealer(key(1), "purpose", TEXT).open(7, sealed, 5, SEALED_LENGTH, opened, 3));
    }

    @Test
    void shouldRefuseEveryFlippedBitAndEveryOtherLength() throws IOException
    {
        final byte[] sealed = new byte[SEALED_LENGTH];
        final byte[] opened = new byte[SEALED_LENGTH];
        final Sealer sealer = sealer(1);
        sealer.seal(0, TEXT, 0, TEXT.length, sealed, 0);

        for (int bit = 0; bit < sealed.length * Byte.SIZE; bit++)
        {
            sealed[bit / Byte.SIZE] ^= (byte)(1 << bit % Byte.SIZE);
            assertEquals(REFUSED, sealer.open(0, sealed, 0, SEALED_LENGTH, opened, 0), "bit=" + bit);
            assertFalse(Arrays.equals(TEXT, Arrays.copyOf(opened, TEXT.length)), "bit=" + bit);
            sealed[bit / Byte.SIZE] ^= (byte)(1 << bit % Byte.SIZE);
        }
        for (int length = 0; length < sealed.length; length++)
        {
            assertEquals(REFUSED, sealer.open(0, sealed, 0, length, opened, 0), "length=" + length);
        }
        assertEquals(TEXT.length, sealer.open(0, sealed, 0, SEALED_LENGTH, opened, 0));
    }

    @Test
    void shouldRefuseToSealUnderANumberBelowTheLast() throws IOException
    {
        final Sealer sealer = sealer(1);
        final byte[] sealed = new byte[SEALED_LENGTH];
        sealer.seal(4, TEXT, 0, TEXT.length, sealed, 0);

        assertEquals("message number=3 is below the last, 4", assertThrows(
            IllegalStateException.class, () -> sealer.seal(3, TEXT, 0, TEXT.length, sealed, 0)).getMessage());
        assertThrows(IllegalStateException.class, () -> sealer(1).seal(-1, TEXT, 0, TEXT.length, sealed, 0));
    }

    @Test
    void shouldSealAgainUnderTheNumberOfAMessageThatWasDiscarded() throws IOException
    {
        final Sealer sealer = sealer(1);
        sealed(sealer, 4, new byte[9]);

        final String again = sealed(sealer, 4, TEXT);

        assertEquals(sealed(sealer(1), 4, TEXT), again);
        assertFalse(again.equals(sealed(sealer, 5, TEXT)));
    }

    private static String sealed(final Sealer sealer, final long number, final byte[] text)
    {
        final byte[] sealed = new byte[text.length + TAG_LENGTH];
        assertEquals(sealed.length, sealer.seal(number, text, 0, text.length, sealed, 0));
        return HexFormat.of().formatHex(sealed);
    }

    private Sealer sealer(final int value) throws IOException
    {
        return new Sealer(key(value), "purpose", CONTEXT);
    }

    private ClusterKey key(final int value) throws IOException
    {
        final byte[] secret = new byte[ClusterKey.LENGTH_MIN];
        Arrays.fill(secret, (byte)value);
        final Path file = directory.resolve(Integer.toString(value));
        return ClusterKey.read(
            Files.exists(file) ? file : Files.write(Files.createFile(file, OwnFiles.fileMode()), secret));
    }
}
