// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

import org.agrona.concurrent.UnsafeBuffer;

/** Guards of an accelerator, each left out by the object that takes its place. */
enum PlantedBug
{
    /** None. */
    NONE,
    /** An item of an earlier use of its entry runs. */
    EARLIER_USE
    {
        @Override
        FrameDirectory directory()
        {
            return new FrameDirectory(newDirectory(), ItemFormat.slot(0, 1))
            {
                @Override
                boolean isCurrent(final int index, final int slot)
                {
                    return true;
                }
            };
        }
    },
    /** An item runs another kernel than its entry's. */
    OTHER_KERNEL
    {
        @Override
        FrameDirectory directory()
        {
            return new FrameDirectory(newDirectory(), ItemFormat.slot(0, 1))
            {
                @Override
                boolean isFor(final int index, final int kernel)
                {
                    return true;
                }
            };
        }
    },
    /** More images are loaded than there is room for. */
    ROOM_IGNORED
    {
        @Override
        FunctionFaults faults(
            final List<ImageSlot> slots, final int countMax, final int quantum, final Consumer<ImageSlot> loader)
        {
            return new TurnFaults(slots, countMax, quantum, loader)
            {
                @Override
                boolean hasRoom(final ImageSlot next)
                {
                    return true;
                }
            };
        }
    },
    /** A page leaves its frame while an item needs it. */
    HELD_EVICTED
    {
        @Override
        PageFrames frames(final int frameCount, final PageMemory memory)
        {
            return new PageFrames(frameCount, memory)
            {
                @Override
                boolean mayEvict(final Page page)
                {
                    return page.state == Page.State.PRESENT && !page.isPinned;
                }
            };
        }
    },
    /** A page leaves its frame that its owner has pinned. */
    PINNED_EVICTED
    {
        @Override
        PageFrames frames(final int frameCount, final PageMemory memory)
        {
            return new PageFrames(frameCount, memory)
            {
                @Override
                boolean mayEvict(final Page page)
                {
                    return page.state == Page.State.PRESENT && page.useCount == 0;
                }
            };
        }
    },
    /** Owners pin the frames that items need. */
    ALL_PINNED
    {
        @Override
        PageFrames frames(final int frameCount, final PageMemory memory)
        {
            return new PageFrames(frameCount, memory)
            {
                @Override
                int pinnedCountMax()
                {
                    return frameCount;
                }
            };
        }
    },
    /** A page that was changed leaves its frame as if it had not. */
    DIRTY_LOST
    {
        @Override
        PageFrames frames(final int frameCount, final PageMemory memory)
        {
            return new PageFrames(frameCount, memory)
            {
                @Override
                boolean needsStore(final Page page)
                {
                    return false;
                }
            };
        }
    },
    /** A new page shows what was in its frame. */
    NOT_CLEARED
    {
        @Override
        PageMemory memory(final int frameCount, final int pageLength, final Random random)
        {
            return new SlowPages(frameCount, pageLength, random)
            {
                @Override
                public boolean load(final Page page, final int frame)
                {
                    return page.host == null || super.load(page, frame);
                }
            };
        }
    },
    /** An item holds some of its pages while it waits for the others. */
    SOME_PAGES
    {
        @Override
        PageFrames frames(final int frameCount, final PageMemory memory)
        {
            return new PageByPage(frameCount, memory);
        }
    },
    /** An item that is dropped leaves its place in the queue for frames behind. */
    PLACE_KEPT
    {
        @Override
        PageFrames frames(final int frameCount, final PageMemory memory)
        {
            return new PageFrames(frameCount, memory)
            {
                @Override
                void release(final PageNeed need)
                {
                    if (!need.isWaiting)
                    {
                        super.release(need);
                    }
                }
            };
        }
    },
    /** A page is used although its owner has freed it. */
    FREED_USED
    {
        @Override
        PageFrames frames(final int frameCount, final PageMemory memory)
        {
            return new PageFrames(frameCount, memory)
            {
                @Override
                boolean isCurrent(final PageNeed need)
                {
                    return true;
                }
            };
        }
    },
    /** A page is used while it is being loaded. */
    LOADING_USED
    {
        @Override
        PageFrames frames(final int frameCount, final PageMemory memory)
        {
            return new PageFrames(frameCount, memory)
            {
                @Override
                boolean isUsable(final Page page)
                {
                    return page.state == Page.State.PRESENT ||
                        (page.state == Page.State.LOADING && page.frame != Page.NONE);
                }
            };
        }
    },
    /** A page is written while the cleaner copies it. */
    CLEANING_USED
    {
        @Override
        PageFrames frames(final int frameCount, final PageMemory memory)
        {
            return new PageFrames(frameCount, memory)
            {
                @Override
                boolean isUsable(final Page page)
                {
                    return page.state == Page.State.PRESENT || page.state == Page.State.CLEANING;
                }
            };
        }
    },
    /** Pages of a node stay that is gone. */
    OWNER_KEPT
    {
        @Override
        PageSpaces spaces(final PageFrames frames, final int quota, final int countMax)
        {
            return new SimulatedSpaces(frames, quota, countMax, this)
            {
                @Override
                void freeOwner(final int node, final int incarnation)
                {
                    // Nothing is freed.
                }
            };
        }
    },
    /** An owner sees the pages of its number's earlier incarnation. */
    INCARNATION_IGNORED
    {
        @Override
        PageSpaces spaces(final PageFrames frames, final int quota, final int countMax)
        {
            return new SimulatedSpaces(frames, quota, countMax, this)
            {
                @Override
                long key(final int owner, final int incarnation)
                {
                    return owner;
                }
            };
        }
    },
    /** All owners have the same pages. */
    OWNER_IGNORED
    {
        @Override
        PageSpaces spaces(final PageFrames frames, final int quota, final int countMax)
        {
            return new SimulatedSpaces(frames, quota, countMax, this)
            {
                @Override
                long key(final int owner, final int incarnation)
                {
                    return 0;
                }
            };
        }
    },
    /** An owner has pages beyond its quota. */
    QUOTA_IGNORED
    {
        @Override
        PageSpaces spaces(final PageFrames frames, final int quota, final int countMax)
        {
            return new SimulatedSpaces(frames, quota, countMax, this)
            {
                @Override
                void requireNumber(final int number)
                {
                    // Any number is good.
                }
            };
        }
    },
    /** A result is written over an operand that is still being read. */
    OVERLAP_IGNORED
    {
        @Override
        ItemRunner runner(final PageSpaces spaces, final PageFrames frames)
        {
            return new ItemRunner(spaces, frames)
            {
                @Override
                boolean overlaps(final PageNeed need, final int operand, final int length, final int roomLength)
                {
                    return false;
                }
            };
        }
    },
    /** An item waits for more pages than there are frames. */
    TOO_MANY_PAGES
    {
        @Override
        ItemRunner runner(final PageSpaces spaces, final PageFrames frames)
        {
            return new ItemRunner(spaces, frames)
            {
                @Override
                void requireFrames(final PageNeed need)
                {
                    // It may wait.
                }
            };
        }
    },
    /** An item holds its pages while it waits for its image. */
    HELD_OVER_FAULT
    {
        @Override
        ItemRunner runner(final PageSpaces spaces, final PageFrames frames)
        {
            return new ItemRunner(spaces, frames)
            {
                @Override
                void onFunctionFault(final StreamItem item)
                {
                    // The pages stay.
                }
            };
        }
    },
    /** A page of a checkpoint is written before it was fetched, and not copied. */
    CUT_WRITTEN
    {
        @Override
        PageLog log(final PageFrames frames)
        {
            return new PageLog(frames)
            {
                @Override
                boolean isOfCheckpoint(final Page page)
                {
                    return false;
                }
            };
        }
    },
    /** A page that was changed is not in the next checkpoint. */
    CHANGE_FORGOTTEN
    {
        @Override
        PageLog log(final PageFrames frames)
        {
            return new PageLog(frames)
            {
                @Override
                void changing(final Page page)
                {
                    super.changing(page);
                    isOwners(page);
                }
            };
        }
    },
    /** The pages of a checkpoint that was given up are not in the next one. */
    CUT_FORGOTTEN
    {
        @Override
        PageLog log(final PageFrames frames)
        {
            return new PageLog(frames)
            {
                @Override
                void keepChanges(final BitSet pages)
                {
                    // The owner has them, or not.
                }
            };
        }
    },
    /** An owner without a checkpoint gets the changes since another one. */
    BASE_IGNORED
    {
        @Override
        PageLog log(final PageFrames frames)
        {
            return new PageLog(frames)
            {
                @Override
                boolean isKnown(final int ownersNumber)
                {
                    return true;
                }
            };
        }
    },
    /** An item counts as passed that has not come. */
    EARLY_ACCOUNT
    {
        @Override
        PageLog log(final PageFrames frames)
        {
            return new PageLog(frames)
            {
                @Override
                void passed(final int newSequence)
                {
                    super.passed(newSequence + 1);
                }
            };
        }
    };

