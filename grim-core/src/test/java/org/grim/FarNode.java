// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.agrona.DirectBuffer;

/**
 * The far side of the contract suite: handlers whose behaviour the sender chooses by name, and commands that a test
 * gives by word, so that it makes no difference whether this node runs in the same JVM.
 * <p>Thread: one.
 */
public final class FarNode implements AutoCloseable
{
    /** Replies to handler a0 with arguments a1 to a3 and the same payload. */
    public static final String ECHO = "far.echo";
    /** Records that message a0 came, whose payload has the checksum a1. */
    public static final String RECORD = "far.record";
    /** Throws. */
    public static final String THROW = "far.throw";
    /** Replies a1 times to handler a0, with the reply's number and the same payload. */
    public static final String FLOOD = "far.flood";
    /** Replies to handler a0 with its own id and a1 - 1, until a1 is 0. */
    public static final String VOLLEY = "far.volley";
    /** Takes message a0, whose payload has the checksum a1, piece by piece, and records it. */
    public static final String STREAM = "far.stream";

    /** Answers a request with its arguments and its payload; if a0 is {@link #ASK_LATER}, by a command. */
    public static final String ASK = "far.ask";
    /** Argument 0 of a request that the command "answer" answers, the last one first. */
    public static final int ASK_LATER = 1;

    private final Map<String, Object> settings;
    private final long firstPosition;
    private final boolean isOwner;
    private final Map<Integer, History> histories = new HashMap<>();
    private final Map<String, HandlerId> ids = new HashMap<>();
    private CountingErrorHandler errors;
    private final Deque<KeptMessage> asked = new ArrayDeque<>();
    private final FarStreams streams = new FarStreams(this::record);
    private final FarDevices devices = new FarDevices(this::onRecord);
    private Grim grim;
    private FarMemory memory;
    private boolean isPolling = true;
    private int floodRefusedCount;
    private int volleyCount;

    /** Messages that came on one channel. */
    private static final class History
    {
        private int count;
        private int outOfOrderCount;
        private int corruptCount;
        private int next;

        @Override
        public String toString()
        {
            return "count=" + count + " outOfOrder=" + outOfOrderCount + " corrupt=" + corruptCount;
        }
    }

    private FarNode(
        final Grim grim, final CountingErrorHandler errors, final Map<String, Object> settings,
        final long firstPosition)
    {
        this.grim = grim;
        this.errors = errors;
        this.settings = settings;
        this.firstPosition = firstPosition;
        isOwner = grim == null;
        if (isOwner)
        {
            enable();
        }
        else
        {
            registerAll();
        }
    }

    static FarNode join(final Map<String, Object> settings, final long firstPosition)
    {
        return new FarNode(null, null, settings, firstPosition);
    }

    static FarNode beside(final Grim grim, final CountingErrorHandler errors)
    {
        return new FarNode(grim, errors, Map.of(), 0);
    }

    int step()
    {
        if (!isPolling || grim == null)
        {
            return 0;
        }
        memory.step();
        return devices.step() + grim.endpoint().poll();
    }

    @SuppressWarnings("StringSplitter")
    String run(final String command)
    {
        final String[] words = command.split(" ", 2);
        final String operand = words.length > 1 ? words[1] : "";
        return switch (words[0])
        {
            case "stop" -> poll(false);
            case "continue" -> poll(true);
            case "lose-locks" -> loseLocks();
            case "poll" -> Integer.toString(grim.endpoint().poll(Integer.parseInt(operand)));
            case "history" -> history(Integer.parseInt(operand)).toString();
            case "received" -> Integer.toString(history(Integer.parseInt(operand)).count);
            case "counter" -> Long.toString(ContractSupport.counter(grim, operand));
            case "report" -> ContractSupport.countersOf(grim) + " node=" +
                grim.node() + " last-error=" + errors.last();
            case "errors" -> Integer.toString(errors.count());
            case "last-error" -> String.valueOf(errors.last());
            case "refused" -> Integer.toString(floodRefusedCount);
            case "volleys" -> Integer.toString(volleyCount);
            case "streams" -> streams.toString();
            case "pieces" -> Integer.toString(streams.pieceCount());
            case "register" -> register(operand);
            case "device" -> devices.run(grim, operand.split(" "));
            case "asked" -> Integer.toString(asked.size());
            case "answer" -> answer();
            case "resolve" -> resolve(operand);
            case "knows" -> Boolean.toString(!ids.containsKey(operand) || ids.get(operand).isKnown());
            case "node" -> grim.node().number() + " " + grim.node().incarnation();
            case "memory" -> memory.run(operand);
            case "start" -> start();
            case "release" -> release();
            case "leave" -> leave();
            case "join" -> rejoin();
            default -> throw new IllegalArgumentException("command=" + command + " is unknown");
        };
    }

