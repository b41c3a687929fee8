// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.Reply;
import org.grim.buffer.Uninterrupted;
import org.grim.counters.FlightEvents;

/**
 * The requests of one endpoint that have not ended. A request is a message whose argument 3 is its correlation; the
 * answer is a message for a built-in handler with the same argument 3 (decision 98).
 * <p>Thread: the endpoint's owner; a reply's queries any. Allocates nothing once as many requests as ever were open at
 * a time.
 */
public final class Requests
{
    /** Built-in handler of answers. */
    public static final int ANSWER = 0;

    /** Argument 3 of a message that is no request. */
    static final int NO_REQUEST = 0;

    static final int CORRELATION_INDEX = 3;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final EndpointState state;
    private final IntSupplier poll;
    private final HandlerErrors errors;
    private final Int2ObjectHashMap<OpenReply> open = new Int2ObjectHashMap<>();
    private final List<OpenReply> ended = new ArrayList<>();
    private int correlation = Long.hashCode(System.nanoTime());     // Not where a predecessor of this node began.
    private long firstDeadlineNs;

    /**
     * No requests yet.
     *
     * @param state  of the endpoint.
     * @param poll   of the endpoint.
     * @param errors of listeners.
     */
    public Requests(final EndpointState state, final IntSupplier poll, final HandlerErrors errors)
    {
        this.state = state;
        this.poll = poll;
        this.errors = errors;
    }

    /**
     * {@return a completion that is not in use}
     * @param listener run when a request has ended, as a handler is; null for none.
     */
    public Reply newReply(final Consumer<Reply> listener)
    {
        return new OpenReply(this, listener);
    }

