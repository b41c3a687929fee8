// SPDX-License-Identifier: Apache-2.0
package org.grim.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;

import org.grim.GrimException;
import org.grim.buffer.OwnFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The key's file, and keys derived from it; the vectors are those of RFC 5869, appendix A. */
final class ClusterKeyTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldDeriveTheVectorsOfTheStandard()
    {
        final byte[] secret = filled(22, 0x0b);

        assertVector(secret, sequence(0x00, 13), sequence(0xf0, 10),
            "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
        assertVector(sequence(0x00, 80), sequence(0x60, 80), sequence(0xb0, 80),
            "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09" +
            "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87");
        assertVector(secret, new byte[0], new byte[0],
            "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
        assertEquals("key length=8161 bytes is outside 1 to 8160",
            assertThrows(IllegalArgumentException.class, () -> Hkdf.expand(secret, secret, 8161)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> Hkdf.expand(secret, secret, 0));
    }

    @Test
    void shouldDeriveAnotherKeyForEachPurposeContextAndFile() throws IOException
    {
        final ClusterKey key = ClusterKey.read(file("a", filled(32, 1), "rw-------"));
        final ClusterKey other = ClusterKey.read(file("b", filled(32, 2), "rw-------"));
        final byte[] context = {1, 2};

        final byte[] derived = key.derive("agents", context, 32);

        assertEquals(32, derived.length);
        assertArrayEquals(derived, ClusterKey.read(directory.resolve("a")).derive("agents", context, 32));
        assertFalse(Arrays.equals(derived, other.derive("agents", context, 32)));
        assertFalse(Arrays.equals(derived, key.derive("agent", context, 32)));
        assertFalse(Arrays.equals(derived, key.derive("agents", new byte[] {1}, 32)));
        assertEquals("ClusterKey", key.toString());
    }

    @Test
    void shouldRefuseAFileThatIsNoSecret() throws IOException
    {
        final Path open = file("open", filled(32, 1), "rw-r-----");
        final Path small = file("small", filled(31, 1), "rw-------");
        final Path large = file("large", filled(4097, 1), "rw-------");
        final Path zero = file("zero", filled(32, 0), "rw-------");
        final Path link = Files.createSymbolicLink(directory.resolve("link"), small);

        assertEquals("key file " + open +
            " cannot be used: it is open to other users: mode=0640, expected at most 0600", refusal(open));
        assertEquals("key file " + small + " cannot be used: length=31 bytes is outside 32 to 4096", refusal(small));
        assertEquals("key file " + large + " cannot be used: length=4097 bytes is outside 32 to 4096", refusal(large));
        assertEquals("key file " + zero +
            " cannot be used: all of its 32 bytes are zero, expected random ones", refusal(zero));
        assertEquals("key file " + link + " cannot be used: it is a symbolic link, expected a regular file",
            refusal(link));
        assertEquals("key file " + directory + " cannot be used: it is a directory, expected a regular file",
            refusal(directory));
        assertTrue(refusal(directory.resolve("none")).startsWith(
            "read of key file " + directory.resolve("none") + " failed: NoSuchFileException"));
    }

    @Test
    void shouldOpenWithASecondKeyAndUseTheFirst() throws IOException
    {
        final String one = file("one", filled(32, 1), "rw-------").toString();
        final String two = file("two", filled(32, 2), "rw-------").toString();
        final byte[] context = {1, 2};

        final ClusterKey key = ClusterKey.read(one, two);

        assertArrayEquals(
            ClusterKey.read(Path.of(one)).derive("agents", context, 32), key.derive("agents", context, 32));
        assertEquals(2, key.openers().size());
        assertSame(key, key.openers().get(0));
        assertArrayEquals(ClusterKey.read(Path.of(two)).derive("agents", context, 32),
            key.openers().get(1).derive("agents", context, 32));
        assertEquals(1, ClusterKey.read(one, "").openers().size());
        assertNull(ClusterKey.read("", ""));
        assertEquals("grim.network.accepted-key-file=" + two + " needs grim.network.key-file: the key that is used",
            assertThrows(IllegalArgumentException.class, () -> ClusterKey.read("", two)).getMessage());
    }

    private static String refusal(final Path file)
    {
        return assertThrows(GrimException.class, () -> ClusterKey.read(file)).getMessage();
    }

    private Path file(final String name, final byte[] bytes, final String mode) throws IOException
    {
        final Path file = Files.write(Files.createFile(directory.resolve(name), OwnFiles.fileMode()), bytes);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private static void assertVector(
        final byte[] secret, final byte[] salt, final byte[] info, final String extracted, final String expanded)
    {
        final byte[] key = Hkdf.extract(salt, secret);

        assertEquals(extracted, HexFormat.of().formatHex(key));
        assertEquals(expanded, HexFormat.of().formatHex(Hkdf.expand(key, info, expanded.length() / 2)));
    }

    private static byte[] filled(final int length, final int value)
    {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte)value);
        return bytes;
    }

    private static byte[] sequence(final int first, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(first + i);
        }
        return bytes;
    }
}
