import type { MessagePort } from 'node:worker_threads'
import type { ScannedTemplate, ScanOptions } from '../../../store/memory/lines/index.ts'

/**
 * Words of four bytes of a slot in the memory that both threads watch; its text is that
 * of the file from so many mebibytes and bytes on. `isDone` is 0 when more records of the text follow.
 */
export const slotWord = { state: 0, records: 1, templates: 2, mebibytes: 3, bytes: 4, isDone: 5, count: 6 } as const

/**
 * What a slot is: to be filled; records to be taken; the end of the file; an error, told by message; a line that is longer
 * than a slot, from where the main thread reads on.
 */
export const slotState = { free: 0, filled: 1, ended: 2, failed: 3, tooLong: 4 } as const

/** What the main thread asks for; one file after the other. */
export interface ScanRequest {
  readonly path: string
  readonly options: ScanOptions
  /** `SCAN_SLOTS` times `slotWord.count` words. */
  readonly control: SharedArrayBuffer
  /** Where `ScanNews` go: ahead of the slots that need them. */
  readonly news: MessagePort
}

export interface ScanNews {
  /** The memory of all slots. */
  readonly buffer?: ArrayBufferLike
  /** All templates as they are from now on. */
  readonly templates?: readonly ScannedTemplate[]
  readonly error?: string
  /** Where in the file the line begins that is too long. */
  readonly offset?: number
}
