import { timeFormats, type TimeFormat } from './formats.ts'
import type { TimeContext } from './time-context.ts'

/** Returns the kind of a format's first character, which all of its examples share. */
function beginning(code: number): 0 | 1 | 2 {
  if (code >= 48 && code <= 57) return 0
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? 1 : 2
}

/** Returns the formats for a place, by the kind of the first character. */
export function formatsAt(place: TimeFormat['places'][number]): readonly (readonly TimeFormat[])[] {
  const lists: TimeFormat[][] = [[], [], []]
  for (const format of timeFormats) {
    if (format.places.includes(place)) lists[beginning(format.examples[0]?.[0].charCodeAt(0) ?? 0)]?.push(format)
  }
  return lists
}

/** The part of a text that is a time. */
export interface FoundTime {
  /** Nanoseconds since 1970; `undefined` when the text is an impossible or an ambiguous time. */
  readonly ns: bigint | undefined
  /** The start and end of the time in the text. */
  readonly start: number
  readonly end: number
}

/**
 * Returns the time at a position of a text by the first format that matches; with `isWhole` up to the end of the text.
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
