// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * One accelerator with few frames and images, owners that die and come again, and their items, from one seed. A naive
 * model of each owner's memory says what each kernel has to see, and what each item has to become.
 */
final class AcceleratorWorld
{
    private static final int KERNEL_COUNT = 3;
    private static final int[] FRAME_COUNTS = {1, 2, 2, 3, 3, 4, 6};
    private static final int PAGE_LENGTH = 256;
    private static final int LENGTH_MAX = 128;
    private static final int WINDOW = 4;
    private static final int CHANNEL_ITEMS = 16;
    private static final int STEPS_MAX = 30_000;
    private static final int NODE_MIN = 10;
    private static final int FILLER_NODE = 9;
    private static final int SINK_HANDLER = 300;
    private static final int FLOW_MAX = 2;
    private static final int STAGE_MAX = 2;
    private static final int DEATH_MAX = 3;
    private static final long LOAD_NS = 300_000;
    private static final long SCRAMBLE = 0x9E37_79B9_7F4A_7C15L;
    private static final int EARLIER_USE = 1 << 8;
    private static final int FAILING_MASK = 0x0F;

    private final int seed;
    private final Random random;
    private final SimulatedAccelerator device;
    private final int slotCount;
    private final int frameCount;
    private final int quota;
    private final List<Owner> owners = new ArrayList<>();
    private final List<Flow> flows = new ArrayList<>();
    private final Map<Integer, StageModel> stages = new HashMap<>();    // By slot.
    private final Set<Page> settled = new HashSet<>();      // Pinned, and in their frames.
    private final Totals totals = new Totals();
    private final List<Fetch> fetches = new ArrayList<>();
    private int deathsLeft;
    private long nowNs;

    /** Events of a run, to see that all kinds have happened. */
    static final class Totals
    {
        long items;
        long failed;
        long refusedPins;
        long deaths;
        long faults;
        long imageEvictions;
        long pageFaults;
        long pageEvictions;
        long cleans;
        long checkpoints;
        long abandoned;
        long copies;

        void add(final Totals other)
        {
            items += other.items;
            failed += other.failed;
            refusedPins += other.refusedPins;
            deaths += other.deaths;
            faults += other.faults;
            imageEvictions += other.imageEvictions;
            pageFaults += other.pageFaults;
            pageEvictions += other.pageEvictions;
            cleans += other.cleans;
            checkpoints += other.checkpoints;
            abandoned += other.abandoned;
            copies += other.copies;
        }

        boolean hasAll()
        {
            return items > 0 && failed > 0 && refusedPins > 0 && deaths > 0 && faults > 0 && imageEvictions > 0 &&
                pageFaults > 0 && pageEvictions > 0 && cleans > 0 && checkpoints > 0 && abandoned > 0 && copies > 0;
        }

        @Override
        public String toString()
        {
            return "items " + items + ", failed " + failed + ", refused pins " + refusedPins + ", deaths " + deaths +
                ", function faults " + faults + ", evicted images " + imageEvictions + ", page faults " + pageFaults +
                ", evicted pages " + pageEvictions + ", cleaned " + cleans +
                ", checkpoints " + checkpoints + ", given up " + abandoned + ", copies " + copies;
        }
    }

    /** An endpoint in one incarnation, and what its pages have to be. */
    private final class Owner
    {
        private final int node;
        private final int incarnation;
        private final int key;
        private final Map<Integer, byte[]> pages = new HashMap<>();         // By number, with the space.
        private int spaceCount = 1;
        private final Set<Integer> pinned = new HashSet<>();
        private boolean isDead;
        private boolean isGone;

        private Owner(final int node, final int incarnation)
        {
            this.node = node;
            this.incarnation = incarnation;
            key = EndpointId.of(node, 1, 1).key();
            final int count = 1 + random.nextInt(FLOW_MAX);
            for (int i = 0; i < count; i++)
            {
                flows.add(new Flow(this, i));
            }
        }

        private byte[] page(final int number)
        {
            return pages.computeIfAbsent(number, key -> new byte[PAGE_LENGTH]);
        }

        private int anyNumber()
        {
            return PageSpaces.number(random.nextInt(spaceCount), random.nextInt(quota));
        }
    }

