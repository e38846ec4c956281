import type { Budget } from '../../base/index.ts'
import type { Segment } from '../../store/index.ts'
import { GroupsHelping } from './group/help-groups.ts'
import type { GroupsTask } from './group/groups-task.ts'
import type { JoinedTask } from './group/joined-task.ts'
import { JoinedHelping } from './help-joined.ts'
import type { Helping } from './helpers.ts'
import { MasksHelping, type MasksTask } from './scan/shared-masks.ts'
import { CallHelping, type CallTask } from './series/shared-call.ts'
import { TopHelping, type TopTask } from './scan/top-pieces.ts'

type Task = GroupsTask | JoinedTask | MasksTask | TopTask | CallTask

/** One thread's part in a task that another offers, over the same segments. */
export function helpingWith(given: unknown, segments: readonly Segment[], budget: Budget): Helping {
  const task = given as Task
  if (task.kind === 'groups') return new GroupsHelping(task, segments, budget)
  if (task.kind === 'joined') return new JoinedHelping(task, segments, budget)
  if (task.kind === 'top') return new TopHelping(task, segments, budget)
  if (task.kind === 'series-call') return new CallHelping(task, budget)
  return new MasksHelping(task, segments, budget)
}
