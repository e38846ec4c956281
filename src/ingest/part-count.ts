import { ITEMS_PER_CHECKPOINT, SluiceError, defineDiagnostics, nowhere } from '../base/index.ts'
import { MAX_BODY_PARTS, MAX_BODY_LABELS, MAX_PARTS_PER_RECORD, MAX_SKIPPED_FIELDS } from './tuning.ts'

export const partsDiagnostic = defineDiagnostics('ingest', {
  'too-many-parts': (d: { limit: number }) => ({
    message: `The body holds more than ${d.limit} attributes, points, labels and buckets.`,
    why: 'Send it in several requests.',
  }),
  'too-many-parts-in-one': (d: { limit: number }) => ({
    message: `Something in the body holds more than ${d.limit} attributes, values and buckets by itself.`,
  }),
})

/**
 * Counts the parts of a body (attributes, points, labels and buckets) before they are decoded to objects. Throws
 * `ingest/too-many-parts…`.
 */
export class PartCount {
  readonly #maxParts: number
  #parts = 0
  #ofOne = 0
  #labels = 0
  #atTurn = 0
  #passed = 0

  constructor(maxParts = MAX_BODY_PARTS) {
    this.#maxParts = maxParts
  }

  /** Begins another point, record or resource. Each of them has its own limit. */
  begin(): void {
    this.#ofOne = 0
  }

  add(count = 1): void {
    this.#parts += count
    this.#ofOne += count
    if (this.#parts > this.#maxParts) throw tooMany(this.#maxParts)
    if (this.#ofOne > MAX_PARTS_PER_RECORD)
      throw new SluiceError([partsDiagnostic('too-many-parts-in-one', { limit: MAX_PARTS_PER_RECORD }, nowhere)])
  }

  /** Returns the number of parts since the last `begin`. */
  get ofOne(): number {
    return this.#ofOne
  }

  /** Counts a skipped field. Throws if too many are skipped. */
  pass(): void {
    if (++this.#passed > MAX_SKIPPED_FIELDS) throw tooMany(MAX_SKIPPED_FIELDS)
  }

  /** Returns true if the caller should yield: enough parts have been read since the last yield. */
  isTurn(): boolean {
    const work = this.#parts + this.#labels
    if (work - this.#atTurn < ITEMS_PER_CHECKPOINT) return false
    this.#atTurn = work
    return true
  }

  addLabels(count: number): void {
    this.#labels += count
    if (this.#labels > MAX_BODY_LABELS) throw tooMany(MAX_BODY_LABELS)
  }
}

function tooMany(limit: number): SluiceError {
  return new SluiceError([partsDiagnostic('too-many-parts', { limit }, nowhere)])
}
