import { createHash } from 'node:crypto'
import { CallFault } from './fault.ts'

/**
 * Position at which an answer was cut: row, index of the field in the row, and UTF-16 offset in the field's value or
 * name. All count from 0.
 */
export interface Position {
  readonly row: number
  readonly field: number
  readonly char: number
  readonly isName: boolean
}

export const start: Position = { row: 0, field: 0, char: 0, isName: false }

/**
 * Time range of a call, ns since 1970. Later pages reuse the range of the first page, so that `now` means the same
 * time.
 */
export interface Range {
  readonly startNs: bigint
  readonly endNs: bigint
}

/** Length of a digest, bytes: enough to detect that a handle is sent with arguments of another call. */
const DIGEST_BYTES = 6

const HANDLE = /^(\d{1,15})\.(\d{1,7})\.(\d{1,15})\.([vn])\.(-?\d{1,19})\.(-?\d{1,19})\.([\w-]{8})$/

function digestOf(tool: string, args: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([tool, sorted.filter(([, value]) => value !== undefined)])
  return createHash('sha256').update(text).digest().subarray(0, DIGEST_BYTES).toString('base64url')
}

/**
 * Encodes and parses the handles of one call. A handle contains a position and a time range. The caller could request
 * the same directly, so handles are neither stored nor signed.
 */
export class Handles {
  readonly #digest: string

  /** `args` are the arguments that select rows. */
  constructor(tool: string, args: Readonly<Record<string, unknown>>) {
    this.#digest = digestOf(tool, args)
  }

  print({ row, field, char, isName }: Position, { startNs, endNs }: Range): string {
    return `${row}.${field}.${char}.${isName ? 'n' : 'v'}.${startNs}.${endNs}.${this.#digest}`
  }

  /** Parses a handle. Throws CallFault if it belongs to other arguments. */
  parse(handle: string): { readonly position: Position; readonly range: Range } {
    const [, row, field, char, part, startNs = '', endNs = '', digest] = HANDLE.exec(handle) ?? []
    if (digest === undefined)
      throw new CallFault('`handle` is not one of an answer. Pass it as it was, or leave it out to begin again.')
    if (digest !== this.#digest)
      throw new CallFault(
        '`handle` belongs to other arguments. Repeat the arguments of the answer that it came from; only `bytes` may differ.',
      )
    const position = { row: Number(row), field: Number(field), char: Number(char), isName: part === 'n' }
    return { position, range: { startNs: BigInt(startNs), endNs: BigInt(endNs) } }
  }
}
