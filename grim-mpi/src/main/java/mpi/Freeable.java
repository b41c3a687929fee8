// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Objects that a program frees when it needs them no more. */
public interface Freeable
{
    /**
     * Frees the object.
     *
     * @throws MPIException if it cannot be freed.
     */
    void free() throws MPIException;
}
