import { ITEMS_PER_CHECKPOINT, type StepwiseTask } from '../../base/index.ts'
import {
  createBitmap,
  rowsOfBitmap,
  setBit,
  setRange,
  valueAt,
  type Bitmap,
  type Codes,
  type Column,
} from '../../data/index.ts'
import type { MemoryTable, Segment } from '../memory/index.ts'

/**
 * Returns the codes of a column, for a sparse column only those of rows with a value; `undefined` if it has no codes.
 */
function codesOf(column: Column): Codes | undefined {
  if (column.kind === 'sparse') return codesOf(column.present)
  return column.kind === 'dictionary' ? column.codes : undefined
}

/** Finds dictionary values that occurred in removed rows and are in no remaining row. */
export class UnusedValues {
  readonly #table: MemoryTable
  /** For each field, the codes that may be in no row. */
  readonly #codes = new Map<string, Bitmap>()
  readonly #seen = new Set<Segment>()

  constructor(table: MemoryTable) {
    this.#table = table
  }

  /** Adds all values of the dictionaries as candidates, including values of rows that were not removed. */
  addAll(): void {
    for (const field of this.#table.fields.names()) {
      const { size } = this.#table.fields.dictionary(field)
      const codes = createBitmap(size)
      setRange(codes, 1, size)
      if (size > 1) this.#codes.set(field, codes)
    }
  }

  /** Adds the values of rows that are about to be removed as candidates. */
  *add(segment: Segment, gone: Bitmap): StepwiseTask<void> {
    const rows = rowsOfBitmap(gone)
    for (const [field, { column }] of segment.columns) {
      const dictionary = this.#table.fields.dictionary(field)
      if (dictionary.size === 1) continue
      const bits = this.#codes.get(field) ?? createBitmap(dictionary.size)
      for (const [i, row] of rows.entries()) {
        const code = dictionary.entries.codeOf(valueAt(column, row))
        // A code beyond the bitmap was added during this deletion, so it is in use.
        if (code >>> 5 < bits.length) setBit(bits, code)
        if (i % ITEMS_PER_CHECKPOINT === ITEMS_PER_CHECKPOINT - 1) yield
      }
      this.#codes.set(field, bits)
      yield
    }
  }

  /** Removes the values that occur in these segments from the candidates. */
  *#keepUsed(segments: readonly Segment[]): StepwiseTask<void> {
    for (const segment of segments) {
      if (this.#seen.has(segment)) continue
      this.#seen.add(segment)
      for (const [field, bits] of this.#codes) {
        const stored = segment.columns.get(field)
        if (stored === undefined) continue
        const codes = codesOf(stored.column)
        if (codes === undefined) continue
        for (const code of codes) bits[code >>> 5] = (bits[code >>> 5] ?? 0) & ~(1 << (code & 31))
        if (bits.every((word) => word === 0)) this.#codes.delete(field)
        yield
      }
    }
  }

  /** Removes the values without rows from the dictionaries; returns false if there are none. */
  *forget(): StepwiseTask<boolean> {
    yield* this.#keepUsed(this.#table.segments.all)
    // No yield from here on, so that no row can arrive in between.
    for (const _ of this.#keepUsed(this.#table.view.snapshot()));
    let isAny = false
    for (const [field, bits] of this.#codes) {
      const codes = rowsOfBitmap(bits).filter((code) => code !== 0)
      if (codes.length === 0) continue
      this.#table.fields.dictionary(field).entries.forget(codes)
      isAny = true
    }
    return isAny
  }
}
