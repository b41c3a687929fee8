// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * Makes and checks directories and files that no other user can have touched. A directory is safe if on the path to it,
 * from the root on, each directory and each symbolic link belongs to this user or to root, and no other user may write
 * to a directory without the sticky bit; and if it is this user's alone. Nobody but this user and root can change an
 * entry of such a path: a checked path stays safe, and other users cannot see files made inside.
 * <p>Thread: any; no state.
 */
public final class OwnFiles
{
    /** Mode of the files and sockets that are made, 0600. */
    public static final Set<PosixFilePermission> FILE_PERMISSIONS =
        Collections.unmodifiableSet(PosixFilePermissions.fromString("rw-------"));

    private static final Path PROCESS_STATUS = Path.of("/proc/self/status");
    private static final int ROOT_USER = 0;
    private static final int LINK_COUNT_MAX = 40;               // As the kernel's.

    private static final int TYPE_MASK = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR_FILE = 0100000;
    private static final int SYMBOLIC_LINK = 0120000;
    private static final int STICKY = 01000;
    private static final int WRITE_BY_OTHERS = 0022;
    private static final int USE_BY_OTHERS = 0077;
    private static final int PERMISSIONS_MASK = 07777;

    private static final Set<PosixFilePermission> DIRECTORY_PERMISSIONS = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY_MODE =
        PosixFilePermissions.asFileAttribute(DIRECTORY_PERMISSIONS);

    private static final int SELF = ownUser();

    private OwnFiles()
    {
    }

    /** Result of {@code lstat} for a path. */
    private record Status(int mode, int user)
    {
        static Status of(final Path path) throws IOException
        {
            final Map<String, Object> attributes =
                Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
            return new Status((int)attributes.get("mode"), (int)attributes.get("uid"));
        }

        boolean is(final int type)
        {
            return (mode & TYPE_MASK) == type;
        }

        String permissions()
        {
            return String.format(Locale.ROOT, "%04o", mode & PERMISSIONS_MASK);
        }

        String typeName()
        {
            return switch (mode & TYPE_MASK)
            {
                case DIRECTORY -> "a directory";
                case REGULAR_FILE -> "a regular file";
                case SYMBOLIC_LINK -> "a symbolic link";
                case 0010000 -> "a FIFO";
                case 0140000 -> "a socket";
                default -> "a device";
            };
        }
    }

    /** {@return the mode of files that are made, 0600; for the calls that make a file} */
    public static FileAttribute<Set<PosixFilePermission>> fileMode()
    {
        return PosixFilePermissions.asFileAttribute(FILE_PERMISSIONS);
    }

