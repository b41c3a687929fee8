// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.posix;

/** Error numbers of Linux that the calls of this package can give; the same on every processor it runs on. */
enum Errno
{
    /** Not permitted. */
    EPERM(1),
    /** No such file. */
    ENOENT(2),
    /** A signal came. */
    EINTR(4),
    /** The device failed. */
    EIO(5),
    /** No such descriptor. */
    EBADF(9),
    /** Not now; of a futex: the word holds another value. */
    EAGAIN(11),
    /** No memory, too much of it, or nothing mapped there. */
    ENOMEM(12),
    /** No permission for the file. */
    EACCES(13),
    /** An address outside the process. */
    EFAULT(14),
    /** In use. */
    EBUSY(16),
    /** The file exists. */
    EEXIST(17),
    /** The file system cannot map. */
    ENODEV(19),
    /** Part of the path is no directory. */
    ENOTDIR(20),
    /** The path is a directory. */
    EISDIR(21),
    /** A bad argument. */
    EINVAL(22),
    /** Too many files in the system. */
    ENFILE(23),
    /** Too many files in the process. */
    EMFILE(24),
    /** No space. */
    ENOSPC(28),
    /** A pipe or the like. */
    ESPIPE(29),
    /** A file system that is only read. */
    EROFS(30),
    /** The path is too long. */
    ENAMETOOLONG(36),
    /** The kernel does not know the call. */
    ENOSYS(38),
    /** Too many symbolic links. */
    ELOOP(40),
    /** Too large for its type. */
    EOVERFLOW(75),
    /** The time is over. */
    ETIMEDOUT(110);

    private final int number;

    Errno(final int number)
    {
        this.number = number;
    }

    boolean is(final int errno)
    {
        return errno == number;
    }

    /** The name of a number, or the number if nobody expected it. */
    static String nameOf(final int errno)
    {
        for (final Errno known : values())
        {
            if (known.is(errno))
            {
                return known.name();
            }
        }
        return "errno=" + errno;
    }
}