    static UnsafeBuffer newDirectory()
    {
        return new UnsafeBuffer(new byte[FrameDirectory.LENGTH]);
    }

    FrameDirectory directory()
    {
        return new FrameDirectory(newDirectory(), ItemFormat.slot(0, 1));
    }

    FunctionFaults faults(
        final List<ImageSlot> slots, final int countMax, final int quantum, final Consumer<ImageSlot> loader)
    {
        return new TurnFaults(slots, countMax, quantum, loader);
    }

    PageMemory memory(final int frameCount, final int pageLength, final Random random)
    {
        return new SlowPages(frameCount, pageLength, random);
    }

    PageFrames frames(final int frameCount, final PageMemory memory)
    {
        return new PageFrames(frameCount, memory);
    }

    PageSpaces spaces(final PageFrames frames, final int quota, final int countMax)
    {
        return new SimulatedSpaces(frames, quota, countMax, this);
    }

    ItemRunner runner(final PageSpaces spaces, final PageFrames frames)
    {
        return new ItemRunner(spaces, frames);
    }

    PageLog log(final PageFrames frames)
    {
        return new PageLog(frames);
    }

    /** Spaces of as many pages each as an owner may have in all: the model does not count these. */
    private static class SimulatedSpaces extends PageSpaces
    {
        private final PlantedBug bug;

