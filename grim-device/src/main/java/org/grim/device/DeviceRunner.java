// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.agrona.CloseHelper;
import org.grim.ActiveMessage;
import org.grim.DeviceEndpoint;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.buffer.MappedFile;
import org.grim.buffer.Uninterrupted;
import org.grim.thread.WorkThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps the endpoint of a device and its driver, and answers what every device answers: {@code device.describe}, {@code
 * .status}, {@code .reset}, {@code .reserve}, {@code .release}. The node's host endpoint has to be polled, too, by its
 * owner: the names of handlers get their ids there.
 * <p>Thread: one, that of {@link #start()} or the caller of {@link #doWork()}; {@link #state()}, {@link
 * #isStuck()}, {@link #failure()} and {@link #close()} any.
 * <p>Owns: the endpoint, the driver, and the driver's memory.
 */
public final class DeviceRunner implements AutoCloseable
{
    /** Requests that a driver keeps for each channel before the channel is paused. */
    public static final int QUEUE_LENGTH = 64;

    private static final Logger LOGGER = LoggerFactory.getLogger(DeviceRunner.class);
    private static final long NAMES_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long NAMES_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Grim grim;
    private final DeviceSpec spec;
    private final DeviceEndpoint device;
    private final Supplier<? extends DeviceDriver> drivers;
    private final Map<String, String> options;
    private final LongSupplier clock;
    private final DeviceIdle idle;
    private final KeptRequests requests;
    private final Reservation reservation = new Reservation();
    private final Map<String, DriverHandler> handlers = new LinkedHashMap<>();
    private final Map<String, HandlerId> names = new LinkedHashMap<>();
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final List<DeviceRequest> resets = new ArrayList<>();
    private DeviceDriver driver;
    private DeviceDescription description = new DeviceDescription("", "", Map.of());
    private long openedNs;
    private boolean isDriverOver;
    private boolean isResetRequested;
    private Thread thread;
    /** When the duty cycle began; 0 between two of them. */
    private final AtomicLong cycleBeginNs = new AtomicLong();
    private volatile long cycleLimitNs = Long.MAX_VALUE;
    private volatile DeviceInfo.State state = DeviceInfo.State.STARTING;
    private volatile String failure;
    private volatile boolean isClosing;

    /** A handler of the driver. Immutable. */
    record DriverHandler(String arguments, Consumer<DeviceRequest> function)
    {
    }

    private DeviceRunner(
        final Grim grim, final DeviceSpec spec, final Supplier<? extends DeviceDriver> drivers,
        final Map<String, String> options, final LongSupplier clock)
    {
        this.grim = grim;
        this.spec = spec;
        this.drivers = drivers;
        this.options = options;
        this.clock = clock;
        device = grim.openDevice(spec);
        idle = new DeviceIdle(device.doorbell());
        requests = new KeptRequests(device, device.handlers().id(BuiltInHandlers.REFUSED), clock, QUEUE_LENGTH);
        new BuiltInHandlers(this, spec, reservation, requests).register();
    }

    /**
     * Opens a device that the driver of its kind serves.
     *
     * @param grim    node.
     * @param spec    of the device.
     * @param options of the driver, by name.
     * @return the runner; the device is starting.
     * @throws GrimException if there is no driver, no free device, or too few channels.
     */
    public static DeviceRunner open(final Grim grim, final DeviceSpec spec, final Map<String, String> options)
    {
        final ServiceLoader.Provider<DeviceDriver> provider = ServiceLoader.load(DeviceDriver.class).stream()
            .filter(each -> each.get().kind() == spec.kind()).findFirst().orElseThrow(() -> new GrimException(
            GrimException.Reason.NOT_FOUND, "device kind=" + spec.kind().label() + " has no driver on the class path"));
        return open(grim, spec, provider, options);
    }

    /**
     * Opens a device that a driver serves.
     *
     * @param grim    node.
     * @param spec    of the device.
     * @param drivers makes a driver now, and for each reset.
     * @param options of the driver, by name.
     * @return the runner; the device is starting.
     * @throws GrimException if there is no free device, or too few channels.
     */
    public static DeviceRunner open(
        final Grim grim, final DeviceSpec spec, final Supplier<? extends DeviceDriver> drivers,
        final Map<String, String> options)
    {
        return open(grim, spec, drivers, options, System::nanoTime);
    }

    static DeviceRunner open(
        final Grim grim, final DeviceSpec spec, final Supplier<? extends DeviceDriver> drivers,
        final Map<String, String> options, final LongSupplier clock)
    {
        return new DeviceRunner(grim, spec, drivers, Map.copyOf(options), clock);
    }

    /** {@return endpoint of the device} */
    public DeviceEndpoint device()
    {
        return device;
    }

    /** {@return state of the device} */
    public DeviceInfo.State state()
    {
        return state;
    }

    /** {@return why the device has failed; null unless it has} */
    public String failure()
    {
        return failure;
    }

    /** Starts a thread that does the duty cycles until {@link #close()}, and sleeps while there is nothing to do. */
    public void start()
    {
        if (thread != null)
        {
            throw new IllegalStateException("the runner was started before");
        }
        thread = WorkThread.of("grim-device-" + spec.kind().label(), new Cycles(),
            error -> LOGGER.error("device {} cannot be served", device.id(), error));
        thread.start();
    }

    /**
     * Returns whether the driver holds the runner's thread longer than it may, as a kernel does that does not return.
     * Only the end of the process helps then. Any thread.
     *
     * @return false also if the driver has no limit.
     */
    public boolean isStuck()
    {
        final long beginNs = cycleBeginNs.get();
        return beginNs != 0 && nowNs() - beginNs > cycleLimitNs;
    }

    /**
     * Does one duty cycle.
     *
     * @return pieces of work done; 0 means idle.
     */
    public int doWork()
    {
        if (cycleLimitNs == Long.MAX_VALUE)
        {
            return doCycle();
        }
        cycleBeginNs.lazySet(nowNs() | 1);
        try
        {
            return doCycle();
        }
        finally
        {
            cycleBeginNs.lazySet(0);
        }
    }

    private int doCycle()
    {
        int workCount = 0;
        if (state == DeviceInfo.State.STARTING)
        {
            workCount = stepStart();
            if (state == DeviceInfo.State.STARTING)
            {
                return workCount;
            }
        }
        workCount += device.poll() + requests.flush();
        if (isResetRequested)
        {
            reset();
            return workCount + 1;
        }
        if (state == DeviceInfo.State.UP)
        {
            workCount += stepDriver();
            resets.removeIf(DeviceRequest::answer);
        }
        if (isDriverOver)
        {
            resets.clear();                 // Refused as all others.
            closeDriver(failedRefusal());
            workCount++;
        }
        return workCount;
    }

    /** Closes driver and device; the second time does nothing. Waits for the thread of {@link #start()}. */
    @Override
    public void close()
    {
        isClosing = true;
        if (thread == null)
        {
            closeAll();
        }
        else if (thread != Thread.currentThread())
        {
            idle.wake();
            Uninterrupted.join(thread);
        }
    }

    /** The thread's work. */
    private final class Cycles implements WorkThread.Work
    {
        @Override
        public boolean isOver()
        {
            return isClosing;
        }

        @Override
        public void step()
        {
            try
            {
                final int workCount = doWork();
                if (state == DeviceInfo.State.STARTING)
                {
                    Uninterrupted.park(NAMES_PAUSE_NS);     // Messages wait, so the doorbell permits no sleep.
                }
                else
                {
                    idle.idle(workCount);
                }
            }
            catch (final IllegalStateException ex)
            {
                LOGGER.warn("device {} ends: {}", device.id(), ex.getMessage());
                isClosing = true;                           // The node has left.
            }
        }

        @Override
        public void release()
        {
            closeAll();
        }
    }

    /** The driver's view. */
    private final class Context implements DeviceContext
    {
        private final DeviceOptions read = new DeviceOptions(options);

        @Override
        public Grim grim()
        {
            return grim;
        }

        @Override
        public DeviceEndpoint device()
        {
            return device;
        }

        @Override
        public DeviceOptions options()
        {
            return read;
        }

        @Override
        public void handle(final String name, final String arguments, final Consumer<DeviceRequest> handler)
        {
            handlers.put(name, new DriverHandler(arguments, handler));
            DeviceRunner.this.register(name, request -> runOfDriver(name, request));
        }

        @Override
        public MemoryRegion register(final long bytes, final MemoryRegion.Rights rights)
        {
            final MemoryRegion region = device.memory().register(bytes, rights);
            regions.removeIf(DeviceRunner::isFreed);
            regions.add(region);
            return region;
        }

        @Override
        public void wake()
        {
            idle.wake();
        }
    }

    /** Registers a handler of this device, whose messages become requests. */
    void register(final String name, final Consumer<DeviceRequest> handler)
    {
        names.put(name, device.handlers().register(name, message -> onMessage(message, handler)));
    }

    long nowNs()
    {
        return clock.getAsLong();
    }

    Map<String, DriverHandler> handlers()
    {
        return handlers;
    }

    List<MemoryRegion> regions()
    {
        regions.removeIf(DeviceRunner::isFreed);
        return regions;
    }

    private static boolean isFreed(final MemoryRegion region)
    {
        return region.buffer().capacity() == 0;
    }

    DeviceDescription description()
    {
        return description;
    }

    /** A reset is answered when the driver is open again, or has failed. */
    void onReset(final DeviceRequest request)
    {
        request.keep();
        resets.add(request);
        isResetRequested = true;
    }

    /** Returns the present incarnation of a node; 0 if there is no such node. */
    int incarnation(final EndpointId endpoint)
    {
        return grim.nodes().stream().filter(node -> node.number() == endpoint.node()).mapToInt(NodeInfo::incarnation)
            .findFirst().orElse(0);
    }

    private int stepStart()
    {
        if (driver == null)
        {
            openDriver();
            return 1;
        }
        if (names.values().stream().allMatch(HandlerId::isKnown))
        {
            become(DeviceInfo.State.UP);
            return 1;
        }
        if (nowNs() - openedNs > NAMES_TIMEOUT_NS)
        {
            fail(new GrimException(GrimException.Reason.TIMED_OUT, "names of handlers are unknown to the cluster: " +
                "is the host endpoint of this node polled?"));
        }
        return 0;
    }

    private void openDriver()
    {
        try
        {
            device.onNodeGone((node, undelivered, unknown) -> onNodeGone(node));
            openedNs = nowNs();
            driver = drivers.get();
            final Context context = new Context();
            cycleLimitNs = Long.MAX_VALUE;
            description = driver.open(context);
            cycleLimitNs = driver.cycleLimitNs();
            context.options().requireKnown();
        }
        catch (final Throwable ex)          // Code of the driver: the device fails, and the runner goes on.
        {
            fail(ex);
        }
    }

    private int stepDriver()
    {
        try
        {
            return driver.doWork();
        }
        catch (final Throwable ex)          // As above.
        {
            fail(ex);
            return 1;
        }
    }

    private void onNodeGone(final NodeInfo node)
    {
        reservation.onNodeGone(node);
        if (state == DeviceInfo.State.UP)
        {
            try
            {
                driver.onNodeGone(node);
            }
            catch (final Throwable ex)      // As above.
            {
                fail(ex);
            }
        }
    }

    private void onMessage(final ActiveMessage message, final Consumer<DeviceRequest> handler)
    {
        final DeviceRequest request = new DeviceRequest(message, requests);
        try
        {
            handler.accept(request);
        }
        catch (final Throwable ex)          // As above.
        {
            request.refuse(refusalOf(ex));
        }
        request.leaveHandler();
    }

    private DeviceException refusalOf(final Throwable error)
    {
        if (error instanceof final DeviceException refusal)
        {
            return refusal;
        }
        if (error instanceof IllegalArgumentException || error instanceof IndexOutOfBoundsException ||
            (error instanceof final GrimException ex && ex.reason() == GrimException.Reason.BAD_DATA))
        {
            return new DeviceException(DeviceCode.BAD_REQUEST, String.valueOf(error.getMessage()));
        }
        if (error instanceof OutOfMemoryError)          // This request is too large; others may be small.
        {
            return new DeviceException(DeviceCode.NO_ROOM, "device has no memory for the request: " +
                error.getMessage());
        }
        fail(error);
        return failedRefusal();
    }

    private void runOfDriver(final String name, final DeviceRequest request)
    {
        if (state == DeviceInfo.State.FAILED)
        {
            throw failedRefusal();
        }
        reservation.requireFree(request.source(), nowNs());
        final DriverHandler handler = handlers.get(name);
        if (handler == null)
        {
            throw new DeviceException(DeviceCode.NOT_FOUND, "handler=" + name + " is gone since the last reset");
        }
        handler.function().accept(request);
    }

    private DeviceException failedRefusal()
    {
        return new DeviceException(DeviceCode.FAILED, "device has failed: " + failure);
    }

    /** Also in handlers: the driver is closed behind them. */
    private void fail(final Throwable reason)
    {
        failure = reason instanceof final IOException error ? MappedFile.describe(error) :
            reason.getMessage() == null ? reason.toString() : reason.getMessage();
        if (reason instanceof IOException || reason instanceof IllegalArgumentException ||
            reason instanceof GrimException)
        {
            LOGGER.warn("device {} kind={} has failed: {}", device.id(), spec.kind().label(), failure);
        }
        else
        {
            LOGGER.error("device {} kind={} has failed", device.id(), spec.kind().label(), reason);
        }
        isDriverOver = true;
        become(DeviceInfo.State.FAILED);
    }

    private void become(final DeviceInfo.State newState)
    {
        state = newState;
        device.state(newState);
    }

    private void reset()
    {
        isResetRequested = false;
        closeDriver(new DeviceException(DeviceCode.FAILED, "device was reset"));
        CloseHelper.closeAll(regions);
        regions.clear();
        handlers.clear();
        failure = null;
        become(DeviceInfo.State.STARTING);
    }

    /** Refuses requests behind the end of the driver, whose threads read no request any more. */
    private void closeDriver(final DeviceException refusal)
    {
        isDriverOver = false;
        try
        {
            CloseHelper.close(driver);
        }
        catch (final RuntimeException | Error ex)
        {
            LOGGER.error("driver of device {} cannot be closed", device.id(), ex);
        }
        driver = null;
        requests.refuseAllBut(resets, refusal);
    }

    private void closeAll()
    {
        if (state != DeviceInfo.State.GONE)
        {
            resets.clear();
            closeDriver(new DeviceException(DeviceCode.FAILED, "device was closed"));
            state = DeviceInfo.State.GONE;
            device.close();
            idle.close();
        }
    }
}
