import { SluiceError } from '../../../base/index.ts'
import { isReadFailed } from '../../durable/index.ts'
import type { GrowingDictionary, Segment } from '../../memory/index.ts'
import { StoredSegment, remadeDictionary } from '../../segments/index.ts'

/** A dictionary that may be damaged, and access to the segments from which it can be rebuilt. */
export interface MendedOptions {
  readonly field: string
  readonly size: number
  /** Returns all stored segments that use codes of the dictionary. */
  readonly segments: () => readonly Segment[]
  readonly onMended: (error: SluiceError) => void
}

/**
 * Returns a dictionary; rebuilds it from the values in the segments if it is damaged. Throws SluiceError if a segment
 * is damaged too, or `durable/read-failed` if the system cannot read the file now.
 */
export function readOrRemade(
  read: () => GrowingDictionary,
  { field, size, segments, onMended }: MendedOptions,
): GrowingDictionary {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SluiceError) || isReadFailed(error)) throw error
    const stored = segments().filter((segment) => segment instanceof StoredSegment)
    const entries = stored.map((segment) => [...segment.entriesOf(field)])
    onMended(error)
    return remadeDictionary(size, entries.flat())
  }
}
