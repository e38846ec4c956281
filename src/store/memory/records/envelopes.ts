import type { ExactJsonObject, MutableRow } from '../../../data/index.ts'

/** Describes JSON objects that contain several records. */
export interface Envelopes {
  /** Names of members that are lists of records in some objects. */
  readonly lists: ReadonlySet<string>
  /** Returns true if an object with these members is certainly an envelope rather than a record. */
  readonly wraps: (names: ReadonlySet<string>) => boolean
  /** Returns the records in an envelope; `undefined` if the object is itself a record. */
  readonly records: (value: ExactJsonObject) => readonly MutableRow[] | undefined
}

export const noEnvelopes: Envelopes = { lists: new Set(), wraps: () => false, records: () => undefined }