    /** An item, and what it has to be now. */
    private static final class Item
    {
        private final int sequence;
        private final int address;
        private byte[] data;
        private boolean isFailed;
        private boolean isDone;

        private Item(final int sequence, final int address, final byte[] data)
        {
            this.sequence = sequence;
            this.address = address;
            this.data = data;
        }
    }

    /** A kernel and its operands, and the items that it has to run. */
    private final class StageModel
    {
        private final Owner owner;
        private final StageModel next;
        private final boolean isFirst;
        private final int kernel = random.nextInt(KERNEL_COUNT);
        private final boolean hasConstant;
        private final int constant;                     // Or the address of each item.
        private final PageOperands operands;
        private final Deque<Item> runs = new ArrayDeque<>();
        private int slotAndChannel = -1;
        private byte[] a;
        private byte[] b;
        private int ranSequence;
        private int accountedSequence;
        private long runCount;

        private StageModel(final Owner owner, final StageModel next, final boolean isFirst)
        {
            this.owner = owner;
            this.next = next;
            this.isFirst = isFirst;
            PageOperands made = PageOperands.NONE.ofLength(random.nextBoolean() ? 0 : length());
            made = random.nextInt(3) > 0 ? made.readA(page(), 64 * random.nextInt(3)) : made;
            made = random.nextBoolean() ? made.readB(page(), 64 * random.nextInt(3)) : made;
            final int offset = 64 * random.nextInt(2);
            switch (random.nextInt(3))
            {
                case 0 -> made = made.writeC(page(), offset);
                case 1 -> made = made.keepC(page(), offset);
                default -> made = made.ofLength(made.length());
            }
            operands = random.nextBoolean() ? made : made.inSpace(owner.spaceCount++);
            if (operands.space() != 0)
            {
                fetches.add(new Fetch(this));
            }
            hasConstant = !made.hasB() && random.nextInt(3) == 0;
            constant = hasConstant ? random.nextInt() : isFirst ? 0 : address();
        }

        private int a0()
        {
            return ItemFormat.a0(ItemFormat.slot(slotAndChannel), 0, hasConstant) | operands.bits();
        }

        private int addressOf(final Item item)
        {
            final int ofStage = isFirst ? item.address : constant;
            return hasConstant ? 0 : ofStage;
        }

        /** Expects an item: it will be run, or fails without a run. */
        private void expect(final Item item)
        {
            final int address = addressOf(item);
            final int length = lengthOf(item);
            final Set<Integer> needed = new HashSet<>();
            final boolean isGood =
                isGood(needed, ItemFormat.isAInPage(operands.bits()), operands.a(), address, length) &&
                isGood(needed, ItemFormat.isBInPage(operands.bits()), operands.b(), address, length) &&
                isGood(needed, ItemFormat.isCInPage(operands.bits()), operands.c(), address, 0);
            if (isGood && needed.size() <= frameCount)
            {
                runs.add(item);
            }
            else
            {
                item.isFailed = true;
                item.isDone = true;
            }
        }

        private boolean isGood(
            final Set<Integer> needed, final boolean isInPage, final int base, final int address, final int length)
        {
            if (!isInPage)
            {
                return true;
            }
            needed.add(number(base, address));
            return number(base, address) < quota && offset(base, address) + length <= PAGE_LENGTH;
        }

        private int lengthOf(final Item item)
        {
            return operands.length() == 0 ? item.data.length : operands.length();
        }

        /** Checks what a kernel sees when it begins. Returns whether it has to fail. */
        private boolean isFailing(final int number, final KernelCall call)
        {
            assertEquals(kernel, number, () -> "wrong kernel" + where());
            final Item item = runs.poll();
            assertTrue(item != null, () -> "no item has to run" + where());
            final int address = addressOf(item);
            final int length = lengthOf(item);
            final boolean isAInPage = ItemFormat.isAInPage(operands.bits());
            final byte[] payload = isAInPage && !hasConstant ? item.data : null;
            a = isAInPage ? part(operands.a(), address, length) : item.data;
            b = ItemFormat.isBInPage(operands.bits()) ? part(operands.b(), address, length) : payload;
            assertBytes(a, call.source(), call.length(), item);
            assertEquals(b != null, call.hasOperandB(), this::where);
            if (b != null)
            {
                assertBytes(b, call.operandB(), call.operandBLength(), item);
            }
            final boolean isFailing = a.length > 0 && (a[0] & FAILING_MASK) == FAILING_MASK;
            check(item.sequence > accountedSequence, "item " + item.sequence + " runs behind a checkpoint that has it");
            ranSequence = item.sequence;
            runCount += isFailing ? 0 : 1;
            item.isFailed = isFailing;
            item.isDone = isFailing || next == null;
            if (!isFailing)
            {
                ends(item, address);
            }
            return isFailing;
        }

