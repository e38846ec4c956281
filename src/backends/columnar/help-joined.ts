import { invariant, checkpoint, type Budget } from '../../base/index.ts'
import type { Aggregate, Join, LogicalPlan, Table } from '../../plan/index.ts'
import type { Segment } from '../../store/index.ts'
import type { ExecContext } from './context.ts'
import { FrameAggregate } from './group/frame-aggregate.ts'
import { scansOf, type JoinedTask } from './group/joined-task.ts'
import type { JoinedPart } from './group/share-join.ts'
import type { Helping } from './helpers.ts'
import type { JoinByPieces } from './operator.ts'
import { planOperators } from './planner.ts'
import { ofPlain } from './segments/plain-plan.ts'
import { HelpedScan } from './segments/scan-task.ts'

/** Takes part in another thread's join: reads the right side itself, then pieces of the left one. */
export class JoinedHelping implements Helping {
  readonly #scan: HelpedScan
  readonly #join: JoinByPieces
  readonly #aggregate: FrameAggregate
  #next: () => number | undefined = () => undefined
  #isRightRead = false
  /** Of the left scan, before its first piece. */
  #counted: ReadonlyMap<string, number> = new Map()

  constructor(task: JoinedTask, segments: readonly Segment[], budget: Budget) {
    this.#scan = new HelpedScan(task, segments.slice(0, task.leftSegments), budget)
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
    const joined = operator.byPieces?.()
    invariant(joined !== undefined, 'what is joined by pieces here is so there')
    this.#join = joined
    joined.read({ ranges, next: () => this.#take() })
    const above: Aggregate = { kind: 'aggregate', input: node, keys, aggregates, origin: join.origin }
    this.#aggregate = new FrameAggregate(above, operator, context)
  }

  #take(): number | undefined {
    if (!this.#isRightRead) {
      this.#isRightRead = true
      // The thread that asks has counted the right side's rows.
      this.#scan.takeCounts()
      this.#join.left.ranges()
      this.#counted = new Map(this.#join.left.measure.counts)
    }
    return this.#next()
  }

  work(next: () => number | undefined): void {
    this.#next = next
    while (!this.#aggregate.step()) checkpoint()
  }

  give(): JoinedPart | undefined {
    const given = this.#aggregate.give()
    const counts = Array.from(
      this.#join.left.measure.counts,
      ([name, amount]) => [name, amount - (this.#counted.get(name) ?? 0)] as const,
    )
    return given && { ...given, ...this.#scan.takeCounts(), counts }
  }

  hear(): void {
    // There is one pass.
  }

  end(): Promise<void> {
    return this.#scan.end()
  }
}
