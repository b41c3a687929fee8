// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;

/** A driver that answers with what came, at once or when a test says so. */
public final class EchoDriver implements DeviceDriver
{
    static final String ECHO = "echo.now";
    static final String LATER = "echo.later";
    static final String ILLEGAL = "echo.illegal";
    static final String LONG = "echo.long";
    static final String FAIL = "echo.fail";
    static final String FULL = "echo.full";

    final Deque<DeviceRequest> waiting = new ArrayDeque<>();
    final List<String> gone = new ArrayList<>();
    MemoryRegion region;
    boolean isAnswering;
    boolean isFailing;
    boolean isClosed;

    @Override
    public NodeInfo.Device kind()
    {
        return NodeInfo.Device.OTHER;
    }

    @Override
    public DeviceDescription open(final DeviceContext context)
    {
        if (context.options().truth("broken", false))
        {
            throw new IllegalStateException("broken on purpose");
        }
        region = context.register(4_096, MemoryRegion.Rights.READ_WRITE);
        context.handle(ECHO, "any payload; answers with it", request -> request.answer(
            request.argument(0), request.argument(1), request.buffer(), request.offset(), request.length()));
        context.handle(LATER, "the same, later", request ->
        {
            request.keep();
            waiting.add(request);
        });
        context.handle(LONG, "nothing", request ->
        {
            final int length = request.argument(0);
            request.answer(0, 0, new UnsafeBuffer(new byte[length]), 0, length);
        });
        context.handle(ILLEGAL, "nothing", request ->
        {
            throw new IllegalArgumentException("length=" + request.length() + " is odd");
        });
        context.handle(FAIL, "nothing", request ->
        {
            throw new IllegalStateException("failed on purpose");
        });
        context.handle(FULL, "nothing", request ->
        {
            throw new OutOfMemoryError("full on purpose");
        });
        return new DeviceDescription("echo", "1", Map.of("answers-max", 7));
    }

    @Override
    public int doWork()
    {
        if (isFailing)
        {
            throw new IllegalStateException("failed at work");
        }
        return isAnswering && waiting.removeIf(request -> request.answer(
            request.argument(0), 0, request.buffer(), request.offset(), request.length())) ? 1 : 0;
    }

    @Override
    public void onNodeGone(final NodeInfo node)
    {
        gone.add(node.name());
    }

    @Override
    public void close()
    {
        isClosed = true;
    }
}