    /**
     * Makes a file of length 0 with mode 0600, also if the process's mask of modes (umask) takes that away.
     *
     * @param file that does not exist, in a safe directory.
     * @throws IOException if it exists, or the system refuses.
     */
    public static void makeFile(final Path file) throws IOException
    {
        FileChannel.open(file, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), fileMode()).close();
        setFileMode(file);
    }

    /**
     * Gives a file that this process has just made the mode 0600, of which the mask of modes may have taken bits.
     *
     * @param file in a safe directory.
     * @throws IOException if the system refuses.
     */
    static void setFileMode(final Path file) throws IOException
    {
        Files.setPosixFilePermissions(file, FILE_PERMISSIONS);
    }

    /** {@return number of the user that this process makes files as, in digits} */
    public static String userNumber()
    {
        return Integer.toUnsignedString(SELF);
    }

    /**
     * Makes a directory that is safe, with the missing ones on the path, mode 0700 each; or checks those that are
     * there.
     *
     * @param directory absolute and normalised.
     * @throws IOException   if the system refuses.
     * @throws GrimException if a part of the path is not safe: which one, what was found, and what was expected.
     */
    public static void makeDirectory(final Path directory) throws IOException
    {
        walk(directory, true);
    }

    /**
     * Checks that a directory is safe.
     *
     * @param directory absolute and normalised.
     * @throws IOException   if it is missing, or the system refuses.
     * @throws GrimException if a part of the path is not safe: which one, what was found, and what was expected.
     */
    public static void requireDirectory(final Path directory) throws IOException
    {
        walk(directory, false);
    }

    /**
     * Checks that a path is a regular file of this user which gives nothing to others; links are not followed. In a
     * safe directory it stays so: the file may be opened afterwards, and that does not wait for anybody.
     *
     * @param file to be opened.
     * @throws IOException   if it is missing, or the system refuses.
     * @throws GrimException if it is something else: what was found, and what was expected.
     */
    public static void requireFile(final Path file) throws IOException
    {
        final Status status = Status.of(file);
        if (!status.is(REGULAR_FILE))
        {
            throw unsafe(file, file, "is " + status.typeName() + ", expected a regular file");
        }
        requireOwn(file, status, file, "0600");
    }

    /**
     * As {@link #requireFile}, if there is anything of that name.
     *
     * @param file to be opened or made.
     * @throws IOException   if the system refuses.
     * @throws GrimException if it is something else: what was found, and what was expected.
     */
    public static void requireFileOrNothing(final Path file) throws IOException
    {
        try
        {
            requireFile(file);
        }
        catch (final NoSuchFileException ex)
        {
            return;                             // Nothing is as good.
        }
    }

    private static void walk(final Path directory, final boolean isMade) throws IOException
    {
        final Deque<Path> names = new ArrayDeque<>();
        directory.forEach(names::addLast);
        Path place = directory.getRoot();
        requireSafeParent(place, Status.of(place), directory);
        int linkCount = 0;
        while (!names.isEmpty())
        {
            final Path next = place.resolve(names.removeFirst()).normalize();       // The passed part has no links.
            final Status status = isMade ? statusOrMade(next) : Status.of(next);
            if (status.is(SYMBOLIC_LINK))
            {
                requireUser(next, status, directory, true);
                linkCount++;
                if (linkCount > LINK_COUNT_MAX)
                {
                    throw unsafe(directory, next, "is one symbolic link too many, expected at most " + LINK_COUNT_MAX);
                }
                final Path target = Files.readSymbolicLink(next);
                place = target.isAbsolute() ? target.getRoot() : place;
                prepend(target, names);
            }
            else
            {
                requireSafeParent(next, status, directory);
                place = next;
            }
        }
        requireOwn(place, Status.of(place), directory, "0700");
    }

    private static void prepend(final Path target, final Deque<Path> names)
    {
        for (int i = target.getNameCount() - 1; i >= 0; i--)
        {
            names.addFirst(target.getName(i));
        }
    }

    private static Status statusOrMade(final Path path) throws IOException
    {
        try
        {
            return Status.of(path);
        }
        catch (final NoSuchFileException ex)
        {
            return made(path);
        }
    }

    private static Status made(final Path path) throws IOException
    {
        try
        {
            Files.createDirectory(path, DIRECTORY_MODE);
            Files.setPosixFilePermissions(path, DIRECTORY_PERMISSIONS);         // The mask may have taken bits away.
        }
        catch (final FileAlreadyExistsException ex)
        {
            return Status.of(path);             // Another process was first: the caller checks the result.
        }
        catch (final NoSuchFileException ex)
        {
            if (Files.isDirectory(path.getParent()) && !canMakeIn(path.getParent()))
            {
                throw new FileSystemException(path.toString(), null, "the system makes no directories there");
            }
            throw ex;                           // The one above was removed meanwhile.
        }
        return Status.of(path);
    }

    /** Such as /proc, which says of everything new that it does not exist. */
    private static boolean canMakeIn(final Path directory) throws IOException
    {
        try
        {
            Files.delete(Files.createTempDirectory(directory, "grim"));
            return true;
        }
        catch (final NoSuchFileException ex)
        {
            return !Files.isDirectory(directory);
        }
    }

    private static void requireSafeParent(final Path path, final Status status, final Path whole)
    {
        if (!status.is(DIRECTORY))
        {
            throw unsafe(whole, path, "is " + status.typeName() + ", expected a directory");
        }
        requireUser(path, status, whole, true);
        if ((status.mode & WRITE_BY_OTHERS) != 0 && (status.mode & STICKY) == 0)
        {
            throw unsafe(whole, path, "is writable for other users: mode=" + status.permissions() +
                ", expected at most 0755, or the sticky bit");
        }
    }

    private static void requireOwn(final Path path, final Status status, final Path whole, final String modeMax)
    {
        requireUser(path, status, whole, false);
        if ((status.mode & USE_BY_OTHERS) != 0)
        {
            throw unsafe(whole, path, "is open to other users: mode=" + status.permissions() + ", expected at most " +
                modeMax);
        }
    }

    private static void requireUser(
        final Path path, final Status status, final Path whole, final boolean isRootGood)
    {
        if (status.user != SELF && !(isRootGood && status.user == ROOT_USER))
        {
            throw unsafe(whole, path, "belongs to uid=" + status.user + ", expected uid=" + SELF +
                (isRootGood && SELF != ROOT_USER ? " or uid=" + ROOT_USER : ""));
        }
    }

    private static GrimException unsafe(final Path whole, final Path part, final String what)
    {
        return new GrimException(SYSTEM_REFUSED,
            whole + " cannot be used: " + (part.equals(whole) ? "it" : part) + " " +
            what);
    }

    /** The user that this process makes files as. */
    private static int ownUser()
    {
        try
        {
            final List<String> lines = Files.exists(PROCESS_STATUS) ? Files.readAllLines(PROCESS_STATUS) : List.of();
            for (final String line : lines)
            {
                if (line.startsWith("Uid:"))
                {
                    return (int)Long.parseLong(line.split("\t", -1)[2]);         // Behind the key: real, effective, ...
                }
            }
            return Status.of(Path.of(System.getProperty("user.home"))).user;     // Not Linux.
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "user of this process cannot be found: " + MappedFile.describe(ex), ex);
        }
    }
}
