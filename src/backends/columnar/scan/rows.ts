import { again, type Operator } from '../operator.ts'
import { NewestFirst } from './newest-first.ts'
import type { ScanSource } from './source.ts'

/** The rows of a scan in the order of the answer, after the first `offset` of them. */
export function scanRows(source: ScanSource, offset = 0): Operator {
  let walk: NewestFirst | undefined
  let toSkip = offset
  return {
    ...(offset === 0 ? { scan: source } : {}),
    pull(want) {
      walk ??= new NewestFirst(source.ranges(), (range) => (source.isNone(range) ? undefined : source.mask(range)))
      if (toSkip > 0) {
        const skipped = walk.skip(toSkip)
        if (typeof skipped === 'number') toSkip -= skipped
        return skipped === undefined ? undefined : again
      }
      const run = walk.pull(want)
      if (run === undefined) return undefined
      return run === 'opened' ? again : source.frame(run.segment).take(run.rows)
    },
  }
}