    /** Begins a request on a link. Returns its correlation: argument 3. */
    int begin(final Path link, final Duration timeout, final Reply reply)
    {
        final long timeoutNs = TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(timeout, "timeout"));
        if (timeoutNs < 0)
        {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative");
        }
        if (!(Objects.requireNonNull(reply, "reply") instanceof final OpenReply opening) || opening.requests != this)
        {
            throw new IllegalArgumentException("the reply belongs to another endpoint");
        }
        correlation++;
        while (correlation == NO_REQUEST || open.containsKey(correlation))
        {
            correlation++;
        }
        final long nowNs = System.nanoTime();
        final long deadlineNs = nowNs + Math.min(timeoutNs, Long.MAX_VALUE / 2);
        opening.begin(link, correlation, nowNs, deadlineNs);
        if (open.isEmpty() || deadlineNs - firstDeadlineNs < 0)
        {
            firstDeadlineNs = deadlineNs;
        }
        open.put(correlation, opening);
        return correlation;
    }

    /** Forgets a request that was not accepted. */
    void cancel(final int cancelled)
    {
        open.remove(cancelled).outcome = Reply.Outcome.NONE;
    }

    /**
     * Ends requests whose time is over.
     *
     * @param nowNs of {@link System#nanoTime()}.
     * @return requests that ended.
     */
    public int step(final long nowNs)
    {
        if (open.isEmpty() || firstDeadlineNs - nowNs > 0)
        {
            return 0;
        }
        final int count = endAll(reply -> reply.deadlineNs - nowNs <= 0, Reply.Outcome.TIMED_OUT);
        firstDeadlineNs = nowNs + Long.MAX_VALUE / 2;
        for (final OpenReply reply : open.values())
        {
            firstDeadlineNs = reply.deadlineNs - firstDeadlineNs < 0 ? reply.deadlineNs : firstDeadlineNs;
        }
        return count;
    }

    /**
     * Ends requests whose links end in a node and have settled their accounts: no answer comes any more.
     *
     * @param node its number.
     */
    public void onLinksLost(final int node)
    {
        endAll(reply -> reply.link.destination().node() == node && reply.link.isSettled(), Reply.Outcome.PEER_GONE);
    }

    /** Takes an answer, unless its request has ended. */
    void onAnswer(final ActiveMessage answer, final long flowKey)
    {
        final OpenReply reply = open.get(answer.argument(CORRELATION_INDEX));
        if (reply != null && reply.link.isAnsweredBy(flowKey))
        {
            open.remove(reply.correlation);
            reply.answered(answer);
            run(reply);
        }
    }

    /** Listeners may begin requests: they run when none is looked at any more. */
    private int endAll(final Predicate<OpenReply> isOver, final Reply.Outcome outcome)
    {
        for (final OpenReply reply : open.values())
        {
            if (isOver.test(reply))
            {
                ended.add(reply);
            }
        }
        final int count = ended.size();
        ended.forEach(reply -> open.remove(reply.correlation));
        while (!ended.isEmpty())
        {
            final OpenReply reply = ended.remove(ended.size() - 1);
            if (outcome == Reply.Outcome.TIMED_OUT)
            {
                FlightEvents.timedOut(reply.link.destination(), System.nanoTime() - reply.beginNs);
            }
            reply.end(outcome);
            run(reply);
        }
        return count;
    }

    private void run(final OpenReply reply)
    {
        if (reply.listener != null)
        {
            final boolean isInside = state.isInHandler();
            state.inHandler(true);
            try
            {
                reply.listener.accept(reply);
            }
            catch (final Throwable ex)          // As of a handler.
            {
                errors.onError(ex, "replies");
            }
            finally
            {
                state.inHandler(isInside);
            }
        }
    }

    private void await(final OpenReply reply)
    {
        final IdleStrategy idleStrategy = new BackoffIdleStrategy();
        while (!reply.isComplete())
        {
            if (state.isOwnedByAnother())
            {
                Uninterrupted.park(PAUSE_NS);
            }
            else
            {
                state.requireOutsideHandler("await");
                final int workCount = poll.getAsInt();
                if (workCount == 0 && Thread.currentThread().isInterrupted())
                {
                    Uninterrupted.park(PAUSE_NS);           // Agrona's strategies do not sleep there.
                }
                else
                {
                    idleStrategy.idle(workCount);
                }
            }
        }
    }

    /** The link that a request left by. */
    interface Path
    {
        /** {@return where the request went} */
        EndpointId destination();

        /** {@return whether what came is an answer to what was sent} */
        boolean isAnsweredBy(long flowKey);

        /** {@return whether nothing comes from there any more} */
        boolean isSettled();
    }

    /** A completion of this endpoint, from request to request. */
    private static final class OpenReply implements Reply
    {
        private final Requests requests;
        private final Consumer<Reply> listener;
        private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        private final int[] arguments = new int[CORRELATION_INDEX];
        private volatile Outcome outcome = Outcome.NONE;
        private Path link;
        private int correlation;
        private long beginNs;
        private long deadlineNs;
        private int length;

        private OpenReply(final Requests requests, final Consumer<Reply> listener)
        {
            this.requests = requests;
            this.listener = listener;
        }

        private void begin(
            final Path newLink, final int newCorrelation, final long newBeginNs, final long newDeadlineNs)
        {
            if (outcome == Outcome.WAITING)
            {
                throw new IllegalStateException("the reply is in use: its request to " + link.destination() +
                    " has not ended");
            }
            link = newLink;
            correlation = newCorrelation;
            beginNs = newBeginNs;
            deadlineNs = newDeadlineNs;
            outcome = Outcome.WAITING;
        }

        private void answered(final ActiveMessage answer)
        {
            for (int i = 0; i < arguments.length; i++)
            {
                arguments[i] = answer.argument(i);
            }
            length = answer.length();
            buffer.putBytes(0, answer.buffer(), answer.offset(), length);
            end(Outcome.ANSWERED);
        }

        private void end(final Outcome newOutcome)
        {
            link = null;
            outcome = newOutcome;
        }

        @Override
        public boolean isComplete()
        {
            return outcome() != Outcome.WAITING;
        }

        @Override
        public Outcome outcome()
        {
            final Outcome known = outcome;
            return known == Outcome.WAITING && requests.state.isClosed() ? Outcome.CLOSED : known;
        }

        @Override
        public int argument(final int index)
        {
            requireAnswer();
            return arguments[index];
        }

        @Override
        public DirectBuffer buffer()
        {
            requireAnswer();
            return buffer;
        }

        @Override
        public int length()
        {
            requireAnswer();
            return length;
        }

        @Override
        public String text()
        {
            requireAnswer();
            return buffer.getStringWithoutLengthUtf8(0, length);
        }

        @Override
        public Reply await()
        {
            requests.await(this);
            return this;
        }

        private void requireAnswer()
        {
            final Outcome known = outcome();
            if (known != Outcome.ANSWERED)
            {
                throw new IllegalStateException("there is no answer: outcome=" + known);
            }
        }
    }
}
