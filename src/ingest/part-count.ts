import { SluiceError, defineDiagnostics, nowhere } from '../base/index.ts'

export const partsDiagnostic = defineDiagnostics('ingest', {
  'too-many-parts': (d: { limit: number }) => ({
    message: `The body holds more than ${d.limit} attributes, points, labels and buckets.`,
    why: 'Send it in several requests.',
  }),
  'too-many-parts-in-one': (d: { limit: number }) => ({
    message: `Something in the body holds more than ${d.limit} attributes, values and buckets by itself.`,
  }),
})

/** What one body may hold of parts: each takes a few bytes there and a hundred here. */
const MAX_PARTS = 2_000_000

/** Labels of all series of one body, each counted with each series: what a bucket takes besides its number. */
const MAX_LABELS = 8_000_000

/** The same of one point, record or resource, which is read in one go. */
const MAX_PARTS_OF_ONE = 16_384

/** Fields of a body that are passed over: they cost time, and no memory. */
const MAX_PASSED = 4_000_000

/** Parts that are read between two turns. */
const PARTS_AT_ONCE = 2048

/** Counts what a body holds before it is made. Throws `ingest/too-many-parts…`. */
export class PartCount {
  readonly #maxParts: number
  #parts = 0
  #ofOne = 0
  #labels = 0
  #atTurn = 0
  #passed = 0

  constructor(maxParts = MAX_PARTS) {
    this.#maxParts = maxParts
  }

  /** From here on parts are those of another point, record or resource. */
  begin(): void {
    this.#ofOne = 0
  }

  add(count = 1): void {
    this.#parts += count
    this.#ofOne += count
    if (this.#parts > this.#maxParts) throw tooMany(this.#maxParts)
    if (this.#ofOne > MAX_PARTS_OF_ONE)
      throw new SluiceError([partsDiagnostic('too-many-parts-in-one', { limit: MAX_PARTS_OF_ONE }, nowhere)])
  }

  /** A field that is not read. */
  pass(): void {
    if (++this.#passed > MAX_PASSED) throw tooMany(MAX_PASSED)
  }

  /** True when so much was read since it was true last that others should have a turn. */
  isTurn(): boolean {
    const work = this.#parts + this.#labels
    if (work - this.#atTurn < PARTS_AT_ONCE) return false
    this.#atTurn = work
    return true
  }

  addLabels(count: number): void {
    this.#labels += count
    if (this.#labels > MAX_LABELS) throw tooMany(MAX_LABELS)
  }
}

function tooMany(limit: number): SluiceError {
  return new SluiceError([partsDiagnostic('too-many-parts', { limit }, nowhere)])
}
