// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * States of those stages of a connection that have checkpoints. Has no clock and no thread.
 * <p>Thread: the one that polls the streams.
 */
class StageStates
{
    private final StreamPort port;
    private final CheckpointMemory memory;
    private final ConnectionListener listener;
    private final int connection;
    private final Map<Integer, StageState> states = new HashMap<>();        // By space.
    private List<Stage> present;            // Stages of the path.
    private List<Stage> attempt = List.of();
    private int index;                      // Of the attempt: the stages before it are restored.
    private String failure;

    StageStates(
        final StreamPort port, final CheckpointMemory memory, final ConnectionSpec spec, final int connection)
    {
        this.port = port;
        this.memory = memory;
        listener = spec.listener();
        this.connection = connection;
        present = spec.stages();
    }

    /** Makes the state of a stage. */
    StageState newState(final StreamPort portOfState, final CheckpointMemory memoryOfState, final int space)
    {
        return new StageState(portOfState, memoryOfState, connection, space);
    }

    private StageState state(final Stage stage)
    {
        return stage.checkpoint() == 0 ? null : states.get(stage.operands().space());
    }

    /** Begins an attempt to set a path: pages that were lost are written to the devices of their stages first. */
    void begin(final List<Stage> stages)
    {
        attempt = stages;
        index = 0;
        failure = null;
        restoreNext();
    }

    private void restoreNext()
    {
        while (index < attempt.size())
        {
            final StageState state = state(attempt.get(index));
            if (state != null && state.mustRestore())
            {
                state.restore(attempt.get(index).device());
                return;
            }
            index++;
        }
    }

    /** Says whether all pages of the attempt are where they have to be. */
    boolean isRestored()
    {
        return failure == null && index == attempt.size();
    }

    /** Returns why pages could not be written; null if all could. */
    String failure()
    {
        return failure;
    }

    /** Returns the stage whose pages could not be written. */
    int failedIndex()
    {
        return index;
    }

    /** Goes on with an attempt. */
    int stepRestore()
    {
        if (index == attempt.size())
        {
            return 0;
        }
        final StageState state = state(attempt.get(index));
        final int workCount = state.stepRestore();
        failure = state.takeFailure();
        if (state.isRestored())
        {
            index++;
            restoreNext();
        }
        return workCount;
    }

    /** Returns a stage of the attempt whose pages are nowhere; -1 if there is none. */
    int lostIndex()
    {
        for (int i = 0; i < attempt.size(); i++)
        {
            final StageState state = state(attempt.get(i));
            if (state != null && state.mustRestore() && !state.isRestored())
            {
                return i;
            }
        }
        return -1;
    }

    /** Notes that a path is in use. */
    void placed(final List<Stage> stages)
    {
        present = stages;
        final List<Integer> spaces = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++)
        {
            final Stage stage = stages.get(i);
            if (stage.checkpoint() > 0)
            {
                final int space = stage.operands().space();
                final StageState state = states.computeIfAbsent(space, key -> newState(port, memory, space));
                spaces.add(space);
                state.interval(stage.checkpoint());
                if (state.placed(stage.device()))
                {
                    listener.onRestored(i, state.sequence());
                }
            }
        }
        states.entrySet().removeIf(each ->
        {
            final boolean isGone = !spaces.contains(each.getKey());
            if (isGone)
            {
                each.getValue().close();
            }
            return isGone;
        });
    }

    /** Notes the stages of a path that are dead: their pages are lost. */
    void lost(final StreamPath path)
    {
        for (int i = 0; i < path.stages.size(); i++)
        {
            final StageState state = state(path.stages.get(i));
            if (state != null && path.isDead(i))
            {
                state.lost();
            }
        }
    }

    /** Goes on with checkpoints. Returns pieces of work done. */
    int step(final long accounted, final boolean mayBegin)
    {
        int workCount = 0;
        for (int i = 0; i < present.size(); i++)
        {
            final StageState state = state(present.get(i));
            if (state != null)
            {
                workCount += state.step(accounted, mayBegin);
                report(i, state);
            }
        }
        return workCount;
    }

    private void report(final int stage, final StageState state)
    {
        final String reason = state.takeFailure();
        if (reason != null)
        {
            listener.onCheckpointFailed(stage, reason);
        }
        if (state.takeNews())
        {
            listener.onCheckpoint(stage, state.account());
        }
    }

    /** Has checkpoints of all stages begin soon. */
    void ask()
    {
        states.values().forEach(StageState::ask);
    }

    /** Returns the last checkpoint of a stage; null if there is none. */
    Checkpoint checkpoint(final Stage stage)
    {
        final StageState state = state(stage);
        return state == null ? null : state.account();
    }

    void close()
    {
        states.values().forEach(StageState::close);
        states.clear();
    }
}