        private void ends(final Item item, final int address)
        {
            final byte[] result = new byte[a.length];
            compute(kernel, new UnsafeBuffer(a), a.length, b == null ? null : new UnsafeBuffer(b),
                b == null ? 0 : b.length, hasConstant ? constant : 0, new UnsafeBuffer(result));
            if (ItemFormat.isCInPage(operands.bits()))
            {
                System.arraycopy(result, 0, owner.page(composite(operands.c(), address)), offset(operands.c(), address),
                    result.length);
            }
            item.data = ItemFormat.isForwarded(operands.bits()) ? result : new byte[0];
            if (next != null)
            {
                next.expect(item);
            }
        }

        private int composite(final int base, final int address)
        {
            return PageSpaces.number(operands.space(), number(base, address));
        }

        private byte[] part(final int base, final int address, final int length)
        {
            final int offset = offset(base, address);
            return Arrays.copyOfRange(owner.page(composite(base, address)), offset, offset + length);
        }

        private void assertBytes(
            final byte[] expected, final DirectBuffer buffer, final int length, final Item item)
        {
            assertEquals(expected.length, length, this::where);
            for (int i = 0; i < length; i++)
            {
                if (expected[i] != buffer.getByte(i))
                {
                    throw new AssertionError("byte " + i + " of item " + item.sequence + " is " + buffer.getByte(i) +
                        ", expected " + expected[i] + where());
                }
            }
        }

        private String where()
        {
            return " at owner=" + owner.node + "/" + owner.incarnation + " slot=" + slotAndChannel + " " + operands +
                AcceleratorWorld.this;
        }
    }

    /** Owner's copy of the pages of a stage, by checkpoints that are given up now and then. */
    private final class Fetch
    {
        private final StageModel stage;
        private final Map<Integer, byte[]> kept = new HashMap<>();
        private final Map<Integer, byte[]> fetched = new HashMap<>();
        private final Map<Integer, byte[]> expected = new HashMap<>();
        private final Deque<Integer> open = new ArrayDeque<>();
        private boolean isUnderWay;
        private boolean isOfPagesOnly;          // The stage had no entry yet: with its last page the space ended.
        private boolean isWhole;
        private int number;
        private int nextNumber;

        private Fetch(final StageModel stage)
        {
            this.stage = stage;
        }

        private void act()
        {
            try
            {
                if (!isUnderWay)
                {
                    begin();
                }
                else if (random.nextInt(12) == 0)
                {
                    giveUp();
                }
                else if (!open.isEmpty())
                {
                    fetch();
                }
                else
                {
                    end();
                }
            }
            catch (final DeviceException ex)
            {
                assertEquals(DeviceCode.NOT_FOUND, ex.code(), ex.getMessage());     // It has neither pages nor entry.
                isUnderWay = false;
            }
            catch (final IllegalArgumentException ex)
            {
                assertTrue(isOfPagesOnly && ex.getMessage().endsWith("is in no checkpoint that is under way"),
                    ex::getMessage);
                isUnderWay = false;             // The space is another one.
            }
        }

        private UnsafeBuffer call(final String name, final int a0, final int a1)
        {
            return device.checkpoint(name, stage.owner.key, stage.owner.incarnation, a0, a1, new byte[0]);
        }

