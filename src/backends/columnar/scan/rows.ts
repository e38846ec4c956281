import { again, type Operator } from '../operator.ts'
import { NewestFirst } from './newest-first.ts'
import type { ScanSource } from './source.ts'

/** The rows of a scan in the order of the answer. */
export function scanRows(source: ScanSource): Operator {
  let walk: NewestFirst | undefined
  return {
    scan: source,
    pull(want) {
      walk ??= new NewestFirst(source.ranges(), (range) => source.mask(range))
      const run = walk.pull(want)
      if (run === undefined) return undefined
      return run === 'opened' ? again : source.frame(run.segment).take(run.rows)
    },
  }
}
