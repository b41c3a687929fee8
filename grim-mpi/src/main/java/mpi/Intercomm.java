// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.grim.mpi.Communicator;

/** A communicator between two groups: messages and collective operations go to the other one. */
public final class Intercomm extends Comm
{
    Intercomm(final Communicator communicator)
    {
        super(communicator);
    }

    private Intracomm merge(final String call, final boolean isHigh)
    {
        final Communicator both = open(call);
        final Intracomm made = new Intracomm(Topology.checked(this, call, () -> both.merge(isHigh)));
        made.setErrhandler(getErrhandler());
        return made;
    }

    // mpiJava 1.2

    /** {@return number of processes of the other group} */
    public int Remote_size() throws MPIException
    {
        return open("Remote_size").remoteSize();
    }

    /** {@return the other group} */
    public Group Remote_group() throws MPIException
    {
        return new Group(engine(), open("Remote_group").remoteRanks());
    }

    /**
     * Makes one group of both.
     *
     * @param high whether this process's group comes last.
     * @return its communicator.
     */
    public Intracomm Merge(final boolean high) throws MPIException
    {
        return merge("Merge", high);
    }

    // Open MPI

    /** {@return number of processes of the other group} */
    public int getRemoteSize() throws MPIException
    {
        return open("getRemoteSize").remoteSize();
    }

    /** {@return the other group} */
    public Group getRemoteGroup() throws MPIException
    {
        return new Group(engine(), open("getRemoteGroup").remoteRanks());
    }

    /**
     * Makes one group of both.
     *
     * @param high whether this process's group comes last.
     * @return its communicator.
     */
    public Intracomm merge(final boolean high) throws MPIException
    {
        return merge("merge", high);
    }

    /** {@return a null communicator: no process was started by another} */
    public static Intercomm getParent() throws MPIException
    {
        return new Intercomm(null);
    }

    @Override
    public Intercomm dup() throws MPIException
    {
        return inherit(new Intercomm(duplicate("dup")));
    }

    @Override
    public Intercomm clone()
    {
        return dup();
    }

    @Override
    public Intercomm iDup() throws MPIException
    {
        return (Intercomm)super.iDup();
    }

    @Override
    public Intercomm dupWithInfo(final Info newInfo) throws MPIException
    {
        return (Intercomm)super.dupWithInfo(newInfo);
    }
}