        private void begin()
        {
            final UnsafeBuffer answer = call(CheckpointFormat.BEGIN, stage.operands.space(), number);
            final CheckpointFormat.Begun begun = CheckpointFormat.Begun.readFrom(answer, answer.capacity());
            check(begun.runs() == stage.runCount, "runs=" + begun.runs() + " of " + stage.runCount + stage.where());
            check(begun.sequence() >= stage.ranSequence, "sequence=" + begun.sequence() + stage.where());
            stage.accountedSequence = begun.sequence();
            isUnderWay = true;
            isOfPagesOnly = stage.slotAndChannel == -1;
            isWhole = begun.isWhole();
            nextNumber = begun.number();
            fetched.clear();
            open.clear();
            expected.clear();
            for (final int page : begun.pages())
            {
                open.add(page);
            }
            for (int i = 0; i < quota; i++)
            {
                expected.put(i, stage.owner.page(PageSpaces.number(stage.operands.space(), i)).clone());
            }
        }

        private void fetch()
        {
            final UnsafeBuffer answer =
                call(CheckpointFormat.READ, PageSpaces.number(stage.operands.space(), open.peek()), 0);
            if (answer != null)
            {
                fetched.put(open.poll(), answer.byteArray());
            }
        }

        private void giveUp()
        {
            totals.abandoned++;
            isUnderWay = false;
            if (random.nextBoolean())
            {
                call(CheckpointFormat.END, stage.operands.space(), 0);
            }
        }

        private void end()
        {
            totals.checkpoints++;
            isUnderWay = false;
            number = nextNumber;
            if (isWhole)
            {
                kept.clear();
            }
            kept.putAll(fetched);
            expected.forEach((page, bytes) ->
            {
                final int wrong = Arrays.mismatch(bytes, kept.getOrDefault(page, new byte[PAGE_LENGTH]));
                check(wrong < 0, "byte " + wrong + " of page " + page + " of the checkpoint is wrong" + stage.where());
            });
            if (random.nextInt(4) > 0)
            {
                call(CheckpointFormat.END, stage.operands.space(), number);         // Otherwise the message is lost.
            }
        }
    }

    /** Items of an owner through one or two stages. */
    private final class Flow
    {
        private final Owner owner;
        private final int stream;
        private final int sink = EndpointId.of(1, 1, 1).key() + flows.size();
        private final int target = random.nextInt(30);
        private final StageModel[] line = new StageModel[1 + random.nextInt(STAGE_MAX)];
        private final List<Item> items = new ArrayList<>();
        private final Deque<Item> queue = new ArrayDeque<>();           // To the device.
        private final List<byte[]> payloads = new ArrayList<>();
        private int toSet = line.length - 1;
        private int arrivedCount;

        private Flow(final Owner owner, final int stream)
        {
            this.owner = owner;
            this.stream = stream;
            for (int i = line.length - 1; i >= 0; i--)
            {
                line[i] = new StageModel(owner, i == line.length - 1 ? null : line[i + 1], i == 0);
            }
        }

        /** Sets the next entry, if there is room, or injects an item. */
        private void act()
        {
            if (toSet >= 0)
            {
                set(line[toSet], toSet == line.length - 1 ? null : line[toSet + 1]);
            }
            else if (items.size() < target && items.size() - arrivedCount < WINDOW)
            {
                final byte[] payload = new byte[length()];
                random.nextBytes(payload);
                final Item item = new Item(items.size() + 1, line[0].hasConstant ? line[0].constant :
                    random.nextInt(4) == 0 ? address() : 0, payload);
                items.add(item);
                payloads.add(payload);
                queue.add(item);
                line[0].expect(item);
            }
        }

        private void set(final StageModel stage, final StageModel next)
        {
            final UnsafeBuffer payload = new UnsafeBuffer(new byte[FrameEntry.LENGTH]);
            new FrameEntry(0, 0, stream, 1, next == null ? 0 : FrameEntry.RECYCLE,
                SimulatedAccelerator.handler(stage.kernel), sink,
                next == null ? SINK_HANDLER : SimulatedAccelerator.handler(next.kernel), next == null ? 0 : next.a0(),
                next == null ? 0 : next.constant, WINDOW, LENGTH_MAX, stage.operands).writeTo(payload);
            try
            {
                stage.slotAndChannel = device.set(owner.key, owner.incarnation, payload.byteArray());
                stages.put(ItemFormat.slot(stage.slotAndChannel), stage);
                toSet--;
            }
            catch (final DeviceException ex)
            {
                assertEquals(DeviceCode.NO_ROOM, ex.code(), ex.getMessage());       // Until an owner is gone.
            }
        }

