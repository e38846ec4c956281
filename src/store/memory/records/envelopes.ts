import type { ExactJsonObject, MutableRow } from '../../../data/index.ts'

/** Describes JSON objects that contain several records. */
export interface Envelopes {
  /** Names of members that are lists of records in some objects. */
  readonly lists: ReadonlySet<string>
  /** Returns whether an object with these members is certainly an envelope, not a single record. */
  readonly wraps: (names: ReadonlySet<string>) => boolean
  /** Returns the records of an object; `undefined` for an object that is itself a record. */
  readonly records: (value: ExactJsonObject) => readonly MutableRow[] | undefined
}

export const noEnvelopes: Envelopes = { lists: new Set(), wraps: () => false, records: () => undefined }
