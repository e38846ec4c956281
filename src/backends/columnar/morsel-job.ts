import { invariant, checkpoint, type Budget } from '../../base/index.ts'
import type { Aggregate, Join, LogicalPlan, Table } from '../../plan/index.ts'
import type { Segment } from '../../store/index.ts'
import type { ExecContext } from './context.ts'
import { FrameAggregate } from './group/frame-aggregate.ts'
import { groupsJob } from './group/groups-job.ts'
import type { GroupsTask } from './group/groups-task.ts'
import type { PartialJoin } from './group/join-morsels.ts'
import { scansOf, type JoinTask } from './group/join-task.ts'
import type { MorselJob } from './morsels/parallelism.ts'
import { planOperators } from './planner.ts'
import { masksJob, type MasksTask } from './scan/shared-masks.ts'
import { topJob, type TopTask } from './scan/top-morsels.ts'
import { ofPlain } from './segments/plain-plan.ts'
import { CountsSince, RemoteScan } from './segments/scan-task.ts'
import type { ScanSource } from './segments/source.ts'
import { SeriesCallJob, type CallTask } from './series/call-morsels.ts'

type Task = GroupsTask | JoinTask | MasksTask | TopTask | CallTask

/** Makes the operator that runs another thread's task over the same segments. */
export function morselJob(given: unknown, segments: readonly Segment[], budget: Budget): MorselJob {
  const task = given as Task
  switch (task.kind) {
    case 'groups':
      return groupsJob(task, segments, budget)
    case 'join':
      return new JoinJob(task, segments, budget)
    case 'masks':
      return masksJob(task, segments, budget)
    case 'top':
      return topJob(task, segments, budget)
    case 'series-call':
      return new SeriesCallJob(task, budget)
  }
}

/** Joins and groups rows for another thread: reads the whole right side first, then morsels of the left side. */
class JoinJob implements MorselJob {
  readonly #scan: RemoteScan
  readonly #aggregate: FrameAggregate
  #next: () => number | undefined = () => undefined
  /** How far the left scan's counters have increased since its first morsel. */
  #counts: CountsSince | undefined

  constructor(task: JoinTask, segments: readonly Segment[], budget: Budget) {
    this.#scan = new RemoteScan(task, segments.slice(0, task.leftSegments), budget)
    const { source, context: leftContext, ranges } = this.#scan
    const { keys, aggregates, join } = ofPlain({ keys: task.keys, aggregates: task.aggregates, join: task.join })
    const [rightScan] = scansOf(join.right)
    invariant(rightScan !== undefined, 'the right side reads a table')
    const left = source.conditions.reduce<LogicalPlan>(
      (input, predicate) => ({ kind: 'filter', input, predicate, origin: join.origin }),
      source.node,
    )
    const rightTable = { definition: task.rightDefinition } as Table
    const context: ExecContext = {
      ...leftContext,
      tables: new Map([...leftContext.tables, [rightScan.table, rightTable]]),
      segments: new Map([...leftContext.segments, [rightScan, segments.slice(task.leftSegments)]]),
    }
    const node: Join = { ...join, left }
    const operator = planOperators(node, context).operator
    const joined = operator.byRanges?.()
    invariant(joined !== undefined, 'the join is the same as in the other thread')
    joined.read({ ranges, next: () => this.#take(joined.left) })
    const above: Aggregate = { kind: 'aggregate', input: node, keys, aggregates, origin: join.origin }
    this.#aggregate = new FrameAggregate(above, operator, context)
  }

  #take(left: ScanSource): number | undefined {
    if (this.#counts === undefined) {
      // Both threads read the whole right side, but the query must count these reads only once.
      this.#scan.restartCounts()
      left.ranges()
      this.#counts = new CountsSince(left.measure)
    }
    return this.#next()
  }

  run(next: () => number | undefined): void {
    this.#next = next
    while (!this.#aggregate.step()) checkpoint()
  }

  export(): PartialJoin | undefined {
    const partial = this.#aggregate.export()
    return partial && { ...partial, ...this.#scan.counts(), counts: this.#counts?.all() ?? [] }
  }

  end(): Promise<void> {
    return this.#scan.end()
  }
}
