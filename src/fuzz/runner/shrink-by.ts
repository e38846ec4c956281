import type { StoredRow } from '../../data/index.ts'

type Rows = readonly StoredRow[]

/** Yields versions with half of the rows removed, then a quarter, down to one row. */
export function* fewerRows(rows: Rows): Generator<Rows> {
  for (let size = Math.ceil(rows.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < rows.length; from += size) yield rows.toSpliced(from, size)
  }
}

/** Yields versions without one field of one row; times are kept. */
export function* fewerFields(rows: Rows): Generator<Rows> {
  for (const [i, stored] of rows.entries()) {
    for (const name of stored.row.keys()) {
      if (name === '_time') continue
      const row = new Map(stored.row)
      row.delete(name)
      yield rows.with(i, { ...stored, row })
    }
  }
}

/** Limits of the reduction of a case. */
export interface ShrinkBounds {
  readonly attempts: number
  /** Milliseconds after which no further version is tried. */
  readonly timeMs: number
}

/**
 * Replaces a failing case by its first reduced version that still fails, repeatedly, with limits on attempts and time.
 * Returns the last failing version.
 */
export async function shrinkBy<Case>(
  smaller: (failing: Case) => Iterable<Case>,
  failing: Case,
  stillFails: (candidate: Case) => Promise<boolean>,
  bounds: ShrinkBounds,
): Promise<Case> {
  let best = failing
  let attempts = 0
  const endMs = performance.now() + bounds.timeMs
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const candidate of smaller(best)) {
      if (attempts++ >= bounds.attempts || performance.now() >= endMs) return best
      if (await stillFails(candidate)) {
        best = candidate
        isSmaller = true
        break
      }
    }
  }
  return best
}
