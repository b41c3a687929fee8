// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.grim.text.SafeText;
import org.grim.transport.Membership;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Flyweight over one node's record in the directory. Native byte order. The node itself writes; who holds the node's
 * liveness byte after its death may turn its status to gone; all read. The record of a node of another host is written
 * by this host's agent alone.
 * <pre>
 *  +-----------------------------------------------------------+ 0
 *  | status (u32)  channels (u32)  process id (u64)  devices    |
 *  | latest incarnation that was up (u32), and the one before it|
 *  | last status of four earlier incarnations (4 x u32)         |
 *  +-----------------------------------------------------------+ 64
 *  | heartbeat (u64, ms since the epoch)                        |
 *  | latest incarnation whose handlers are known (u32)          |
 *  | whether the node is on another host (u32)                  |
 *  | start of the process (u64)  its process namespace (u64)    |
 *  | first channel of each device (16 x u8)                     |
 *  | of each device: state (4), channels less 1 (4) (16 x u8)   |
 *  +-----------------------------------------------------------+ 128
 *  | transports: length (u32), UTF-8, comma between             |
 *  +-----------------------------------------------------------+ 192
 *  | name: length (u32), UTF-8                                  |
 *  +-----------------------------------------------------------+ 256
 *  | host label: length (u32), UTF-8                            |
 *  +-----------------------------------------------------------+ 320
 *  | addresses: length (u32), UTF-8, comma between              |
 *  +-----------------------------------------------------------+ 384
 *  | four areas of 32 bytes for transports, by labels           |
 *  | of the directory: see {@link Membership#area}              |
 *  +-----------------------------------------------------------+ 512
 *  status: incarnation (28) | state (4): of a node that is gone, the code of the reason
 * </pre>
 */
final class NodeRecord
{
    static final int STATUS_OFFSET = 0;                                              // u32, CAS
    static final int CHANNELS_OFFSET = STATUS_OFFSET + SIZE_OF_INT;                  // u32
    static final int PROCESS_OFFSET = CHANNELS_OFFSET + SIZE_OF_INT;                 // u64
    static final int DEVICES_OFFSET = PROCESS_OFFSET + SIZE_OF_LONG;                 // 16 x u8, before the state
    static final int LATEST_UP_OFFSET = DEVICES_OFFSET + EndpointId.DEVICE_MAX + 1;  // u32, kept over incarnations
    static final int EARLIER_UP_OFFSET = LATEST_UP_OFFSET + SIZE_OF_INT;             // u32, kept over incarnations
    static final int ENDS_OFFSET = EARLIER_UP_OFFSET + SIZE_OF_INT;                  // 4 x u32, kept, before the status
    static final int HEARTBEAT_OFFSET = CACHE_LINE_LENGTH;                           // u64
    static final int JOINED_OFFSET = HEARTBEAT_OFFSET + SIZE_OF_LONG;                // u32, kept over incarnations
    static final int REMOTE_OFFSET = JOINED_OFFSET + SIZE_OF_INT;                    // u32, before the status
    static final int START_OFFSET = REMOTE_OFFSET + SIZE_OF_INT;                     // u64, before the status
    static final int NAMESPACE_OFFSET = START_OFFSET + SIZE_OF_LONG;                 // u64, before the status
    static final int FIRST_CHANNELS_OFFSET = NAMESPACE_OFFSET + SIZE_OF_LONG;        // 16 x u8, before the state
    static final int DEVICE_STATES_OFFSET = FIRST_CHANNELS_OFFSET + EndpointId.DEVICE_MAX + 1;   // 16 x u8
    static final int TRANSPORTS_OFFSET = HEARTBEAT_OFFSET + CACHE_LINE_LENGTH;       // u32 + text
    static final int NAME_OFFSET = TRANSPORTS_OFFSET + CACHE_LINE_LENGTH;            // u32 + text
    static final int HOST_OFFSET = NAME_OFFSET + CACHE_LINE_LENGTH;                  // u32 + text
    static final int ADDRESSES_OFFSET = HOST_OFFSET + CACHE_LINE_LENGTH;             // u32 + text
    static final int AREAS_OFFSET = ADDRESSES_OFFSET + CACHE_LINE_LENGTH;            // by label of the directory
    static final int AREA_COUNT = 4;
    static final int LENGTH = AREAS_OFFSET + AREA_COUNT * Membership.AREA_LENGTH;

    /** Earlier incarnations whose end is kept; a power of two. */
    static final int END_COUNT = 4;
    static final int TEXT_LENGTH_MAX = CACHE_LINE_LENGTH - SIZE_OF_INT;
    static final int INCARNATION_MAX = (1 << 28) - 1;

    /** A node that polls writes its heartbeat, and takes a lost lock again, every {@code grim.liveness.interval}. */
    static final long HEARTBEAT_AGE_MAX_MS = 10_000;

    private static final int CHANNELS_MASK = DeviceInfo.CHANNEL_COUNT_MAX - 1;
    private static final long VERSION_FACTOR = 0x9E37_79B9_7F4A_7C15L;           // Odd: no word is lost.
    private static final int STATE_BITS = 4;
    private static final int STATE_MASK = (1 << STATE_BITS) - 1;

    private final AtomicBuffer buffer;
    private final int offset;

    NodeRecord(final AtomicBuffer buffer, final int offset)
    {
        this.buffer = buffer;
        this.offset = offset;
    }

    static int status(final int incarnation, final NodeInfo.State state)
    {
        return incarnation << STATE_BITS | state.code();
    }

    static int goneStatus(final int incarnation, final NodeInfo.GoneReason reason)
    {
        return incarnation << STATE_BITS | reason.code();
    }

    static int incarnation(final int status)
    {
        return status >>> STATE_BITS;
    }

    /** Whether a status says that the node is joining or up. */
    static boolean isPresent(final int status)
    {
        final NodeInfo.State state = state(status);
        return state == NodeInfo.State.UP || state == NodeInfo.State.JOINING;
    }

    static NodeInfo.State state(final int status)
    {
        return NodeInfo.State.ofCode(status & STATE_MASK);
    }

    static NodeInfo.GoneReason reasonOf(final int status)
    {
        return NodeInfo.GoneReason.ofCode(status & STATE_MASK);
    }

    int status()
    {
        return buffer.getIntVolatile(offset + STATUS_OFFSET);
    }

    long statusAddress()
    {
        return buffer.addressOffset() + offset + STATUS_OFFSET;
    }

    void statusRelease(final int status)
    {
        buffer.putIntRelease(offset + STATUS_OFFSET, status);
    }

    /** The incarnation has joined. */
    void up(final int incarnation)
    {
        buffer.putIntRelease(offset + EARLIER_UP_OFFSET, buffer.getInt(offset + LATEST_UP_OFFSET));
        buffer.putIntRelease(offset + LATEST_UP_OFFSET, incarnation);       // partner: latestUpBefore()
        statusRelease(status(incarnation, NodeInfo.State.UP));
    }

    /**
     * The latest incarnation that was up and is no more, of a node that has had a status; 0 if there was none. An
     * incarnation that has come since the status was read is none of these.
     */
    int latestUpBefore(final int status)
    {
        final int latest = buffer.getIntAcquire(offset + LATEST_UP_OFFSET);         // partner: up()
        if (isOver(latest, status))
        {
            return latest;
        }
        final int earlier = buffer.getIntAcquire(offset + EARLIER_UP_OFFSET);
        return isOver(earlier, status) ? earlier : 0;
    }

    /** Whether an incarnation was over when its node had a status. */
    private static boolean isOver(final int incarnation, final int status)
    {
        return incarnation < incarnation(status) || (incarnation == incarnation(status) && !isPresent(status));
    }

    /** Marks the incarnation of a status as gone, unless the status is another one by now. */
    boolean tryConvict(final int status, final NodeInfo.GoneReason reason)
    {
        return buffer.compareAndSetInt(offset + STATUS_OFFSET, status, goneStatus(incarnation(status), reason));
    }

    /** The incarnation leaves in order, unless it is gone already. */
    void leave(final int incarnation)
    {
        final int status = status();
        if (incarnation(status) == incarnation && isPresent(status))
        {
            tryConvict(status, NodeInfo.GoneReason.LEFT);       // If it fails, the node was convicted meanwhile.
        }
    }

    /** Why an incarnation is gone that was seen in this record. */
    NodeInfo.GoneReason goneReason(final int incarnation)
    {
        final int status = status();
        if (incarnation(status) == incarnation)
        {
            return reasonOf(status);
        }
        final int end = end(incarnation);
        return incarnation(end) == incarnation ? reasonOf(end) : NodeInfo.GoneReason.UNKNOWN;
    }

    /** The last statuses of earlier incarnations; zeros if there were fewer. */
    List<Integer> ends()
    {
        return IntStream.range(0, END_COUNT).mapToObj(this::end).toList();
    }

    /** Notes what another host knows of the ends of earlier incarnations, where this one knows less. */
    private void mergeEnds(final List<Integer> ends)
    {
        for (final int end : ends)
        {
            final int known = end(incarnation(end));
            final boolean isNews = incarnation(end) > incarnation(known) ||
                (incarnation(end) == incarnation(known) && reasonOf(known) == NodeInfo.GoneReason.UNKNOWN);
            if (isNews)
            {
                keepEnd(end);
            }
        }
    }

    /** Keeps how the incarnation of a status ended, if it is gone; before the status of the next one is written. */
    private void keepEnd(final int status)
    {
        if (incarnation(status) != 0 && state(status) == NodeInfo.State.GONE)
        {
            buffer.putIntRelease(endOffset(incarnation(status)), status);       // partner: end()
        }
    }

    private int end(final int incarnation)
    {
        return buffer.getIntAcquire(endOffset(incarnation));                    // partner: keepEnd()
    }

    private int endOffset(final int incarnation)
    {
        return offset + ENDS_OFFSET + (incarnation & END_COUNT - 1) * SIZE_OF_INT;
    }

    /** The latest incarnation that made its handlers known. */
    int joined()
    {
        return buffer.getIntAcquire(offset + JOINED_OFFSET);                // partner: joined(int)
    }

    void joined(final int incarnation)
    {
        buffer.putIntRelease(offset + JOINED_OFFSET, incarnation);          // partner: joined()
    }

    void heartbeatMs(final long epochMs)
    {
        buffer.putLongRelease(offset + HEARTBEAT_OFFSET, epochMs);
    }

    /**
     * Returns whether a node is alive although its byte of the liveness file is free: its process, another one than
     * this, exists, and wrote a heartbeat lately. Something in it closed that file, and the node is about to take its
     * byte again. A node that was given up with its class loader writes none.
     */
    boolean hasLostItsByte(final long epochMs)
    {
        return isPresent(status()) && !isRemote() &&
            Math.abs(epochMs - buffer.getLongVolatile(offset + HEARTBEAT_OFFSET)) < HEARTBEAT_AGE_MAX_MS &&
            process().isOtherThatExists();
    }

    String name()
    {
        return text(NAME_OFFSET);
    }

    String host()
    {
        return text(HOST_OFFSET);
    }

    /** One of the {@value #AREA_COUNT} areas of transports. */
    AtomicBuffer area(final int index)
    {
        return Buffers.wrap(buffer, offset + AREAS_OFFSET + index * Membership.AREA_LENGTH, Membership.AREA_LENGTH);
    }

    /**
     * Returns whether the node is on another host: that host's agent says whether it is alive, not a lock of this
     * kernel.
     */
    boolean isRemote()
    {
        return buffer.getInt(offset + REMOTE_OFFSET) != 0;
    }

    /** {@return where the node's transports are reached: {@code transport=address}, comma between} */
    String addresses()
    {
        return text(ADDRESSES_OFFSET);
    }

    /** Stores the addresses of the node's transports, before the node is up. */
    void addresses(final String addresses)
    {
        putText(ADDRESSES_OFFSET, addresses);
    }

    boolean hasTransport(final String transport)
    {
        return transports().contains(transport);
    }

    /** Checks that a description fits a record, so that nothing can fail once the record is being written. */
    static void requireFits(final NodeDescription description)
    {
        bytesOf(textOf(description.transports()));
        bytesOf(description.name());
        bytesOf(description.host());
    }

    /** Writes the description of a node of another host; its status comes last, and is written by the caller. */
    void describe(final NodeReport report)
    {
        requireFits(report.description());
        bytesOf(report.addresses());
        describe(report.description(), ProcessIdentity.ofNumber(report.info().processId()),
            report.info().heartbeatMs());
        mergeEnds(report.ends());
        addresses(report.addresses());
        devices(report.info().devices());
        buffer.putInt(offset + REMOTE_OFFSET, 1);
    }

    /** Returns the report of the node's host about it. */
    NodeReport report(final int number)
    {
        final NodeInfo info = info(number);
        return new NodeReport(info, joined() == info.incarnation(), addresses(), ends());
    }

    void describe(final NodeDescription description, final ProcessIdentity process, final long epochMs)
    {
        keepEnd(status());
        buffer.putInt(offset + CHANNELS_OFFSET, description.channelCount());
        buffer.putLong(offset + PROCESS_OFFSET, process.number());
        buffer.putLong(offset + START_OFFSET, process.start());
        buffer.putLong(offset + NAMESPACE_OFFSET, process.namespace());
        openDevice(0, NodeInfo.Device.HOST_CPU, 0, 1, DeviceInfo.State.UP);
        devices(List.of());
        putText(TRANSPORTS_OFFSET, textOf(description.transports()));
        putText(NAME_OFFSET, description.name());
        putText(HOST_OFFSET, description.host());
        addresses("");
        buffer.putInt(offset + REMOTE_OFFSET, 0);
        for (int place = AREAS_OFFSET; place < LENGTH; place += SIZE_OF_LONG)
        {
            buffer.putLongRelease(offset + place, 0);       // In order: an area's first word is the first.
        }
        heartbeatMs(epochMs);
    }

    NodeInfo info(final int number)
    {
        final int status = status();
        return new NodeInfo(number, name(), state(status), incarnation(status),
            buffer.getLong(offset + PROCESS_OFFSET), channelCount(), transports(), devices(number),
            buffer.getLongVolatile(offset + HEARTBEAT_OFFSET), host(), reasonOf(status));
    }

    int channelCount()
    {
        return buffer.getInt(offset + CHANNELS_OFFSET);
    }

    /** Enters a device, which nobody finds before its state is there. */
    void openDevice(
        final int device, final NodeInfo.Device kind, final int firstChannel, final int channelCount,
        final DeviceInfo.State state)
    {
        buffer.putByte(offset + DEVICES_OFFSET + device, (byte)kind.code());
        buffer.putByte(offset + FIRST_CHANNELS_OFFSET + device, (byte)firstChannel);
        // Partner: device().
        buffer.putByteVolatile(offset + DEVICE_STATES_OFFSET + device, (byte)(state.code() << 4 | channelCount - 1));
    }

    void deviceState(final int device, final DeviceInfo.State state)
    {
        final int place = offset + DEVICE_STATES_OFFSET + device;
        buffer.putByteVolatile(place, (byte)(state == DeviceInfo.State.GONE ? 0 :
            state.code() << 4 | (buffer.getByte(place) & CHANNELS_MASK)));
    }

    DeviceInfo.State deviceState(final int device)
    {
        return DeviceInfo.State.ofCode(deviceWord(device) >>> 4);
    }

    /** Writes the devices of a node of another host, but for its host CPU. An entry that changes is gone meanwhile. */
    void devices(final List<DeviceInfo> devices)
    {
        final DeviceInfo[] byNumber = new DeviceInfo[EndpointId.DEVICE_MAX + 1];
        devices.forEach(device -> byNumber[device.endpoint().device()] = device);
        for (int i = 1; i < byNumber.length; i++)
        {
            final DeviceInfo device = byNumber[i];
            if (device == null)
            {
                deviceState(i, DeviceInfo.State.GONE);
            }
            else if (!device.equals(device(device.endpoint().node(), i)))
            {
                deviceState(i, DeviceInfo.State.GONE);
                openDevice(i, device.kind(), device.endpoint().channel(), device.channelCount(), device.state());
            }
        }
    }

    /** Returns the devices that are not gone; a peer wrote them. */
    List<DeviceInfo> devices(final int number)
    {
        return IntStream.rangeClosed(0, EndpointId.DEVICE_MAX).mapToObj(device -> device(number, device))
            .filter(Objects::nonNull).toList();
    }

    /** Returns a device of this record, whose node has a number; null if there is none. */
    DeviceInfo device(final int number, final int device)
    {
        final int word = deviceWord(device);                                            // Partner: openDevice().
        final DeviceInfo.State state = DeviceInfo.State.ofCode(word >>> 4);
        final NodeInfo.Device kind = NodeInfo.Device.ofCode(buffer.getByte(offset + DEVICES_OFFSET + device));
        final int firstChannel = buffer.getByte(offset + FIRST_CHANNELS_OFFSET + device) & EndpointId.CHANNEL_MAX;
        return state == DeviceInfo.State.GONE || kind == NodeInfo.Device.NONE ? null : new DeviceInfo(
            EndpointId.of(number, device, firstChannel), kind, state, (word & CHANNELS_MASK) + 1);
    }

    /** Returns a number that changes with the devices; 0 if there never were any. */
    long devicesVersion()
    {
        long version = 0;
        for (int device = 0; device <= EndpointId.DEVICE_MAX; device++)
        {
            final int word = deviceWord(device);
            version = version * VERSION_FACTOR + (word << 16 |
                (buffer.getByte(offset + DEVICES_OFFSET + device) & 0xFF) << 8 |
                (buffer.getByte(offset + FIRST_CHANNELS_OFFSET + device) & 0xFF));
        }
        return version;
    }

    private int deviceWord(final int device)
    {
        return buffer.getByteVolatile(offset + DEVICE_STATES_OFFSET + device) & 0xFF;
    }

    private ProcessIdentity process()
    {
        return new ProcessIdentity(buffer.getLong(offset + PROCESS_OFFSET), buffer.getLong(offset + START_OFFSET),
            buffer.getLong(offset + NAMESPACE_OFFSET));
    }

    private List<String> transports()
    {
        final String text = text(TRANSPORTS_OFFSET);
        return text.isEmpty() ? List.of() : List.of(text.split(","));
    }

    private static String textOf(final List<String> transports)
    {
        return String.join(",", transports);
    }

    private String text(final int fieldOffset)
    {
        final int length = buffer.getInt(offset + fieldOffset);
        final byte[] bytes = new byte[Math.max(0, Math.min(length, TEXT_LENGTH_MAX))];    // A peer wrote it.
        buffer.getBytes(offset + fieldOffset + SIZE_OF_INT, bytes);
        return SafeText.decode(bytes);
    }

    private void putText(final int fieldOffset, final String text)
    {
        final byte[] bytes = bytesOf(text);
        buffer.putBytes(offset + fieldOffset + SIZE_OF_INT, bytes);
        buffer.putInt(offset + fieldOffset, bytes.length);
    }

    /** A text as it stands in a record. */
    private static byte[] bytesOf(final String text)
    {
        final byte[] bytes = text.getBytes(UTF_8);
        if (bytes.length > TEXT_LENGTH_MAX)
        {
            throw new IllegalArgumentException("text length=" + bytes.length + " bytes exceeds max=" + TEXT_LENGTH_MAX +
                ": " + SafeText.shorten(text));
        }
        return bytes;
    }
}
