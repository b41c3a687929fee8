// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.grim.ContractSupport;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.SharedLink;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** sent = delivered + undelivered + unknown, exactly, however and however fast a node goes and comes back. */
class NodeGoneAccountTest
{
    private static final String RECEIVER = "receiver";
    private static final HandlerId ANY_HANDLER = HandlerId.of(100);
    private static final int SLOT_COUNT = 64;
    private static final int SENT_COUNT = 10;
    private static final int POLLS_BEFORE = 200;
    private static final int POLLS_PER_LOOK = 1_000;
    private static final int HOUSEKEEPING_COUNT = 15;
    private static final long LIVENESS_NS = 1_000_000;

    private final List<String> reported = new ArrayList<>();
    private final Path directory = ShmDirectory.create();
    private Grim sender;
    private Grim receiver;

    @BeforeEach
    void join()
    {
        sender = Grim.enable(DeathConfig.of(directory, "sender").set("grim.liveness.interval", "1ms").build());
        sender.endpoint().onNodeGone((node, undelivered, unknown) ->
            reported.add(node.name() + " " + node.state() + " incarnation=" +
            (1 + node.incarnation() - sender.node().incarnation()) +
            " undelivered=" + undelivered + " unknown=" + unknown));
    }

    @AfterEach
    void leave()
    {
        receiver.close();
        sender.close();
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldTellWhatWaitedInTheOverflowQueueThoughAFlushFoundThePeerGoneFirst()
    {
        joinReceiver();
        pollForHousekeeping();
        sender.handlers().register("burst", message ->
        {
            for (int i = 0; i < SLOT_COUNT + SENT_COUNT; i++)
            {
                send(sender.endpoint().link(receiver.node().endpoint()));
            }
        });
        sender.start();
        send(sender.endpoint().link(sender.endpoint().id()), sender.handlers().resolve("burst"));
        while (sender.endpoint().overflowDepth() == 0)
        {
            sender.endpoint().poll();
        }

        receiver.close();
        pollForHousekeeping();

        assertEquals(List.of("receiver GONE incarnation=1 undelivered=" + (SENT_COUNT + SLOT_COUNT) + " unknown=0"),
            reported);
    }

    @Test
    void shouldTellOfANodeThatCameAndWentAndCameAgainBetweenTwoLooks()
    {
        pollForHousekeeping();
        joinReceiver();
        receiver.close();
        joinReceiver();

        pollForHousekeeping();

        assertEquals(List.of("receiver GONE incarnation=1 undelivered=0 unknown=0"), reported);
    }

    @Test
    void shouldTellOfEachOfSeveralThatCameAndWentBetweenTwoLooks()
    {
        joinReceiver();
        pollForHousekeeping();
        final EndpointId id = sender.locate(RECEIVER);
        sendTo(id);
        for (int life = 2; life <= 4; life++)
        {
            receiver.close();
            joinReceiver();
            assertEquals(SendStatus.PEER_GONE, send(sender.endpoint().link(id)));
            for (int i = 0; i < life; i++)
            {
                assertEquals(SendStatus.SENT, send(sender.endpoint().link(id)));
            }
        }
        receiver.close();

        pollForHousekeeping();

        assertEquals(List.of("receiver GONE incarnation=1 undelivered=" + SENT_COUNT + " unknown=0",
            "receiver GONE incarnation=2 undelivered=2 unknown=0",
            "receiver GONE incarnation=3 undelivered=3 unknown=0",
            "receiver GONE incarnation=4 undelivered=4 unknown=0"), reported);
    }

    @Test
    void shouldTellOnceOfANodeThatWentBeforeItCameAgain()
    {
        joinReceiver();
        pollForHousekeeping();
        receiver.close();
        pollForHousekeeping();
        joinReceiver();
        pollForHousekeeping();

        assertEquals(List.of("receiver GONE incarnation=1 undelivered=0 unknown=0"), reported);
    }

    @Test
    void shouldTellOfTheOldIncarnationThoughALinkToTheNewOneCameFirst()
    {
        joinReceiver();
        pollForHousekeeping();
        final EndpointId id = sender.locate(RECEIVER);
        sendTo(id);

        receiver.close();
        joinReceiver();
        assertEquals(SendStatus.PEER_GONE, send(sender.endpoint().link(id)));
        assertEquals(SendStatus.SENT, send(sender.endpoint().link(id)));
        pollForHousekeeping();

        assertEquals(List.of("receiver GONE incarnation=1 undelivered=" + SENT_COUNT + " unknown=0"), reported);
    }

    @Test
    void shouldGoOnPollingWhenTheListenerThrows()
    {
        final int[] callCount = new int[1];
        sender.endpoint().onNodeGone((node, undelivered, unknown) ->
        {
            callCount[0]++;
            throw new IllegalStateException("of the listener");
        });
        joinReceiver();
        pollForHousekeeping();

        receiver.close();
        pollForHousekeeping();

        assertEquals(1, callCount[0]);
        assertEquals(1, ContractSupport.counter(sender, "handler-errors"));
    }

    @Test
    void shouldNotTellTwiceWhatWasSentToAnEarlierIncarnation()
    {
        joinReceiver();
        pollForHousekeeping();
        sendTo(sender.locate(RECEIVER));
        receiver.close();
        pollForHousekeeping();
        joinReceiver();
        pollForHousekeeping();

        receiver.close();
        pollForHousekeeping();

        assertEquals(List.of("receiver GONE incarnation=1 undelivered=" + SENT_COUNT + " unknown=0",
            "receiver GONE incarnation=2 undelivered=0 unknown=0"), reported);
    }

    @Test
    void shouldTellOfANodeThatCameAndWentBetweenTwoLooks()
    {
        joinReceiver();
        sendTo(sender.locate(RECEIVER));
        receiver.close();

        pollForHousekeeping();

        assertEquals(List.of("receiver GONE incarnation=1 undelivered=" + SENT_COUNT + " unknown=0"), reported);
        assertEquals(NodeInfo.State.GONE, sender.nodes().get(1).state());
    }

    /** Polls look after other nodes once for about so many messages. */
    @Test
    void shouldTellThatANodeIsGoneWhenItsLastMessagesWereHandled()
    {
        final int[] handledCount = new int[1];
        sender.handlers().register("last", message -> handledCount[0]++);
        sender.start();
        final HandlerId last = sender.handlers().resolve("last");
        joinReceiver();
        pollForHousekeeping();
        for (int i = 0; i < POLLS_BEFORE; i++)
        {
            sender.endpoint().poll();                          // The next look falls between the messages.
        }
        sender.endpoint().onNodeGone((node, undelivered, unknown) -> reported.add("after " + handledCount[0]));
        final Link link = receiver.endpoint().link(sender.node().endpoint());
        for (int i = 0; i < SLOT_COUNT - SENT_COUNT; i++)
        {
            assertEquals(SendStatus.SENT, send(link, last));
        }

        receiver.close();
        while (reported.isEmpty())
        {
            sender.endpoint().poll(1);
        }

        assertEquals(List.of("after " + (SLOT_COUNT - SENT_COUNT)), reported);
    }

    @Test
    void shouldTellWhatWasSentOnSharedLinksOpenAndClosed()
    {
        joinReceiver();
        pollForHousekeeping();
        final EndpointId id = sender.locate(RECEIVER);
        // The first has a queue of its own; the others share one, and the channel that they send from.
        final SharedLink exclusive = sender.endpoint().sharedLink(id);
        final SharedLink closed = sender.endpoint().sharedLink(id);
        final SharedLink open = sender.endpoint().sharedLink(id);
        sendAll(exclusive, SENT_COUNT);
        sendAll(closed, SENT_COUNT);
        closed.close();
        sendAll(open, SENT_COUNT);

        receiver.close();
        final SendStatus gone = send(open);
        final SendStatus late = send(closed);
        pollForHousekeeping();

        assertEquals(List.of("receiver GONE incarnation=1 undelivered=" + 3 * SENT_COUNT + " unknown=0"), reported);
        assertEquals(SendStatus.PEER_GONE, gone);
        assertEquals(SendStatus.CLOSED, late);
        assertEquals(SendStatus.PEER_GONE, send(open));
        assertEquals(SendStatus.PEER_GONE, send(exclusive));
    }

    @Test
    void shouldTellNothingOfWhatWasTakenFromASharedLinkThatIsClosed()
    {
        joinReceiver();
        pollForHousekeeping();
        final SharedLink link = sender.endpoint().sharedLink(sender.locate(RECEIVER));
        sendAll(link, SENT_COUNT);
        link.close();
        receiver.endpoint().poll();                            // Less than a batch: it publishes that when it leaves.

        receiver.close();
        pollForHousekeeping();

        assertEquals(List.of("receiver GONE incarnation=1 undelivered=0 unknown=0"), reported);
    }

    @Test
    void shouldTellWhatANodeHadNotHandledThatLeftInsideAHandler()
    {
        joinReceiver();
        final int[] handled = new int[1];
        final HandlerId handler = registerAtReceiver(() ->
        {
            handled[0]++;
            if (handled[0] == 4)
            {
                receiver.close();
            }
        });
        final Link link = sender.endpoint().link(sender.locate(RECEIVER));
        for (int i = 0; i < SENT_COUNT; i++)
        {
            assertEquals(SendStatus.SENT, send(link, handler));
        }

        receiver.endpoint().poll();
        pollForHousekeeping();

        assertEquals(4, handled[0]);
        assertEquals(List.of("receiver GONE incarnation=1 undelivered=" + (SENT_COUNT - 4) + " unknown=0"), reported);
    }

    @Test
    void shouldTellWhatANodeHadNotHandledThatLeftWhileItsOwnThreadPolled() throws InterruptedException
    {
        for (int life = 1; life <= 10; life++)
        {
            joinReceiver();
            final AtomicInteger handledCount = new AtomicInteger();
            final HandlerId handler = registerAtReceiver(handledCount::incrementAndGet);
            final Grim polled = receiver;
            polled.endpoint().releaseOwnership();
            final AtomicBoolean isOver = new AtomicBoolean();
            final Thread poller = new Thread(() ->
            {
                while (!isOver.get())
                {
                    polled.endpoint().poll();
                }
            });
            poller.start();
            final Link link = sender.endpoint().link(sender.locate(RECEIVER));
            int sentCount = 0;
            while (handledCount.get() < SENT_COUNT * life)
            {
                sentCount += send(link, handler) == SendStatus.SENT ? 1 : 0;
            }
            for (int i = 0; i < SLOT_COUNT; i++)
            {
                sentCount += send(link, handler) == SendStatus.SENT ? 1 : 0;
            }

            receiver.close();
            isOver.set(true);
            poller.join();
            pollForHousekeeping();

            assertEquals("receiver GONE incarnation=" + life + " undelivered=" + (sentCount - handledCount.get()) +
                " unknown=0", reported.get(life - 1));
        }
    }

    private HandlerId registerAtReceiver(final Runnable handler)
    {
        receiver.handlers().register("counted", message -> handler.run());
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (receiver.handlers().tryResolve("counted") == null)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "the handler stays unknown");
            receiver.endpoint().poll();
            sender.endpoint().poll();
        }
        return receiver.handlers().tryResolve("counted");
    }

    private static void sendAll(final SharedLink link, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertEquals(SendStatus.SENT, send(link));
        }
    }

    private void joinReceiver()
    {
        receiver = Grim.enable(DeathConfig.of(directory, RECEIVER).build());
    }

    private void sendTo(final EndpointId id)
    {
        for (int i = 0; i < SENT_COUNT; i++)
        {
            assertEquals(SendStatus.SENT, send(sender.endpoint().link(id)));
        }
    }

    /**
     * The clock is looked at once in some hundreds of polls, and each millisecond something is done: some times,
     * also if this thread stands still in between.
     */
    private void pollForHousekeeping()
    {
        for (int i = 0; i < HOUSEKEEPING_COUNT; i++)
        {
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs <= LIVENESS_NS)
            {
                sender.endpoint().poll();
            }
            for (int poll = 0; poll < POLLS_PER_LOOK; poll++)
            {
                sender.endpoint().poll();
            }
        }
    }

    private static SendStatus send(final Endpoint.Sender link)
    {
        return send(link, ANY_HANDLER);
    }

    private static SendStatus send(final Endpoint.Sender link, final HandlerId handler)
    {
        return link.send(handler, 0, 0, 0, 0);
    }
}
