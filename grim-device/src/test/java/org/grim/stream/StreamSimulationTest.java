// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.device.DeviceException;
import org.grim.device.accelerator.FrameEntry;
import org.grim.device.accelerator.ItemFormat;
import org.grim.device.accelerator.PageOperands;
import org.grim.device.accelerator.SimulatedAccelerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Owners, a sink and accelerators as state machines in a simulated network with full queues, late answers, loads,
 * failing kernels, pages, live changes of paths and deaths of devices and owners: no item is lost without being named,
 * doubled, out of order or run by a wrong kernel, no owner sees another's page, and everything ends.
 */
final class StreamSimulationTest
{
    private static final int PLANTED_SEEDS_MAX = 2_000;
    private static final int KERNEL_COUNT = 4;
    private static final int STEPS_MAX = 400_000;
    private static final int QUEUE_LENGTH = 4;
    private static final int WINDOW = 6;
    private static final long SCRAMBLE = 0x9E37_79B9_7F4A_7C15L;
    private static final String TOTALS = "delivered, failed, lost, faults, evictions, deaths of devices, of owners, " +
        "checkpoints, failed ones, restored, late answers: ";
    private static final String LATE = "TIMED_OUT";

    @Test
    void shouldAccountForEachItem()
    {
        run(0, 300);
    }

    @Test
    @Tag("long")
    void shouldAccountForEachItemForManySeeds()
    {
        run(1_000, 10_000);
    }

    private static void run(final int first, final int count)
    {
        final long[] totals = new long[11];
        for (int seed = first; seed < first + count; seed++)
        {
            new World(seed, Bug.NONE).run(totals);
        }
        assertTrue(totals[0] > count && totals[1] > 0 && totals[2] > 0 && totals[3] > count && totals[4] > count &&
            totals[5] > 0 && totals[6] > 0 && totals[7] > count && totals[9] > 0 && totals[10] > count,
            () -> TOTALS + Arrays.toString(totals));
        LoggerFactory.getLogger(StreamSimulationTest.class).info(
            "seeds {}: {}{}", count, TOTALS, Arrays.toString(totals));
    }

