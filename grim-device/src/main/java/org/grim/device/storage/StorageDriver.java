// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.RemoteRegion;
import org.grim.buffer.Buffers;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceContext;
import org.grim.device.DeviceDescription;
import org.grim.device.DeviceDriver;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRequest;
import org.grim.device.DeviceRunner;
import org.grim.device.RequestTarget;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Driver of a store of files below one directory. Options: {@code root}, {@code read-only}, {@code threads}, {@code
 * window}. {@link StorageClient} asks it.
 * <p>Thread: the runner's; files are read and written by threads of its own.
 * <p>Bounds: {@value #FILE_COUNT_MAX} open files; requests as the runner bounds them, with buffers of up to 1 MiB each.
 */
public final class StorageDriver implements DeviceDriver
{
    private static final int FILE_COUNT_MAX = 256;
    private static final int LIST_LENGTH_MAX = 32 * 1024;
    private static final int BUFFER_LENGTH_MIN = 4 * 1024;

    private final Map<Integer, OpenFile> files = new HashMap<>();
    private final Set<StorageJob> jobs = new HashSet<>();
    private final List<StorageJob> done = new ArrayList<>();
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private DeviceContext context;
    private StoreDirectory directory;
    private StorageThreads threads;
    private boolean isReadOnly;
    private int windowLength;
    private int openingCount;
    /** Begins anywhere: numbers from before a reset mean nothing. */
    private int lastNumber = ThreadLocalRandom.current().nextInt(1 << 30);

    /** Made by {@link java.util.ServiceLoader}. */
    public StorageDriver()
    {
        // All is in open.
    }

    @Override
    public NodeInfo.Device kind()
    {
        return NodeInfo.Device.STORAGE;
    }

    @Override
    public DeviceDescription open(final DeviceContext newContext) throws IOException
    {
        context = newContext;
        final String root = context.options().text("root");
        isReadOnly = context.options().truth("read-only", false);
        windowLength = context.options().number("window", StoreFormat.TRANSFER_LENGTH_MAX, 4_096, 1 << 26);
        final int threadCount = context.options().number("threads", 2, 1, 16);
        directory = new StoreDirectory(Path.of(root));
        final int channelCount = context.device().info().channelCount();
        threads = new StorageThreads(
            threadCount, DeviceRunner.QUEUE_LENGTH * channelCount + FILE_COUNT_MAX, context::wake);
        context.handle(StoreFormat.LIST, "a0 first entry; path; answer: a1 next entry or 0, lines TYPE LENGTH NAME",
            this::onList);
        context.handle(StoreFormat.OPEN, "a0 flags (1 read, 2 write, 4 create, 8 truncate, 16 window); path; answer: " +
            "a1 file, length u64, region of the window", this::onOpen);
        context.handle(StoreFormat.READ, "a0 file, a1 length; offset u64, region, word, value u32; answer: a1 bytes",
            this::onRead);
        context.handle(StoreFormat.WRITE, "a0 file, a1 and a2 offset and length in the window, or a2 0 and the bytes " +
            "behind the offset; offset u64; answer: a1 bytes", this::onWrite);
        context.handle(StoreFormat.SYNC, "a0 file", request ->
            submit(new StorageJob(request, file(request), job -> job.file.channel.force(true))));
        context.handle(StoreFormat.CLOSE, "a0 file", request ->
            closeFile(request, file(request), request.argument(0)));
        return new DeviceDescription("files", "1", Map.of("files-max", FILE_COUNT_MAX, "read-only", isReadOnly,
            "transfer-length-max", StoreFormat.TRANSFER_LENGTH_MAX, "window", windowLength));
    }

    @Override
    public int doWork()
    {
        int workCount = 0;
        for (StorageJob job = threads.poll(); job != null; job = threads.poll())
        {
            take(job);
            done.add(job);
            workCount++;
        }
        return done.isEmpty() || !done.removeIf(this::isFinished) ? workCount : workCount + 1;
    }

    @Override
    public void onNodeGone(final NodeInfo node)
    {
        for (final StorageJob job : jobs)
        {
            job.isOrphan |= job.request != null && job.request.source().node() == node.number();
        }
        for (final Map.Entry<Integer, OpenFile> each : List.copyOf(files.entrySet()))
        {
            if (each.getValue().owner.node() == node.number())
            {
                closeFile(null, each.getValue(), each.getKey());
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(threads);
        jobs.stream().filter(job -> job.opened != null).forEach(job -> job.opened.close());
        files.values().forEach(OpenFile::close);
        files.clear();
    }

    private void onList(final DeviceRequest request)
    {
        final String path = request.text();
        final int first = request.argument(0);
        submit(new StorageJob(request, null, job ->
        {
            final List<String> lines = directory.list(path);
            final StringBuilder text = new StringBuilder();
            int next = Math.max(0, first);
            while (next < lines.size() && text.length() < LIST_LENGTH_MAX)
            {
                text.append(lines.get(next)).append('\n');
                next++;
            }
            job.bytes = ByteBuffer.wrap(text.toString().getBytes(UTF_8));
            job.length = job.bytes.capacity();
            job.result = next < lines.size() ? next : 0;
        }));
    }

    private void onOpen(final DeviceRequest request)
    {
        final int flags = request.argument(0);
        final String path = request.text();
        final Set<StandardOpenOption> options = options(flags);
        if (files.size() + openingCount >= FILE_COUNT_MAX)
        {
            throw new DeviceException(DeviceCode.NO_ROOM, "open files=" + FILE_COUNT_MAX + " are all there can be");
        }
        final MemoryRegion window = (flags & StoreFormat.WINDOW_FLAG) == 0 ? null : registerWindow();
        final StorageJob opening = new StorageJob(request, null, job ->
        {
            job.opened = new OpenFile(request.source(), directory.open(path, options), window,
                Math.floorMod(path.hashCode(), threads.count()));
            job.bytes = ByteBuffer.allocate(StoreFormat.WINDOW_OFFSET + RemoteRegion.LENGTH);
            final AtomicBuffer answer = Buffers.wrap(job.bytes);
            answer.putLong(0, job.opened.channel.size(), StoreFormat.ORDER);
            job.length = StoreFormat.WINDOW_OFFSET;
            if (window != null)
            {
                window.remote().writeTo(answer, StoreFormat.WINDOW_OFFSET);
                job.length += RemoteRegion.LENGTH;
            }
        }).withWindow(window);
        opening.isOpening = true;
        try
        {
            submit(opening);
        }
        catch (final DeviceException ex)        // No room to keep it.
        {
            CloseHelper.close(window);
            throw ex;
        }
        openingCount++;
    }

    private Set<StandardOpenOption> options(final int flags)
    {
        final boolean isWriting = (flags & StoreFormat.WRITE_FLAG) != 0;
        if (flags < 0 || flags > StoreFormat.FLAGS_MAX || (!isWriting && flags != StoreFormat.READ_FLAG))
        {
            throw new IllegalArgumentException("flags=" + flags + " fit neither reading nor writing");
        }
        if (isWriting && isReadOnly)
        {
            throw new IllegalArgumentException("the store is read-only");
        }
        final Set<StandardOpenOption> options = EnumSet.noneOf(StandardOpenOption.class);
        final StandardOpenOption[] byBit = {StandardOpenOption.READ, StandardOpenOption.WRITE,
            StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING};
        for (int i = 0; i < byBit.length; i++)
        {
            if ((flags & 1 << i) != 0)
            {
                options.add(byBit[i]);
            }
        }
        return options;
    }

    /** A region of its own for each file: what a client writes there after the file was closed is refused. */
    private MemoryRegion registerWindow()
    {
        try
        {
            return context.register(windowLength, MemoryRegion.Rights.WRITE);
        }
        catch (final GrimException ex)
        {
            throw new DeviceException(DeviceCode.NO_ROOM, ex.getMessage());
        }
    }

    private void onRead(final DeviceRequest request)
    {
        final OpenFile file = file(request);
        final int length = transferLength(request.argument(1));
        final DirectBuffer buffer = request.buffer();
        final int offset = request.offset();
        final long position = StoreFormat.position(buffer, offset, request.length());
        final StorageJob job = new StorageJob(request, file, each ->
        {
            each.bytes.clear().limit(length);
            int count = 0;
            while (each.result < length && count >= 0)
            {
                count = file.channel.read(each.bytes, position + each.result);
                each.result += Math.max(0, count);
            }
            each.code = each.result < length ? DeviceCode.END : DeviceCode.OK;
            each.length = each.result;
        });
        job.target = RequestTarget.readFrom(request, StoreFormat.REGION_OFFSET, length);
        submit(job.withBytes(takeBuffer(length)));
    }

    private void onWrite(final DeviceRequest request)
    {
        final OpenFile file = file(request);
        final long position = StoreFormat.position(request.buffer(), request.offset(), request.length());
        final int windowPart = request.argument(2);
        final int length = transferLength(
            windowPart == 0 ? request.length() - StoreFormat.DATA_OFFSET : windowPart);
        if (windowPart == 0)
        {
            request.keep();
            submitWrite(request, file, position, request.buffer(), request.offset() + StoreFormat.DATA_OFFSET, length);
        }
        else if (file.window == null)
        {
            throw new IllegalArgumentException("file=" + request.argument(0) + " was opened without a window");
        }
        else
        {
            file.window.buffer().boundsCheck(request.argument(1), length);
            submitWrite(request, file, position, file.window.buffer(), request.argument(1), length);
        }
    }

    private void submitWrite(
        final DeviceRequest request, final OpenFile file, final long position, final DirectBuffer source,
        final int offset, final int length)
    {
        submit(new StorageJob(request, file, job ->
        {
            job.bytes.clear().limit(length);
            source.getBytes(offset, job.bytes, 0, length);
            while (job.bytes.hasRemaining())
            {
                job.result += file.channel.write(job.bytes, position + job.result);
            }
        }).withBytes(takeBuffer(length)));
    }

    private static int transferLength(final int length)
    {
        if (length < 1 || length > StoreFormat.TRANSFER_LENGTH_MAX)
        {
            throw new IllegalArgumentException(
                "length=" + length + " is outside 1 to " + StoreFormat.TRANSFER_LENGTH_MAX);
        }
        return length;
    }

    private OpenFile file(final DeviceRequest request)
    {
        final OpenFile file = files.get(request.argument(0));
        if (file == null || !file.isOwnedBy(request.source()))
        {
            throw new DeviceException(
                DeviceCode.NOT_FOUND, "file=" + request.argument(0) + " is not open for " + request.source());
        }
        return file;
    }

    /** Closed behind the jobs that it has. */
    private void closeFile(final DeviceRequest request, final OpenFile file, final int number)
    {
        submit(new StorageJob(request, file, job -> file.channel.close()).withWindow(file.window));
        files.remove(number);
    }

    private void submit(final StorageJob job)
    {
        if (job.request != null)
        {
            job.request.keep();
        }
        jobs.add(job);
        threads.submit(job.file == null ? 0 : job.file.thread, job);
    }

    /** Does once what a completion changes. */
    private void take(final StorageJob job)
    {
        jobs.remove(job);
        final OpenFile opened = job.opened;
        openingCount -= job.isOpening ? 1 : 0;
        if (opened != null && (job.isOrphan || job.refusal != null))
        {
            opened.close();
        }
        else if (opened != null)
        {
            lastNumber++;
            files.put(lastNumber, opened);
            job.result = lastNumber;
        }
        if (opened == null)
        {
            CloseHelper.close(job.window);
        }
    }

    private boolean isFinished(final StorageJob job)
    {
        if (job.request != null && !isAnswered(job))
        {
            return false;
        }
        if (job.bytes != null && job.bytes.isDirect())
        {
            buffers.add(job.bytes);
        }
        return true;
    }

    private boolean isAnswered(final StorageJob job)
    {
        if (job.refusal == null && job.target != null && !isWritten(job))
        {
            return false;
        }
        if (job.refusal != null)
        {
            return job.request.refuse(job.refusal);
        }
        final boolean hasPayload = job.length > 0;
        return job.request.answer(
            job.code, job.result, 0, hasPayload ? Buffers.wrap(job.bytes) : null, 0, job.length);
    }

    /** Writes what was read into the client's memory, before the answer and on its path. */
    private boolean isWritten(final StorageJob job)
    {
        try
        {
            if (job.length > 0 &&
                !job.target.write(Buffers.wrap(job.bytes), 0, job.length, job.code == DeviceCode.OK))
            {
                return false;
            }
        }
        catch (final DeviceException ex)
        {
            job.refusal = ex;
        }
        job.target = null;
        job.length = 0;
        return true;
    }

    private ByteBuffer takeBuffer(final int length)
    {
        for (int i = buffers.size() - 1; i >= 0; i--)
        {
            if (buffers.get(i).capacity() >= length)
            {
                return buffers.remove(i);
            }
        }
        return ByteBuffer.allocateDirect(
            Math.max(BUFFER_LENGTH_MIN, Integer.highestOneBit(Math.max(1, length - 1)) << 1));
    }
}
