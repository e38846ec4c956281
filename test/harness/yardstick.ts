import { gunzipSync, gzipSync } from 'node:zlib'
import { processorMs } from './processor-time.ts'

/** What a piece of work took. */
export interface Spent {
  readonly processorMs: number
  readonly wallMs: number
}

const YARDSTICK_BYTES = 16 * 1024 * 1024

/** Some 30 ms of work on an ordinary machine: bytes unpacked, then looked at one by one. */
function workOnce(packed: Uint8Array): Spent {
  const startedMs = performance.now()
  const before = processorMs()
  let sum = 0
  const bytes = gunzipSync(packed)
  for (let i = 0; i < bytes.length; i++) sum += bytes[i]!
  if (sum !== 0) throw new Error('other bytes came out than went in')
  return { processorMs: processorMs() - before, wallMs: performance.now() - startedMs }
}

/** The same work as always, as long as it takes here and now: the middle of three. */
export function measureYardstick(): Spent {
  const packed = gzipSync(new Uint8Array(YARDSTICK_BYTES))
  const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[1]!
  const spent = [1, 2, 3].map(() => workOnce(packed))
  return {
    processorMs: middle(spent.map((each) => each.processorMs)),
    wallMs: middle(spent.map((each) => each.wallMs)),
  }
}

let known: Spent | undefined

/** The longest that the yardstick has taken in this process; `isAnew` measures it once more. */
export function yardstick(isAnew = false): Spent {
  if (known !== undefined && !isAnew) return known
  const now = measureYardstick()
  known = {
    processorMs: Math.max(now.processorMs, known?.processorMs ?? 0),
    wallMs: Math.max(now.wallMs, known?.wallMs ?? 0),
  }
  return known
}

/**
 * Processor time as a multiple of the yardstick's, so that a bound on it holds on a slow machine too. What seems long is
 * compared with a yardstick measured right behind it.
 */
export function inYardsticks(spentMs: number): number {
  const ratio = spentMs / yardstick().processorMs
  return ratio < 10 ? ratio : spentMs / yardstick(true).processorMs
}
