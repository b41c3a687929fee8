// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceContext;
import org.grim.device.DeviceDescription;
import org.grim.device.DeviceDriver;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRequest;

import com.typesafe.config.ConfigUtil;

/**
 * Driver of an accelerator with kernels in Java and OpenCL. Options: {@code images}, {@code image-slots}, {@code
 * image-bytes}, {@code channel-items}, {@code memory}, {@code kernel-seconds}, {@code built-in}, {@code
 * opencl-library}, {@code opencl-device}, {@code opencl-seconds}, {@code page}, {@code frames}, {@code page-quota},
 * {@code pages}, {@code record}, {@code record-length}.
 * <p>Thread: the runner's; one more loads images, and one runs blocking kernels.
 */
public final class AcceleratorDriver implements DeviceDriver
{
    private static final int MEMORY_DEFAULT = 1 << 28;
    private static final int RECORD_LENGTH_DEFAULT = 1 << 26;
    private static final long RECORD_QUEUE_LENGTH_MAX = 1L << 24;
    private static final int IMAGE_BYTES_DEFAULT = 1 << 26;
    private static final int CHANNEL_ITEMS_DEFAULT = 256;
    private static final int KERNEL_SECONDS_DEFAULT = 60;
    private static final int PAGE_MIN = 1 << 12;
    private static final int PAGE_DEFAULT = 1 << 16;
    static final int PAGE_MAX = 1 << 21;
    private static final int FRAMES_DEFAULT = 64;
    private static final int FRAMES_MAX = 1 << 14;
    private static final int PAGE_QUOTA_DEFAULT = 256;
    private static final int PAGE_QUOTA_MAX = 1 << 16;
    private static final int PAGES_DEFAULT = 512;
    private static final int PAGES_MAX = 1 << 20;

    private final List<ImageSlot> images = new ArrayList<>();
    private final List<KernelReference> kernels = new ArrayList<>();
    private final Map<Integer, Link> links = new HashMap<>();
    private final Set<Integer> reached = new HashSet<>();
    private final KernelWorker worker = new KernelWorker();
    private DeviceContext context;
    private FunctionFaults faults;
    private FrameMachine machine;
    private PageFrames frames;
    private PageSpaces spaces;
    private PageRequests pageRequests;
    private ItemRecorder recorder;
    private ImageLoader loader;
    private OpenClSupport openCl;
    private MemoryRegion region;
    private long kernelLimitNs;

    /** Made by {@link java.util.ServiceLoader}. */
    public AcceleratorDriver()
    {
        // All is in open.
    }

    @Override
    public NodeInfo.Device kind()
    {
        return NodeInfo.Device.ACCELERATOR;
    }

