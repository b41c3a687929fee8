// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.bench.groups.GroupRow;
import org.grim.device.DeviceClient;
import org.grim.device.accelerator.PageOperands;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionSpec;
import org.grim.stream.Stage;
import org.grim.stream.Streams;

/**
 * Page faults of an accelerator in another process: items need pages in turn, of which a few have frames. The time is
 * that of an item whose page has none, beside the next one, which needs the same page.
 * <p>Thread: one. Owns: the process and all files.
 */
public final class PageFaults implements AutoCloseable
{
    private static final int[] PAGE_LENGTHS = {1 << 12, 1 << 16, 1 << 21};
    private static final String GPU = "gpu";
    private static final String NAME = "pages";
    private static final String STORE = "page.store";
    private static final String STATUS = "accelerator.status";
    private static final String FAULTS = "page-faults=";
    private static final int FRAME_COUNT = 4;
    private static final int PAGE_COUNT = 16;
    private static final int WARM_UP_COUNT = 4_000;         // Of items with faults: until both sides are compiled.
    private static final int ITEM_LENGTH = 64;
    private static final int ADD = 2;

    private final Sides sides;
    private final Streams streams;
    private final StreamItems items;
    private final DeviceClient gpu;
    private final int pageLength;

    private PageFaults(final Path base, final int pageLength)
    {
        this.pageLength = pageLength;
        sides = new Sides(base);
        Streams opened = null;
        boolean isStarted = false;
        try
        {
            opened = Streams.open(sides.grim);
            items = new StreamItems(opened, NAME, ITEM_LENGTH);
            sides.grim.start();
            sides.start(GPU, NodeInfo.Device.ACCELERATOR, Map.of("page", Integer.toString(pageLength), "frames",
                Integer.toString(FRAME_COUNT), "page-quota", Integer.toString(PAGE_COUNT), "pages",
                Integer.toString(PAGE_COUNT)), false);
            sides.await();
            for (final String name : List.of(STORE, STATUS))
            {
                sides.grim.handlers().resolve(name);        // Later on nobody polls the host endpoint.
            }
            gpu = opened.client(sides.device(GPU), StreamItems.PATIENCE);          // The pages are its endpoint's.
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                CloseHelper.closeAll(opened, sides);
            }
        }
        streams = opened;
    }

    /**
     * Measures pages of 4 KiB, 64 KiB and 2 MiB, each with a process of its own.
     *
     * @param base  directory for files; null for shared memory.
     * @param count of faults.
     * @return a row for frames that are clean, and one for frames that have to be written back, of each size.
     */
    public static List<GroupRow> measure(final Path base, final int count)
    {
        final List<GroupRow> rows = new ArrayList<>();
        for (final int pageLength : PAGE_LENGTHS)
        {
            try (PageFaults faults = new PageFaults(base, pageLength))
            {
                faults.fill();
                rows.add(faults.measure("page fault, clean", PageOperands.NONE.readB(0, 0), count));
                rows.add(faults.measure("page fault, dirty", PageOperands.NONE.readB(0, 0).keepC(0, 0), count));
            }
        }
        return rows;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(streams, sides);
    }

    /** Pages that nobody has written would only be cleared. */
    private void fill()
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[ITEM_LENGTH]);
        bytes.setMemory(0, ITEM_LENGTH, (byte)1);
        for (int page = 0; page < PAGE_COUNT; page++)
        {
            gpu.call(gpu.handler(STORE), page, 0, 0, bytes, 0, ITEM_LENGTH);
        }
    }

    private GroupRow measure(final String name, final PageOperands operands, final int count)
    {
        final double[] faults = new double[count];
        final double[] plain = new double[count];
        try (Connection connection = streams.open(ConnectionSpec.of(NAME, streams.id(),
            Stage.of(sides.device(GPU), "alu").operation(ADD).pages(operands)).bounds(1, ITEM_LENGTH).listener(items),
            StreamItems.PATIENCE))
        {
            for (int i = -WARM_UP_COUNT; i < 0; i++)
            {
                items.time(connection, PageOperands.address(Math.floorMod(i, PAGE_COUNT), 0), ITEM_LENGTH);
            }
            final long before = faultCount();
            for (int i = 0; i < count; i++)
            {
                final int address = PageOperands.address(i % PAGE_COUNT, 0);
                faults[i] = items.time(connection, address, ITEM_LENGTH);
                plain[i] = items.time(connection, address, ITEM_LENGTH);
            }
            final long faultCount = faultCount() - before;
            if (faultCount != count)
            {
                throw new GrimException(GrimException.Reason.BAD_DATA, "page faults=" + faultCount + " of " + count);
            }
        }
        return GroupRow.of(name, 2, pageLength, faults, "item whose page has a frame", plain);
    }

    private long faultCount()
    {
        return gpu.call(gpu.handler(STATUS), 0, 0, 0, null, 0, 0).text().lines()
            .filter(line -> line.startsWith(FAULTS)).mapToLong(line -> Long.parseLong(line.substring(FAULTS.length())))
            .findFirst().orElseThrow();
    }
}
