import { timeFormats, type TimeFormat } from './formats.ts'
import type { TimeContext } from './time-context.ts'

/** Returns the kind of a first character: digit, letter or other. All examples of a format have the same kind. */
function beginning(code: number): 0 | 1 | 2 {
  if (code >= 48 && code <= 57) return 0
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? 1 : 2
}

/** Returns the formats that may occur in a context, grouped by the kind of their first character. */
export function formatsAt(context: TimeFormat['contexts'][number]): readonly (readonly TimeFormat[])[] {
  const lists: TimeFormat[][] = [[], [], []]
  for (const format of timeFormats) {
    if (format.contexts.includes(context)) lists[beginning(format.examples[0]?.[0].charCodeAt(0) ?? 0)]?.push(format)
  }
  return lists
}

/** The time found in a string, and its position. */
export interface FoundTime {
  /** Nanoseconds since 1970; `undefined` if the time is impossible or ambiguous. */
  readonly ns: bigint | undefined
  /** The start and end of the time in the text. */
  readonly start: number
  readonly end: number
}

/**
 * Returns the time at a position of a string by the first format that matches. With `isWhole`, the time must extend to
 * the end of the string.
 */
export function timeAt(
  formats: readonly (readonly TimeFormat[])[],
  text: string,
  from: number,
  context: TimeContext,
  isWhole = false,
): FoundTime | undefined {
  for (const { pattern, read } of formats[beginning(text.charCodeAt(from))] ?? []) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (match === null || (isWhole && pattern.lastIndex < text.length)) continue
    return { ns: read(match.groups ?? {}, context), start: from, end: pattern.lastIndex }
  }
  return undefined
}