    @Override
    public DeviceDescription open(final DeviceContext newContext) throws IOException
    {
        context = newContext;
        final String directory = context.options().text("images", "");
        final int slotCount = context.options().number("image-slots", 4, 1, 1_024);
        final int imageBytes = context.options().number("image-bytes", IMAGE_BYTES_DEFAULT, 1, Integer.MAX_VALUE);
        final int channelItems = context.options().number("channel-items", CHANNEL_ITEMS_DEFAULT, 1, 65_536);
        final int memory = context.options().number("memory", MEMORY_DEFAULT, 1, Integer.MAX_VALUE);
        final int kernelSeconds = context.options().number("kernel-seconds", KERNEL_SECONDS_DEFAULT, 0, 86_400);
        kernelLimitNs = kernelSeconds == 0 ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(kernelSeconds);
        openCl = openCl();
        if (!directory.isEmpty())
        {
            ImageDirectory.read(Path.of(directory), openCl).forEach(image -> images.add(new ImageSlot(image)));
            images.forEach(this::register);
        }
        registerBuiltIn();
        region = context.register(FrameDirectory.LENGTH, MemoryRegion.Rights.READ);
        loader = new ImageLoader(context::wake);
        faults = new FunctionFaults(images, slotCount, imageBytes, loader::load);
        openPages();
        openRecorder();
        machine = new FrameMachine(new FrameMachine.Parts(new FrameDirectory(region.buffer(),
            ThreadLocalRandom.current().nextInt(1 << Short.SIZE)), faults, frames, spaces,
            new ItemRunner(spaces, frames)), new DevicePort(), context.device().info().channelCount(), channelItems,
            memory);
        context.handle(FrameEntry.SET, "an entry; answer: a1 slot and channel, a2 1 if the kernel is loaded",
            this::onSet);
        context.handle(FrameEntry.CLEAR, "a0 slot, or -1: a1 stream, a2 attempt", this::onClear);
        context.handle(FrameEntry.STATUS, "a0 slot, a1 1: also if it has ended; answer: a1 items", this::onStatus);
        context.handle("accelerator.directory", "answer: region of the directory", this::onDirectory);
        context.handle("accelerator.status", "answer: HOCON", request -> request.answer(status()));
        context.handle(ItemWait.NAME, "answer: what the first item of each channel waits for", request ->
            request.answer(machine.waits(System.nanoTime())));
        return new DeviceDescription("accelerator", "1", Map.of("image-slots", slotCount, "image-bytes", imageBytes,
            "channel-items", channelItems, "memory", memory, "page", frames.memory().pageLength(),
            "frames", frames.frameCount(), "page-quota", spaces.quota(), "pages", spaces.pageCountMax(),
            "kernels", kernels.stream().map(KernelReference::name).toList()));
    }

    private OpenClSupport openCl()
    {
        return new OpenClSupport(context.options().text("opencl-library", "libOpenCL.so.1"),
            context.options().number("opencl-device", 0, 0, 1_023),
            TimeUnit.SECONDS.toNanos(context.options().number("opencl-seconds", 60, 1, 86_400)));
    }

    /** Registers those kernels that no image of the directory replaces. */
    private void registerBuiltIn() throws IOException
    {
        final String language = context.options().text("built-in", "java");
        final List<ImageSlot> builtIn = new ArrayList<>();
        switch (language)
        {
            case "java" -> builtIn.add(ImageSlot.builtIn(BuiltInKernels.all()));
            case "opencl" ->
            {
                builtIn.add(new ImageSlot(OpenClImage.builtIn("alu.cl", openCl)));
                builtIn.add(new ImageSlot(OpenClImage.builtIn("video.cl", openCl)));
            }
            default -> throw new IllegalArgumentException("option built-in=" + language + " is not java or opencl");
        }
        for (final ImageSlot image : builtIn)
        {
            final List<String> names = image.kernelNames();
            for (int i = 0; i < names.size(); i++)
            {
                if (!hasKernel(names.get(i)))
                {
                    register(image, i, names.get(i));
                }
            }
        }
        images.addAll(builtIn);
    }

    private void openPages()
    {
        final int pageLength = context.options().number("page", PAGE_DEFAULT, PAGE_MIN, PAGE_MAX);
        final int frameCount = context.options().number("frames", FRAMES_DEFAULT, 1, FRAMES_MAX);
        final int quota = context.options().number("page-quota", PAGE_QUOTA_DEFAULT, 1, PAGE_QUOTA_MAX);
        final int pageCount = context.options().number("pages", PAGES_DEFAULT, 1, PAGES_MAX);
        final long length = (frameCount + 2L * pageCount) * pageLength;         // Checkpoints may copy each page.
        if (Integer.bitCount(pageLength) != 1)
        {
            throw new IllegalArgumentException("option page=" + pageLength + " is no power of 2");
        }
        if (length > Runtime.getRuntime().maxMemory())
        {
            throw new IllegalArgumentException("options frames=" + frameCount + " and pages=" + pageCount +
                " of page=" + pageLength + " bytes take " + length + " bytes, which exceeds the heap: max=" +
                Runtime.getRuntime().maxMemory());
        }
        frames = new PageFrames(frameCount, new HeapPages(frameCount, pageLength));
        spaces = new PageSpaces(frames, quota, pageCount);
        pageRequests = new PageRequests(context, frames, spaces, this::incarnation, new CheckpointRequests(
            frames, spaces, (owner, incarnation, space) -> machine.freeSpace(owner, incarnation, space)));
    }

