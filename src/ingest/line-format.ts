import type { MutableRow } from '../data/index.ts'

/** One way of writing records as lines. */
export interface LineFormat {
  readonly name: string
  /** The record of a line, or why it is not one. Never throws. Blank lines are not handed in. */
  readonly decode: (line: string) => MutableRow | BadLine
  /** How sure a sample line looks like this format: 0 is no, 1 is certain. */
  readonly resembles: (line: string) => number
}

export interface BadLine {
  readonly reason: string
  /** Whether the record may go on in the next line. */
  readonly isOpen?: boolean
}

export function isBadLine(decoded: MutableRow | BadLine): decoded is BadLine {
  return !(decoded instanceof Map)
}
