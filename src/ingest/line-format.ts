import type { MutableRow } from '../data/index.ts'

/** A format that writes records as lines. */
export interface LineFormat {
  readonly name: string
  /**
   * Returns the record of a line, or the reason why the line is not one. Never throws. It is not called for blank
   * lines.
   */
  readonly decode: (line: string) => MutableRow | BadLine
  /** Returns the certainty that a sample line has this format, from 0 (no) to 1 (certain). */
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