    private void openRecorder() throws IOException
    {
        final String path = context.options().text("record", "");
        final int lengthMax = context.options().number(
            "record-length", RECORD_LENGTH_DEFAULT, RecordFormat.FILE_HEADER_LENGTH, Integer.MAX_VALUE);
        if (!path.isEmpty())
        {
            recorder =
                new ItemRecorder(Path.of(path), context.device().id().key(), lengthMax, RECORD_QUEUE_LENGTH_MAX);
        }
    }

    private void register(final ImageSlot image)
    {
        final List<String> names = image.kernelNames();
        for (int i = 0; i < names.size(); i++)
        {
            if (hasKernel(names.get(i)))
            {
                throw new IllegalArgumentException(
                    "kernel " + names.get(i) + " of image " + image + " is in another image, too");
            }
            register(image, i, names.get(i));
        }
    }

    private void register(final ImageSlot image, final int index, final String name)
    {
        final String handler = ItemFormat.KERNEL_PREFIX + name;
        final KernelReference kernel =
            new KernelReference(name, context.device().handlers().id(handler), image, index);
        kernels.add(kernel);
        context.handle(handler, "an item", request -> onItem(kernel, request));
    }

    private boolean hasKernel(final String name)
    {
        return kernels.stream().anyMatch(kernel -> kernel.name().equals(name));
    }

    @Override
    public int doWork()
    {
        int workCount = 0;
        for (ImageLoader.Loaded loaded = loader.poll(); loaded != null; loaded = loader.poll())
        {
            faults.onLoaded(loaded.slot(), loaded.kernels(), loaded.reason(), loaded.durationNs(), System.nanoTime());
            workCount++;
        }
        workCount += pageRequests.step() + machine.step(System.nanoTime());
        final String kernel = machine.findLongRun(kernelLimitNs);
        if (kernel != null)
        {
            worker.abandon();
            throw new GrimException(GrimException.Reason.TIMED_OUT, "kernel " + kernel + " has not returned within " +
                TimeUnit.NANOSECONDS.toSeconds(kernelLimitNs) + " s (kernel-seconds)");
        }
        return workCount;
    }

    @Override
    public long cycleLimitNs()
    {
        return kernelLimitNs;
    }

    @Override
    public void onNodeGone(final NodeInfo node)
    {
        machine.freeOwner(node.number(), node.incarnation());
        links.keySet().removeIf(endpoint -> EndpointId.ofKey(endpoint).node() == node.number());
        reached.removeIf(endpoint -> EndpointId.ofKey(endpoint).node() == node.number());
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(loader, worker, recorder);
        if (worker.hasEnded() && (loader == null || loader.hasEnded()))
        {
            images.stream().filter(ImageSlot::isInRoom).forEach(slot -> slot.image.unload());
            CloseHelper.close(openCl);
        }
        links.clear();
    }

    private void onItem(final KernelReference kernel, final DeviceRequest item)
    {
        if (item.isRequest())
        {
            throw new IllegalArgumentException("an item is no request: argument 3 is not 0");
        }
        machine.onItem(item.destination().channel() - context.device().id().channel(), kernel, item.argument(0),
            item.argument(1), item.argument(2), item.buffer(), item.offset(), item.length());
    }

    private void onSet(final DeviceRequest request)
    {
        final FrameEntry entry = FrameEntry.readFrom(request.source().key(), incarnation(request.source()),
            request.buffer(), request.offset(), request.length());
        HandlerId.of(entry.nextHandler());          // Refuses what can be none.
        final int answer = machine.set(entry);
        request.answer(answer, machine.isLoaded(entry.kernel()) ? 1 : 0, null, 0, 0);
    }

    private void onClear(final DeviceRequest request)
    {
        final int owner = request.source().key();
        if (request.argument(0) == FrameEntry.ALL)
        {
            machine.clear(owner, request.argument(1), request.argument(2));
        }
        else
        {
            machine.clear(owner, request.argument(0));
        }
    }

