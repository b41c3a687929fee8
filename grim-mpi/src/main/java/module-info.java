// SPDX-License-Identifier: Apache-2.0
/** MPI for Java over GRIM. */
module org.grim.mpi
{
    exports mpi;

    requires org.agrona;
    requires transitive org.grim.core;
    requires transitive org.grim.groups;

    opens org.grim.mpi to org.grim.core;
}
