// SPDX-License-Identifier: Apache-2.0
package org.grim.example.copy;

/**
 * Result of a copy.
 *
 * @param length         bytes.
 * @param seconds        from the first chunk to the receiver's answer.
 * @param sourceSha256   as the sender read it, hexadecimal.
 * @param targetSha256   as the receiver got it, hexadecimal.
 */
public record CopyResult(long length, double seconds, String sourceSha256, String targetSha256)
{
    /** {@return whether the file stands under its name, the same as the source; false if nothing was kept} */
    public boolean isSame()
    {
        return sourceSha256.equals(targetSha256);
    }

    /** {@return how fast it was; 10^6 bytes per second} */
    public double megabytesPerSecond()
    {
        return length / seconds / 1e6;
    }
}
