import { SluiceError } from '../../base/index.ts'
import { isReadFailed } from '../durable/index.ts'
import type { GrowingDictionary, Segment } from '../memory/index.ts'
import { StoredSegment, remadeDictionary } from '../segments/index.ts'

/** What is known of a dictionary that may be damaged. */
export interface MendedOptions {
  readonly field: string
  readonly size: number
  /** All that lie in files and have its codes. */
  readonly segments: () => readonly Segment[]
  readonly onMended: (error: SluiceError) => void
}

/** A dictionary that is damaged is made again from the values in the segments. Throws SluiceError where one of them is damaged, too. */
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
