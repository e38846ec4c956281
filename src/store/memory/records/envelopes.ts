import type { ExactJsonObject, MutableRow } from '../../../data/index.ts'

/** Objects that hold several records. */
export interface Envelopes {
  /** Members that are lists of records in some objects. */
  readonly lists: ReadonlySet<string>
  /** Whether every object with these members is something else than a record with them. */
  readonly wraps: (names: ReadonlySet<string>) => boolean
  /** The records of an object; `undefined` for one that is a record itself. */
  readonly records: (value: ExactJsonObject) => readonly MutableRow[] | undefined
}

export const noEnvelopes: Envelopes = { lists: new Set(), wraps: () => false, records: () => undefined }