        /** Brings the next item to the device, or one of another kernel or use of the entry, which is dropped. */
        private void deliver()
        {
            final int channel = line[0].slotAndChannel >>> 16;
            if (queue.isEmpty() || device.isPaused(channel))
            {
                return;
            }
            if (random.nextInt(20) == 0)
            {
                final boolean isLate = random.nextBoolean();
                device.onItem(channel,
                    SimulatedAccelerator.handler(isLate ? line[0].kernel : (line[0].kernel + 1) % KERNEL_COUNT),
                    isLate ? line[0].a0() ^ EARLIER_USE : line[0].a0(), 0, 0, new byte[Integer.BYTES]);
                return;
            }
            final Item item = queue.poll();
            device.onItem(channel, SimulatedAccelerator.handler(line[0].kernel), line[0].a0(), item.sequence,
                item.address, payloads.get(item.sequence - 1));
        }

        private void onArrival(final boolean isFailed, final int sequence, final byte[] payload)
        {
            assertEquals(arrivedCount + 1, sequence, this::where);
            final Item item = items.get(arrivedCount);
            assertTrue(item.isDone, () -> "item " + sequence + " has not passed each stage" + where());
            assertEquals(item.isFailed, isFailed, () -> "failed: " + new String(payload, UTF_8) + where());
            assertTrue(isFailed || Arrays.equals(item.data, payload), () -> "item " + sequence + " is " +
                Arrays.toString(payload) + ", expected " + Arrays.toString(item.data) + where());
            arrivedCount++;
            totals.items++;
            totals.failed += isFailed ? 1 : 0;
        }

        private boolean isOver()
        {
            return owner.isDead ? owner.isGone : arrivedCount == target;
        }

        private String where()
        {
            return " flow " + sink + " arrived=" + arrivedCount + " of " + items.size() + " target=" + target +
                line[0].where();
        }
    }

    /** A kernel whose result shows operands, number and order. */
    private record Formula(int number, AcceleratorWorld world) implements Kernel
    {
        @Override
        public String name()
        {
            return "k" + number;
        }

        @Override
        public int run(final KernelCall call, final MutableDirectBuffer result)
        {
            final StageModel stage = world.stages.get(ItemFormat.slot(call.a0()));
            world.check(stage != null, "an item runs that has no entry");
            if (stage.isFailing(number, call))
            {
                throw new IllegalStateException("failed on purpose");
            }
            compute(number, call.source(), call.length(), call.operandB(), call.operandBLength(),
                call.hasConstant() ? call.constant() : 0, result);
            return call.length();
        }
    }

    AcceleratorWorld(final int seed, final PlantedBug bug)
    {
        this.seed = seed;
        random = new Random(seed * SCRAMBLE);       // Seeds in a row begin alike.
        slotCount = 1 + random.nextInt(2);
        frameCount = FRAME_COUNTS[random.nextInt(FRAME_COUNTS.length)];
        quota = 1 + random.nextInt(6);
        deathsLeft = random.nextInt(DEATH_MAX + 1);
        device = new SimulatedAccelerator(KERNEL_COUNT, slotCount, CHANNEL_ITEMS, this::onSend,
            number -> new Formula(number, this),
            new SimulatedAccelerator.Pages(bug, 1 + random.nextInt(3), frameCount, PAGE_LENGTH, quota, random));
        device.loads(random.nextInt(3) * LOAD_NS, false);
        final int ownerCount = 1 + random.nextInt(3);
        for (int i = 0; i < ownerCount; i++)
        {
            owners.add(new Owner(NODE_MIN + i, 1));
        }
        fill(ItemFormat.ENTRY_COUNT - 1 - ownerCount * FLOW_MAX * STAGE_MAX);
    }