    /** An owner that died while its request waited gets no entry: nobody would free it. */
    private int incarnation(final EndpointId owner)
    {
        return context.grim().nodes().stream()
            .filter(node -> node.number() == owner.node() && node.state() == NodeInfo.State.UP)
            .mapToInt(NodeInfo::incarnation).findFirst().orElseThrow(() ->
                new DeviceException(DeviceCode.NOT_FOUND, "owner " + owner + " is gone"));
    }

    private void onStatus(final DeviceRequest request)
    {
        final long items = machine.items(
            request.source().key(), request.argument(0), request.argument(1) == FrameEntry.ALSO_ENDED);
        if (items < 0)
        {
            throw new DeviceException(DeviceCode.NOT_FOUND, "no entry of slot=" + request.argument(0));
        }
        request.answer((int)items, 0, null, 0, 0);
    }

    private void onDirectory(final DeviceRequest request)
    {
        final UnsafeBuffer answer = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
        region.remote().writeTo(answer, 0);
        request.answer(0, 0, answer, 0, answer.capacity());
    }

    private String status()
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("items", machine.itemCount());
        values.put("failed", machine.failedCount());
        values.put("stale", machine.staleCount());
        values.put("undelivered", machine.undeliveredCount());
        values.put("waiting", machine.waitingCount());
        values.put("entries", machine.entryCount());
        pageRequests.status(values);
        values.put("state", faults.state().name().toLowerCase(Locale.ROOT));
        values.put("faults", faults.faultCount());
        values.put("loads", faults.loadCount());
        values.put("load-us", TimeUnit.NANOSECONDS.toMicros(faults.loadNs()));
        values.put("evictions", faults.evictionCount());
        values.put("thrashing", faults.thrashingCount());
        values.put("record", ConfigUtil.quoteString(recorder == null ? "off" : recorder.state()));
        values.put("opencl", ConfigUtil.quoteString(openCl.state()));
        final StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }

    /** The device's endpoint. */
    private final class DevicePort implements FrameMachine.Port
    {
        @Override
        public SendStatus send(
            final int endpoint, final int handler, final int a0, final int a1, final int a2,
            final DirectBuffer buffer, final int length)
        {
            try
            {
                Link link = links.get(endpoint);
                if (link == null)
                {
                    link = context.device().link(EndpointId.ofKey(endpoint));
                    links.put(endpoint, link);
                    reached.add(endpoint);
                }
                final SendStatus status = link.send(HandlerId.of(handler), a0, a1, a2, 0, buffer, 0, length);
                if (status == SendStatus.PEER_GONE || status == SendStatus.CLOSED)
                {
                    links.remove(endpoint);
                    return lost(endpoint);
                }
                return status;
            }
            catch (final GrimException ex)          // Gone, or nothing that can be reached.
            {
                return reached.contains(endpoint) ? lost(endpoint) : SendStatus.PEER_GONE;
            }
        }

        /** If only a path was lost, the next one takes the item. */
        private SendStatus lost(final int endpoint)
        {
            return DeviceClient.isPresent(context.grim(), EndpointId.ofKey(endpoint)) ? SendStatus.BACK_PRESSURED :
                SendStatus.PEER_GONE;
        }

        @Override
        public void execute(final KernelRun run)
        {
            worker.execute(run);
        }

        @Override
        public void onRun(final StreamItem item)
        {
            if (recorder != null)
            {
                recorder.record(item, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
            }
        }

        @Override
        public void wake()
        {
            context.wake();
        }

        @Override
        public void pause(final int channel)
        {
            context.device().pause(context.device().id().channel() + channel);
        }

        @Override
        public void resume(final int channel)
        {
            context.device().resume(context.device().id().channel() + channel);
        }

        @Override
        public KernelReference kernel(final int handler)
        {
            for (final KernelReference kernel : kernels)
            {
                if (kernel.id().isKnown() && kernel.id().number() == handler)
                {
                    return kernel;
                }
            }
            return null;
        }
    }
}