    @Override
    public void close()
    {
        if (grim != null && isOwner)
        {
            grim.close();
            grim = null;
        }
    }

    private String poll(final boolean isOn)
    {
        isPolling = isOn;
        return "polls=" + isOn;
    }

    /** As other code in this process may: to close a descriptor of the file takes its locks away. */
    private String loseLocks()
    {
        try (Stream<Path> files = Files.walk(Path.of((String)settings.get("grim.cluster.directory"))))
        {
            Files.readAllBytes(files.filter(file -> file.endsWith("liveness")).findFirst().orElseThrow());
            return "lost";
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    private History history(final int channel)
    {
        return histories.computeIfAbsent(channel, key -> new History());
    }

    private void onAsk(final ActiveMessage message)
    {
        if (message.argument(0) == ASK_LATER)
        {
            asked.push(message.keep());
        }
        else
        {
            message.reply(message.argument(0), message.argument(1), message.argument(2), message.buffer(),
                message.offset(), message.length());
        }
    }

    /** Outside a handler: there is room for so few. */
    private String answer()
    {
        int count = 0;
        while (!asked.isEmpty())
        {
            final KeptMessage request = asked.pop();
            final String text = request.buffer().getStringWithoutLengthUtf8(request.offset(), request.length());
            count += request.reply("answer to " + text).isAccepted() ? 1 : 0;
            request.release();
        }
        return Integer.toString(count);
    }

    private String register(final String name)
    {
        register(name, this::onRecord);
        return "registered";
    }

    private String start()
    {
        grim.start();
        return "started";
    }

    /** Another thread steps this node from now on. */
    private String release()
    {
        grim.endpoint().releaseOwnership();
        return "released";
    }

    private String leave()
    {
        grim.close();
        grim = null;
        return "left";
    }

    private String rejoin()
    {
        histories.clear();
        devices.forget();
        enable();
        return "joined";
    }

    private void enable()
    {
        errors = new CountingErrorHandler();
        grim = Grim.enable(
            ContractSupport.builder(settings, firstPosition).nodeName("far").errorHandler(errors).build());
        registerAll();
    }

    private void registerAll()
    {
        memory = new FarMemory(grim, this::register);
        register(RECORD, this::onRecord);
        register(FLOOD, this::onFlood);
        register(VOLLEY, this::onVolley);
        register(ASK, this::onAsk);
        ids.put(STREAM, grim.handlers().registerStream(STREAM, streams));
        register(ECHO, message -> message.reply(HandlerId.of(message.argument(0)), message.argument(1),
            message.argument(2), message.argument(3), 0, message.buffer(), message.offset(), message.length()));
        register(THROW, message ->
        {
            throw new IllegalStateException("thrown on purpose");
        });
    }

    private void register(final String name, final ActiveMessage.Handler handler)
    {
        ids.put(name, grim.handlers().register(name, handler));
    }

    private String resolve(final String name)
    {
        final HandlerId id = grim.handlers().tryResolve(name);
        return id == null ? "0" : Integer.toString(id.number());
    }

    private void onRecord(final ActiveMessage message)
    {
        record(message.destination().channel(), message.argument(0),
            Payloads.crc(message.buffer(), message.offset(), message.length()) == message.argument(1));
    }

    private void record(final int channel, final int sequence, final boolean isGood)
    {
        final History history = history(channel);
        history.count++;
        history.outOfOrderCount += sequence == history.next ? 0 : 1;
        history.next = sequence + 1;
        history.corruptCount += isGood ? 0 : 1;
    }

    private void onFlood(final ActiveMessage message)
    {
        final HandlerId handler = HandlerId.of(message.argument(0));
        final int count = message.argument(1);
        final DirectBuffer payload = message.buffer();
        for (int i = 0; i < count; i++)
        {
            try
            {
                final SendStatus status =
                    message.reply(handler, i, 0, 0, 0, payload, message.offset(), message.length());
                floodRefusedCount += status.isAccepted() ? 0 : 1;
            }
            catch (final GrimException ex)
            {
                floodRefusedCount += count - i;
                throw ex;
            }
        }
    }

    private void onVolley(final ActiveMessage message)
    {
        volleyCount++;
        volley(message);
    }

    static void volley(final ActiveMessage message)
    {
        final int remaining = message.argument(1);
        if (remaining > 0)
        {
            message.reply(HandlerId.of(message.argument(0)), message.handler().number(), remaining - 1,
                message.argument(2), 0, message.buffer(), message.offset(), message.length());
        }
    }
}