    @ParameterizedTest
    @EnumSource(value = Bug.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldFindThePlantedBug(final Bug bug)
    {
        String found = null;
        int seed = 0;
        while (found == null && seed < PLANTED_SEEDS_MAX)
        {
            try
            {
                new World(seed, bug).run(new long[11]);
            }
            catch (final AssertionError | RuntimeException ex)
            {
                found = ex.toString();
            }
            seed++;
        }
        assertTrue(found != null, () -> "no seed finds " + bug);
        LoggerFactory.getLogger(StreamSimulationTest.class).info("{} found by seed {}: {}", bug, seed - 1, found);
    }

    /** Guards of epochs and of the owner's end of checkpoints, each left out by the object that takes its place. */
    private enum Bug
    {
        /** None. */
        NONE,
        /** Items of a new path are taken before the old one has ended. */
        EPOCH_IGNORED
        {
            @Override
            StreamSinks sinks(final StreamPort port, final int firstSlot)
            {
                return new StreamSinks(port, firstSlot)
                {
                    @Override
                    boolean isTurn(final int number, final int current)
                    {
                        return true;
                    }
                };
            }
        },
        /** A checkpoint counts although pages are missing. */
        PART_KEPT
        {
            @Override
            StageState state(
                final StreamPort port, final CheckpointMemory memory, final int connection, final int space)
            {
                return new StageState(port, memory, connection, space)
                {
                    @Override
                    boolean isComplete(final Deque<Integer> missing)
                    {
                        return true;
                    }
                };
            }
        },
        /** The device that replaces a dead one begins with zeros. */
        NOT_RESTORED
        {
            @Override
            StageState state(
                final StreamPort port, final CheckpointMemory memory, final int connection, final int space)
            {
                return new StageState(port, memory, connection, space)
                {
                    @Override
                    boolean mustRestore()
                    {
                        return false;
                    }
                };
            }
        },
        /** A dead device's pages count as there. */
        LOSS_IGNORED
        {
            @Override
            StageState state(
                final StreamPort port, final CheckpointMemory memory, final int connection, final int space)
            {
                return new StageState(port, memory, connection, space)
                {
                    @Override
                    void lost()
                    {
                        // They are there.
                    }
                };
            }
        },
        /** Items flow before all pages are written. */
        RESTORED_EARLY
        {
            @Override
            StageState state(
                final StreamPort port, final CheckpointMemory memory, final int connection, final int space)
            {
                return new StageState(port, memory, connection, space)
                {
                    @Override
                    boolean isRestored()
                    {
                        return true;
                    }
                };
            }
        };

        StageState state(final StreamPort port, final CheckpointMemory memory, final int connection, final int space)
        {
            return new StageState(port, memory, connection, space);
        }

        StreamSinks sinks(final StreamPort port, final int firstSlot)
        {
            return new StreamSinks(port, firstSlot);
        }
    }

    /** A message under way. */
    private record Packet(
        int source, int target, int handler, int a0, int a1, int a2, UnsafeBuffer payload, Pending call)
    {
    }

    /** A request under way. */
    private static final class Pending implements StreamPort.Call
    {
        private boolean isComplete;
        private boolean isAnswered;
        private String refusal;
        private int value;
        private UnsafeBuffer payload = new UnsafeBuffer(new byte[0]);

        @Override
        public DirectBuffer buffer()
        {
            return payload;
        }

        @Override
        public int length()
        {
            return payload.capacity();
        }

        @Override
        public boolean isComplete()
        {
            return isComplete;
        }

        @Override
        public String refusal()
        {
            return refusal;
        }

        @Override
        public boolean isAnswered()
        {
            return isAnswered;
        }

        @Override
        public int value()
        {
            return value;
        }

        private void end(final int newValue, final String newRefusal)
        {
            if (!isComplete)                // Otherwise nobody waits any more.
            {
                isComplete = true;
                isAnswered = true;
                value = newValue;
                refusal = newRefusal;
            }
        }

        private void endWithoutAnswer(final String reason)
        {
            end(0, reason);
            isAnswered = false;
        }
    }

    /** All of it, from one seed. */
    private static final class World
    {
        private static final int SINK_NODE = 8;
        private static final int SINK = EndpointId.of(SINK_NODE, 1, 1).key();
        private static final int NODE_MIN = 10;

        private final int seed;
        private final Bug bug;
        private final Random random;
        private final Map<String, Integer> names = new HashMap<>();
        private final Map<Long, Deque<Packet>> queues = new LinkedHashMap<>();
        private final List<Deque<Packet>> queueList = new ArrayList<>();
        private final Map<Integer, SimulatedAccelerator> devices = new LinkedHashMap<>();     // By node.
        private final Set<Integer> seenDead = new HashSet<>();
        private final List<Integer> unseen = new ArrayList<>();
        private final List<Flow> flows = new ArrayList<>();
        private final StreamSinks sinks;
        private final Map<Integer, StreamConnection> connections = new HashMap<>();
        private final int deviceCount;
        private long nowNs;
        private int deathCount;
        private int ownerDeathCount;
        private long faultCount;
        private long evictionCount;
        private long checkpointCount;
        private long checkpointFailureCount;
        private long restoredCount;
        private long lateCount;

        private World(final int seed, final Bug bug)
        {
            this.seed = seed;
            this.bug = bug;
            sinks = bug.sinks(new Port(SINK), ItemFormat.slot(0, 1));
            random = new Random(seed * SCRAMBLE);       // Seeds in a row begin alike.
            deviceCount = 2 + random.nextInt(3);
            for (int i = 0; i < deviceCount; i++)
            {
                boot(NODE_MIN + i);
            }
        }

        private void boot(final int node)
        {
            final int key = EndpointId.of(node, 1, 0).key();
            final SimulatedAccelerator device = new SimulatedAccelerator(KERNEL_COUNT, 1 + random.nextInt(2), 24,
                (endpoint, handler, a0, a1, a2, payload) -> send(key, endpoint, handler, a0, a1, a2, payload, null));
            device.loads(random.nextInt(3) * 1_000_000L, false);
            devices.put(node, device);
        }

        private SendStatus send(
            final int source, final int target, final int handler, final int a0, final int a1, final int a2,
            final byte[] payload, final Pending call)
        {
            final int node = EndpointId.ofKey(target).node();
            if (seenDead.contains(node))
            {
                return SendStatus.PEER_GONE;
            }
            final Deque<Packet> queue = queues.computeIfAbsent(((long)source << 32) | target, key -> newQueue());
            if (queue.size() >= QUEUE_LENGTH || random.nextInt(8) == 0)
            {
                return SendStatus.BACK_PRESSURED;
            }
            queue.add(new Packet(source, target, handler, a0, a1, a2, new UnsafeBuffer(payload), call));
            return SendStatus.SENT;
        }

        private Deque<Packet> newQueue()
        {
            final Deque<Packet> queue = new ArrayDeque<>();
            queueList.add(queue);
            return queue;
        }

        private int handler(final String name)
        {
            return name.startsWith(ItemFormat.KERNEL_PREFIX) ? SimulatedAccelerator.handler(
                name.charAt(name.length() - 1) - '0') : names.computeIfAbsent(name, key -> 200 + names.size());
        }

        /** Paths out of a node. */
        private final class Port implements StreamPort
        {
            private final int source;

            private Port(final int source)
            {
                this.source = source;
            }

            @Override
            public SendStatus send(
                final int endpoint, final int handler, final int a0, final int a1, final int a2,
                final DirectBuffer buffer, final int offset, final int length)
            {
                final byte[] payload = new byte[length];
                buffer.getBytes(offset, payload);
                return World.this.send(source, endpoint, handler, a0, a1, a2, payload, null);
            }

            @Override
            public Call call(
                final int endpoint, final int handler, final int a0, final int a1, final DirectBuffer buffer,
                final int length)
            {
                final byte[] payload = new byte[length];
                buffer.getBytes(0, payload);
                final Pending call = new Pending();
                final SendStatus status = World.this.send(source, endpoint, handler, a0, a1, 0, payload, call);
                if (status == SendStatus.PEER_GONE)
                {
                    call.endWithoutAnswer("gone");
                }
                return status == SendStatus.BACK_PRESSURED ? null : call;
            }

            @Override
            public boolean isUp(final EndpointId device)
            {
                return !seenDead.contains(device.node());
            }

            @Override
            public boolean isPresent(final EndpointId endpoint)
            {
                return isUp(endpoint);
            }

            @Override
            public List<EndpointId> accelerators()
            {
                return devices.keySet().stream().filter(node -> !seenDead.contains(node))
                    .map(node -> EndpointId.of(node, 1, 0)).toList();
            }

            @Override
            public int handler(final String name)
            {
                return World.this.handler(name);
            }
        }

        /** A checkpoint without the items that were delivered, behind one and up to another. */
        private record Seen(long after, long sequence)
        {
        }

        /** One connection, and what its items have become. */
        private final class Flow implements ConnectionListener, SinkHandler
        {
            private final int number;
            private final int owner;
            private final int target;
            private final Set<String> traces = new HashSet<>();
            private final BitSet atSink = new BitSet();
            private final BitSet failed = new BitSet();
            private final BitSet lost = new BitSet();
            private long last;
            private boolean hasEnded;
            private boolean isDead;
            private StreamConnection connection;
            private List<Stage> stages = new ArrayList<>();
            private final CheckpointMemory memory = new CheckpointMemory();
            private final Map<Integer, StageState> ofSpace = new HashMap<>();
            private final Map<Integer, Long> begins = new HashMap<>();      // By space: items from here on are in it.
            private final Map<Integer, String> epochs = new HashMap<>();
            private final Map<Integer, Long> runs = new HashMap<>();
            private final List<Seen> seen = new ArrayList<>();
            private final StageStates states;
            private int spaceCount;

            private Flow(final int number)
            {
                this.number = number;
                owner = EndpointId.of(1 + number, 1, 1).key();
                target = random.nextInt(60);
                final int stageCount = 1 + random.nextInt(4);
                for (int i = 0; i < stageCount; i++)
                {
                    stages.add(stage());
                }
                traces.add(trace());
                sinks.handler("flow" + number, this);
                final Port port = new Port(owner);
                final ConnectionSpec spec = ConnectionSpec.of("flow" + number, EndpointId.ofKey(SINK),
                    stages.toArray(new Stage[0])).bounds(WINDOW, 64).listener(this);
                states = new StageStates(port, memory, spec, number)
                {
                    @Override
                    StageState newState(
                        final StreamPort portOfState, final CheckpointMemory memoryOfState, final int space)
                    {
                        final StageState state = bug.state(portOfState, memoryOfState, number, space);
                        ofSpace.put(space, state);
                        return state;
                    }
                };
                connection = new StreamConnection(port, spec, number, states, () -> true);
                connections.put(number, connection);
            }

            private Stage stage()
            {
                final Stage stage = Stage.of(EndpointId.of(NODE_MIN + random.nextInt(deviceCount), 1, 0),
                    "k" + random.nextInt(KERNEL_COUNT));
                final int page = random.nextInt(SimulatedAccelerator.PAGE_COUNT);
                final PageOperands operands = PageOperands.NONE.readB(page, 0).keepC(page, 0)
                    .ofLength(SimulatedAccelerator.OPERAND_LENGTH);
                return switch (random.nextInt(4))
                {
                    case 0, 1 -> stage;
                    case 2 -> stage.pages(operands);
                    default ->
                    {
                        spaceCount++;
                        yield stage.pages(operands.inSpace(spaceCount)).checkpoint(1 + random.nextInt(8));
                    }
                };
            }

            @Override
            public void onCheckpoint(final int stage, final Checkpoint checkpoint)
            {
                final PageOperands operands = connection.stages().get(stage).operands();
                final StageState state = ofSpace.get(operands.space());
                final byte[] page = state.page(operands.b() & 0xFFFF);
                final int lastRun = page == null ? 0 : new UnsafeBuffer(page).getInt(0);
                assertTrue(lastRun <= checkpoint.sequence() && (lastRun > 0) == (checkpoint.runs() > 0), () ->
                    "page has item " + lastRun + ": " + checkpoint + where());
                assertTrue(checkpoint.sequence() <= connection.accounts().injected(), () -> checkpoint + where());
                assertTrue(checkpoint.runs() >= runs.getOrDefault(operands.space(), 0L), () -> "runs of " + checkpoint +
                    " are less than before: " + runs + where());
                runs.put(operands.space(), checkpoint.runs());
                checkpointCount++;
                final String epoch = connection.describe().split("\t", -1)[3];
                if (!epoch.equals(epochs.put(operands.space(), epoch)))
                {
                    begins.put(operands.space(), -1L);    // It may have begun before the change.
                    return;
                }
                final long begin = begins.get(operands.space());
                if (begin < 0)
                {
                    begins.put(operands.space(), checkpoint.sequence());
                }
                else
                {
                    seen.add(new Seen(Math.max(begin, lastRun), checkpoint.sequence()));
                }
            }

            @Override
            public void onCheckpointFailed(final int stage, final String reason)
            {
                assertTrue(reason.contains("path is being changed") || reason.equals("gone") ||
                    reason.equals(LATE) || reason.contains("with checkpoints here"), () -> reason + where());
                checkpointFailureCount++;
            }

            @Override
            public void onRestored(final int index, final long sequence)
            {
                assertTrue(deathCount > 0, () -> "restored without a death" + where());
                final Stage stage = connection.stages().get(index);
                final int space = stage.operands().space();
                final SimulatedAccelerator device = devices.get(stage.device().node());
                for (int i = 0; device != null && i < SimulatedAccelerator.PAGE_COUNT; i++)
                {
                    final byte[] kept = ofSpace.get(space).page(i);
                    final byte[] there = device.page(owner, 1, space, i);
                    final int number = i;
                    assertTrue(Arrays.equals(kept == null ? new byte[there.length] : kept, there), () ->
                        "page " + number + " of space " + space + " was not restored" + where());
                }
                final Checkpoint checkpoint = ofSpace.get(space).account();
                assertEquals(checkpoint == null ? 0 : checkpoint.sequence(), sequence, this::where);
                epochs.remove(space);
                restoredCount++;
            }

            private String trace()
            {
                final StringBuilder text = new StringBuilder();
                stages.forEach(stage -> text.append(stage.kernel().charAt(1)));
                return text.toString();
            }

            private void act()
            {
                if (isDead)
                {
                    return;
                }
                if (connection.accounts().injected() < target && random.nextInt(4) == 0)
                {
                    final byte[] payload = new byte[SimulatedAccelerator.OPERAND_LENGTH];
                    new UnsafeBuffer(payload).putInt(0, (int)connection.accounts().injected() + 1);
                    payload[4] = (byte)(random.nextInt(20) == 0 ? SimulatedAccelerator.FAILING_BYTE : 7);
                    payload[SimulatedAccelerator.OWNER_INDEX] = (byte)(1 + number);
                    connection.inject(new UnsafeBuffer(payload), 0, payload.length);
                    assertTrue(connection.accounts().pending() <= WINDOW, this::where);
                }
                if (connection.isSettled() && !connection.isClosed() && random.nextInt(400) == 0)
                {
                    final int index = random.nextInt(stages.size());
                    stages = new ArrayList<>(connection.stages());
                    final Stage present = stages.get(index);
                    stages.set(index, present.checkpoint() > 0 && random.nextBoolean() ?
                        present.checkpoint(1 + random.nextInt(8)) : stage());
                    traces.add(trace());
                    connection.replace(index, stages.get(index));
                }
            }

            private boolean isDone()
            {
                if (isDead)
                {
                    return seenDead.contains(1 + number);
                }
                final Accounts accounts = connection.accounts();
                return accounts.injected() == target && accounts.pending() == 0 && connection.isSettled();
            }

            @Override
            public void onItem(final long sequence, final DirectBuffer buffer, final int offset, final int length)
            {
                inOrder(sequence);
                assertEquals((int)sequence, buffer.getInt(offset), this::where);
                final StringBuilder trace = new StringBuilder();
                for (int i = SimulatedAccelerator.OPERAND_LENGTH; i < length; i++)
                {
                    trace.append(buffer.getByte(offset + i));
                }
                assertTrue(traces.contains(trace.toString()), () -> "trace " + trace + " of " + traces + where());
                atSink.set((int)sequence);
            }

            private void inOrder(final long sequence)
            {
                assertTrue(sequence > last, () -> "sequence " + sequence + " behind " + last + where());
                last = sequence;
            }

            @Override
            public void onFailed(final long sequence, final String reason)
            {
                // Of sink and owner, which are both this object: the second one counts.
                assertTrue(reason.endsWith("failed on purpose"), reason);
                failed.set((int)sequence);
            }

            @Override
            public void onLost(final long first, final long end)
            {
                assertTrue(deathCount > 0, () -> "lost " + first + " to " + end + " without a death" + where());
                lost.set((int)first, (int)end + 1);
            }

            @Override
            public void onEnd()
            {
                hasEnded = true;
            }

            private String where()
            {
                return " seed=" + seed + " " + connection.accounts() + " stages=" + connection.stages() + " failure=" +
                    connection.failure();
            }

            private void check(final long[] totals)
            {
                assertTrue(hasEnded || (isDead && last == 0), this::where);
                if (isDead)
                {
                    return;                 // Each item was checked when it came; nobody keeps accounts.
                }
                final Accounts accounts = connection.accounts();
                assertEquals(target, accounts.injected(), this::where);
                assertEquals(0, accounts.pending(), this::where);
                assertEquals(0, accounts.unknown(), this::where);
                assertEquals(accounts.delivered(), atSink.cardinality(), this::where);
                assertEquals(accounts.failed(), failed.cardinality(), this::where);
                assertEquals(accounts.lost(), lost.cardinality(), this::where);
                for (int i = 1; i <= target; i++)
                {
                    assertEquals(1, (atSink.get(i) ? 1 : 0) + (failed.get(i) ? 1 : 0) + (lost.get(i) ? 1 : 0),
                        "item " + i + where());
                }
                for (final Seen each : seen)
                {
                    final int missed = atSink.nextSetBit((int)each.after + 1);
                    assertTrue(missed < 0 || missed > each.sequence, () ->
                        "item " + missed + " is not in a checkpoint of sequence " + each.sequence + where());
                }
                assertEquals(0, memory.length(), this::where);
                totals[0] += accounts.delivered();
                totals[1] += accounts.failed();
                totals[2] += accounts.lost();
            }
        }

        private void run(final long[] totals)
        {
            final int flowCount = 1 + random.nextInt(3);
            for (int i = 0; i < flowCount; i++)
            {
                flows.add(new Flow(i));
            }
            final int deathsMax = random.nextInt(3);
            int steps = 0;
            while (!flows.stream().allMatch(Flow::isDone))
            {
                step(deathsMax);
                steps++;
                if (steps > STEPS_MAX)
                {
                    throw new AssertionError("does not end:" + flows.stream().map(Flow::where).toList() + devices
                        .values().stream().map(SimulatedAccelerator::remains).toList());
                }
            }
            flows.stream().filter(flow -> !flow.isDead).forEach(flow -> flow.connection.close());
            while (!connections.values().stream().allMatch(StreamConnection::isOver) ||
                !queues.values().stream().allMatch(Deque::isEmpty))
            {
                step(0);
                steps++;
                assertTrue(steps < 2 * STEPS_MAX, () -> "does not close: seed=" + seed);
            }
            devices.values().forEach(device ->
            {
                rest(device, device::remainingItems);
                flows.forEach(flow -> device.onNodeGone(1 + flow.number, 1));
                rest(device, device::remains);
                faultCount += device.faultCount();
                evictionCount += device.evictionCount();
            });
            flows.forEach(flow -> flow.check(totals));
            totals[3] += faultCount;
            totals[4] += evictionCount;
            totals[5] += deathCount;
            totals[6] += ownerDeathCount;
            totals[7] += checkpointCount;
            totals[8] += checkpointFailureCount;
            totals[9] += restoredCount;
            totals[10] += lateCount;
        }

        private void rest(final SimulatedAccelerator device, final Supplier<String> remains)
        {
            for (int i = 0; i < 10_000 && !remains.get().isEmpty(); i++)
            {
                nowNs += 1_000_000;
                device.step(nowNs);
            }
            assertEquals("", remains.get(), "seed=" + seed);
        }

        private void step(final int deathsMax)
        {
            nowNs += random.nextInt(200_000);
            switch (random.nextInt(5))
            {
                case 0, 1 -> deliver();
                case 2 -> devices.values().forEach(device -> device.step(nowNs));
                case 3 -> connections.values().forEach(connection -> connection.step(nowNs));
                default ->
                {
                    flows.forEach(Flow::act);
                    sinks.step();
                }
            }
            if (deathCount < deathsMax && random.nextInt(600) == 0)
            {
                die();
            }
            if (deathsMax > 0 && ownerDeathCount == 0 && random.nextInt(1_000) == 0)
            {
                dieOwner(flows.get(random.nextInt(flows.size())));
            }
            if (!unseen.isEmpty() && random.nextInt(50) == 0)
            {
                see();
            }
            if (random.nextInt(200) == 0)
            {
                waitInVain();
            }
        }

        /** The answers to requests come too late: these stay under way. */
        private void waitInVain()
        {
            queueList.stream().flatMap(Deque::stream).filter(packet -> packet.call != null && !packet.call.isComplete)
                .forEach(packet ->
                {
                    packet.call.endWithoutAnswer(LATE);
                    lateCount++;
                });
        }

        /** A device dies with what waits for it; a part of what it has sent arrives. A new one comes up. */
        private void die()
        {
            final List<Integer> alive =
                devices.keySet().stream().filter(node -> !seenDead.contains(node) && !unseen.contains(node)).toList();
            final int node = alive.get(random.nextInt(alive.size()));
            deathCount++;
            unseen.add(node);
            devices.remove(node);
            boot(NODE_MIN + deviceCount + deathCount);
            lose(node);
        }

        private void dieOwner(final Flow flow)
        {
            ownerDeathCount++;
            flow.isDead = true;
            connections.remove(flow.number);
            unseen.add(1 + flow.number);
            lose(1 + flow.number);
        }

        /** A part of the messages of a dead node arrives. */
        private void lose(final int node)
        {
            queues.forEach((key, queue) ->
            {
                if (EndpointId.ofKey((int)(key >>> 32)).node() == node)
                {
                    final int kept = random.nextInt(queue.size() + 1);
                    while (queue.size() > kept)
                    {
                        queue.pollLast();
                    }
                }
            });
        }

        /** The death is reported. */
        private void see()
        {
            final int node = unseen.remove(0);
            seenDead.add(node);
            queues.forEach((key, queue) ->
            {
                if (EndpointId.ofKey(key.intValue()).node() == node)
                {
                    queue.stream().filter(packet -> packet.call != null).forEach(packet ->
                        packet.call.endWithoutAnswer("gone"));
                    queue.clear();
                }
            });
            connections.values().forEach(connection -> connection.onNodeGone(node));
            if (node < SINK_NODE)
            {
                queues.forEach((key, queue) ->
                {
                    if (EndpointId.ofKey((int)(key >>> 32)).node() == node)
                    {
                        queue.clear();
                    }
                });
                devices.values().forEach(device -> device.onNodeGone(node, 1));
                sinks.onOwnersGone(owner -> owner.node() == node);
            }
        }

        private void deliver()
        {
            final int first = queueList.isEmpty() ? 0 : random.nextInt(queueList.size());
            for (int i = 0; i < queueList.size(); i++)
            {
                final Deque<Packet> queue = queueList.get((first + i) % queueList.size());
                if (!queue.isEmpty())
                {
                    deliver(queue);
                    return;
                }
            }
        }

        private void deliver(final Deque<Packet> queue)
        {
            final Packet packet = queue.peek();
            final EndpointId target = EndpointId.ofKey(packet.target);
            if (target.node() < SINK_NODE)
            {
                if (!connections.containsKey(packet.a0))
                {
                    return;                 // Dead.
                }
                connections.get(packet.a0).onAccount(packet.a1, packet.a2,
                    new String(packet.payload.byteArray(), UTF_8));
            }
            else if (packet.target == SINK)
            {
                atSink(packet);
            }
            else
            {
                final SimulatedAccelerator device = devices.get(target.node());
                if (device == null || device.isPaused(target.channel()))
                {
                    return;                 // Dead, and not reported yet; or paused.
                }
                atDevice(device, packet, target.channel());
            }
            queue.poll();
        }

        private void atSink(final Packet packet)
        {
            if (packet.handler == handler(StreamFormat.SINK))
            {
                packet.call.end(sinks.open(packet.source, packet.a0, packet.a1,
                    new String(packet.payload.byteArray(), UTF_8)), null);
            }
            else if (packet.handler == handler(StreamFormat.PROBE))
            {
                sinks.requireConnection(packet.source, packet.a0);
                packet.call.end(0, null);
            }
            else if (packet.handler == handler(StreamFormat.CLOSE))
            {
                sinks.close(packet.source, packet.a0);
            }
            else
            {
                assertEquals(handler(StreamFormat.ITEM), packet.handler);
                sinks.onItem(
                    packet.a0, packet.a1, packet.payload, 0, packet.payload.capacity());
            }
        }

        private String name(final int handler)
        {
            return names.entrySet().stream().filter(each -> each.getValue() == handler).map(Map.Entry::getKey)
                .findFirst().orElse("");
        }

        private void atCheckpoint(final SimulatedAccelerator device, final Packet packet)
        {
            try
            {
                UnsafeBuffer answer = null;
                while (answer == null)
                {
                    answer = device.checkpoint(name(packet.handler), packet.source, 1, packet.a0, packet.a1,
                        packet.payload.byteArray());
                    device.step(nowNs);
                }
                packet.call.payload = answer;
                packet.call.end(0, null);
            }
            catch (final DeviceException | IllegalArgumentException ex)
            {
                packet.call.end(0, ex.getMessage());
            }
        }

        private void atDevice(final SimulatedAccelerator device, final Packet packet, final int channel)
        {
            if (packet.handler == handler(FrameEntry.SET))
            {
                try
                {
                    packet.call.end(device.set(packet.source, 1, packet.payload.byteArray()), null);
                }
                catch (final DeviceException | IllegalArgumentException ex)
                {
                    packet.call.end(0, ex.getMessage());
                }
            }
            else if (packet.call != null && device.hasCheckpoint(name(packet.handler)))
            {
                atCheckpoint(device, packet);
            }
            else if (packet.handler == handler(FrameEntry.CLEAR))
            {
                device.clear(packet.source, packet.a0, packet.a1, packet.a2);
            }
            else if (packet.handler == handler(FrameEntry.STATUS))
            {
                packet.call.end(0, device.items(packet.source, packet.a0, packet.a1) < 0 ? "no entry" : null);
            }
            else
            {
                device.onItem(channel, packet.handler, packet.a0, packet.a1, packet.a2, packet.payload.byteArray());
            }
        }
    }
}