        private SimulatedSpaces(
            final PageFrames frames, final int quota, final int countMax, final PlantedBug bug)
        {
            super(frames, quota, countMax);
            this.bug = bug;
        }

        @Override
        void requireQuota(final int owner, final int incarnation)
        {
            // Each space has its bound.
        }

        @Override
        PageLog newLog(final PageFrames frames)
        {
            return bug.log(frames);
        }
    }

    /** Loads whose turns may be short, so that few items suffice. */
    private static class TurnFaults extends FunctionFaults
    {
        private static final long LENGTH_MAX = 1_000;
        private final int quantum;

        private TurnFaults(
            final List<ImageSlot> slots, final int countMax, final int quantum, final Consumer<ImageSlot> loader)
        {
            super(slots, countMax, LENGTH_MAX, loader);
            this.quantum = quantum;
        }

        @Override
        int quantum()
        {
            return quantum;
        }
    }

    /** Holds each page of an item as soon as it has a frame. */
    private static final class PageByPage extends PageFrames
    {
        private final Map<PageNeed, PageNeed[]> parts = new HashMap<>();

        private PageByPage(final int frameCount, final PageMemory memory)
        {
            super(frameCount, memory);
        }

        @Override
        boolean isTurn(final PageNeed need)
        {
            return true;
        }

        @Override
        boolean isReady(final PageNeed need)
        {
            final PageNeed[] each = parts.computeIfAbsent(need, key -> split(need));
            boolean isReady = true;
            for (final PageNeed part : each)
            {
                isReady &= super.isReady(part);
            }
            return isReady;
        }

        private static PageNeed[] split(final PageNeed need)
        {
            final PageNeed[] each = new PageNeed[PageNeed.PAGE_COUNT_MAX];
            for (int i = 0; i < each.length; i++)
            {
                each[i] = new PageNeed();
                each[i].set(i, need.page(i), need.offset(i));
            }
            return each;
        }

        @Override
        void release(final PageNeed need)
        {
            final PageNeed[] each = parts.remove(need);
            if (each != null)
            {
                for (final PageNeed part : each)
                {
                    super.release(part);
                }
            }
            super.release(need);
        }
    }
}
