import { checkpoint, type Budget } from '../../../base/index.ts'
import type { Aggregate } from '../../../plan/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { Helping } from '../helpers.ts'
import { ofPlain } from '../segments/plain-plan.ts'
import { HelpedScan } from '../segments/scan-task.ts'
import type { GroupsTask } from './groups-task.ts'
import { SegmentAggregate, type GroupsPart, type GroupsTold } from './segment-aggregate.ts'

/** Takes part in the grouping of another thread, over the same segments. */
export class GroupsHelping implements Helping {
  readonly #scan: HelpedScan
  readonly #aggregate: SegmentAggregate

  constructor(task: GroupsTask, segments: readonly Segment[], budget: Budget) {
    this.#scan = new HelpedScan(task, segments, budget)
    const { source, context, ranges } = this.#scan
    const { keys, aggregates } = ofPlain({ keys: task.keys, aggregates: task.aggregates })
    const node: Aggregate = { kind: 'aggregate', input: source.node, keys, aggregates, origin: source.node.origin }
    this.#aggregate = new SegmentAggregate(node, source, context, ranges)
  }

  work(next: () => number | undefined): void {
    for (let piece = next(); piece !== undefined; piece = next()) {
      this.#aggregate.see(piece)
      checkpoint()
    }
  }

  give(): GroupsPart | undefined {
    const given = this.#aggregate.give()
    return given && { ...given, ...this.#scan.takeCounts() }
  }

  end(): Promise<void> {
    return this.#scan.end()
  }

  hear(pass: number, told: unknown): void {
    this.#aggregate.hear(pass, told as GroupsTold)
  }
}
