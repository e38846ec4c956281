import type { MutableRow } from '../data/index.ts'

/** A format that writes records as lines. */
export interface LineFormat {
  readonly name: string
  /**
   * Returns the record of a line, or the reason why the line is not a record. Never throws. Blank lines are not passed.
   */
  readonly decode: (line: string) => MutableRow | BadLine
  /** Returns a score from 0 (the sample line does not have this format) to 1 (it certainly has). */
  readonly resembles: (line: string) => number
}

export interface BadLine {
  readonly reason: string
  /** True if a record may continue in the next line. */
  readonly isOpen?: boolean
}

export function isBadLine(decoded: MutableRow | BadLine): decoded is BadLine {
  return !(decoded instanceof Map)
}
