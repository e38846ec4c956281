import type { Budget } from '../../base/index.ts'
import type { Segment } from '../../store/index.ts'
import { GroupsHelping } from './group/help-groups.ts'
import type { GroupsTask } from './group/groups-task.ts'
import type { Helping } from './helpers.ts'
import { MasksHelping, type MasksTask } from './scan/shared-masks.ts'

type Task = GroupsTask | MasksTask

/** One thread's part in a task that another offers, over the same segments. */
export function helpingWith(given: unknown, segments: readonly Segment[], budget: Budget): Helping {
  const task = given as Task
  return task.kind === 'groups' ? new GroupsHelping(task, segments, budget) : new MasksHelping(task, segments, budget)
}