    /** Leaves few entries, so that they are used again. */
    private void fill(final int count)
    {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[FrameEntry.LENGTH]);
        new FrameEntry(0, 0, 1, 1, 0, SimulatedAccelerator.handler(0), 0, 0, 0, 0, 1, 0, PageOperands.NONE)
            .writeTo(payload);
        for (int i = 0; i < count; i++)
        {
            device.set(EndpointId.of(FILLER_NODE, 1, 1).key(), 1, payload.byteArray());
        }
    }

    private static void compute(
        final int number, final DirectBuffer a, final int aLength, final DirectBuffer b, final int bLength,
        final int constant, final MutableDirectBuffer result)
    {
        for (int i = 0; i < aLength; i += Integer.BYTES)
        {
            final int fromB = b != null && i < bLength ? b.getInt(i) : 0;
            result.putInt(i, 31 * a.getInt(i) + 17 * (fromB + constant) + number + i);
        }
    }

    private static int number(final int base, final int address)
    {
        return PageOperands.page(base) + PageOperands.page(address);
    }

    private static int offset(final int base, final int address)
    {
        return PageOperands.offset(base) + PageOperands.offset(address);
    }

    private int page()
    {
        return random.nextInt(quota);
    }

    private int address()
    {
        return PageOperands.address(random.nextInt(3), 64 * random.nextInt(2));
    }

    private int length()
    {
        return Integer.BYTES * (1 + random.nextInt(LENGTH_MAX / Integer.BYTES));
    }

    private void check(final boolean isSo, final String text)
    {
        if (!isSo)
        {
            throw new AssertionError(text + this);
        }
    }

    private SendStatus onSend(
        final int endpoint, final int handler, final int a0, final int a1, final int a2, final byte[] payload)
    {
        if (random.nextInt(6) == 0)
        {
            return SendStatus.BACK_PRESSURED;
        }
        assertEquals(SINK_HANDLER, handler);
        flows.get(endpoint - EndpointId.of(1, 1, 1).key()).onArrival(ItemFormat.isFailed(a0), a1, payload);
        return SendStatus.SENT;
    }

    /** Runs until all items of owners that are alive have arrived, and all is given back. */
    Totals run()
    {
        int steps = 0;
        while (deathsLeft > 0 || !flows.stream().allMatch(Flow::isOver))
        {
            step();
            steps++;
            if (steps > STEPS_MAX)
            {
                throw new AssertionError("does not end" + this + flows.stream().filter(flow -> !flow.isOver())
                    .map(Flow::where).toList());
            }
        }
        owners.stream().filter(owner -> !owner.isDead).forEach(this::compare);
        totals.copies = device.spaces().copyCount();
        owners.forEach(this::gone);
        device.onNodeGone(FILLER_NODE, 1);
        for (int i = 0; i < STEPS_MAX && !device.remains().isEmpty(); i++)
        {
            stepDevice();
        }
        assertEquals("", device.remains(), this::toString);
        totals.faults = device.faultCount();
        totals.imageEvictions = device.evictionCount();
        totals.pageFaults = device.frames().faultCount();
        totals.pageEvictions = device.frames().evictionCount();
        totals.cleans = device.frames().cleanCount();
        return totals;
    }

    private void step()
    {
        switch (random.nextInt(7))
        {
            case 0 -> flows.get(random.nextInt(flows.size())).deliver();
            case 1 -> flows.forEach(Flow::deliver);
            case 2 ->
            {
                final Flow flow = flows.get(random.nextInt(flows.size()));
                if (!flow.owner.isDead)
                {
                    flow.act();
                }
            }
            case 3 -> act(fetches.isEmpty() ? null : fetches.get(random.nextInt(fetches.size())));
            case 4 -> ask(owners.get(random.nextInt(owners.size())));
            default -> stepDevice();
        }
        if (deathsLeft > 0 && random.nextInt(100) == 0)
        {
            die(owners.get(random.nextInt(owners.size())));
        }
        if (random.nextInt(20) == 0)
        {
            owners.stream().filter(owner -> owner.isDead && !owner.isGone).findFirst().ifPresent(this::gone);
        }
    }

    private void act(final Fetch fetch)
    {
        if (fetch != null && !fetch.stage.owner.isDead)
        {
            fetch.act();
        }
    }

    private void stepDevice()
    {
        nowNs += random.nextInt(400_000);
        device.step(nowNs);
        check(device.loadedCount() <= slotCount, "images loaded=" + device.loadedCount());
        for (final Page page : settled)
        {
            check(!page.isPinned || page.state == Page.State.PRESENT, "a pinned page has left its frame: " + page);
        }
    }

    /** The owner ends; its next incarnation may begin before the device knows. */
    private void die(final Owner owner)
    {
        if (!owner.isDead)
        {
            deathsLeft--;
            totals.deaths++;
            owner.isDead = true;
            owners.add(new Owner(owner.node, owner.incarnation + 1));
        }
    }

    private void gone(final Owner owner)
    {
        if (!owner.isGone)
        {
            owner.isDead = true;
            owner.isGone = true;
            device.onNodeGone(owner.node, owner.incarnation);
            stages.values().removeIf(stage -> stage.owner == owner);
        }
    }

    /** An owner writes, reads, pins, unpins or frees one of its pages. */
    private void ask(final Owner owner)
    {
        if (owner.isDead)
        {
            return;
        }
        final int number = owner.anyNumber();
        switch (random.nextInt(12))
        {
            case 0, 1, 2 -> write(owner, number);
            case 3, 4 -> read(owner, number);
            case 5, 6 -> pin(owner, number);
            case 7, 8, 9 ->
            {
                final Page page = device.spaces().find(owner.key, owner.incarnation, number);
                if (page != null)
                {
                    device.frames().unpin(page);
                    settled.remove(page);
                }
                owner.pinned.remove(number);
            }
            case 10 ->
            {
                device.spaces().free(owner.key, owner.incarnation, number);
                owner.pages.remove(number);
                owner.pinned.remove(number);
            }
            default -> noteSettled();
        }
    }

    private void write(final Owner owner, final int number)
    {
        final byte[] bytes = new byte[1 + random.nextInt(LENGTH_MAX)];
        random.nextBytes(bytes);
        final int offset = random.nextInt(PAGE_LENGTH - bytes.length);
        if (device.frames().write(device.spaces().page(owner.key, owner.incarnation, number), offset,
            new UnsafeBuffer(bytes), 0, bytes.length))
        {
            System.arraycopy(bytes, 0, owner.page(number), offset, bytes.length);
        }
    }

    private boolean read(final Owner owner, final int number)
    {
        final Page page = device.spaces().find(owner.key, owner.incarnation, number);
        final byte[] bytes = new byte[PAGE_LENGTH];
        if (page != null && !device.frames().read(page, 0, new UnsafeBuffer(bytes), PAGE_LENGTH))
        {
            return false;
        }
        final int wrong = Arrays.mismatch(owner.page(number), bytes);
        check(wrong < 0, "byte " + wrong + " of page " + number + " of owner=" + owner.node + "/" + owner.incarnation +
            " is wrong, " + page);
        return true;
    }

    private void pin(final Owner owner, final int number)
    {
        final int pinnedCount = owners.stream().filter(each -> !each.isGone).mapToInt(each -> each.pinned.size()).sum();
        final boolean isRefused = !owner.pinned.contains(number) && pinnedCount >= Math.max(0, frameCount - 3);
        try
        {
            device.frames().pin(device.spaces().page(owner.key, owner.incarnation, number));
            owner.pinned.add(number);
            assertTrue(!isRefused, this::toString);
        }
        catch (final DeviceException ex)
        {
            assertTrue(isRefused && ex.code() == DeviceCode.NO_ROOM, () -> ex.getMessage() + this);
            totals.refusedPins++;
        }
    }

    private void noteSettled()
    {
        settled.clear();
        for (final Owner owner : owners)
        {
            for (final int number : owner.isDead ? Set.<Integer>of() : owner.pinned)
            {
                final Page page = device.spaces().find(owner.key, owner.incarnation, number);
                if (page != null && page.isPinned && page.state == Page.State.PRESENT)
                {
                    settled.add(page);
                }
            }
        }
    }

    private void compare(final Owner owner)
    {
        for (int i = 0; i < owner.spaceCount * quota; i++)
        {
            for (int j = 0; j < STEPS_MAX && !read(owner, PageSpaces.number(i / quota, i % quota)); j++)
            {
                stepDevice();
            }
        }
    }

    @Override
    public String toString()
    {
        return " seed=" + seed + " frames=" + frameCount + " quota=" + quota + " slots=" + slotCount + " " +
            device.remains();
    }
}
