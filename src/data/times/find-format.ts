import { timeFormats, type TimeFormat } from './formats.ts'
import type { TimeContext } from './time-context.ts'

/** How a format begins: the first characters of its examples are of one kind. */
function beginning(code: number): 0 | 1 | 2 {
  if (code >= 48 && code <= 57) return 0
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? 1 : 2
}

/** The formats of a place, by what texts begin with. */
export function formatsAt(place: TimeFormat['places'][number]): readonly (readonly TimeFormat[])[] {
  const lists: TimeFormat[][] = [[], [], []]
  for (const format of timeFormats) {
    if (format.places.includes(place)) lists[beginning(format.examples[0]?.[0].charCodeAt(0) ?? 0)]?.push(format)
  }
  return lists
}

/** What of a text is a time. */
export interface FoundTime {
  /** Nanoseconds since the epoch; `undefined` where the text says a time that is not one, or one that is not sure. */
  readonly ns: bigint | undefined
  /** Where in the text it begins and ends. */
  readonly start: number
  readonly end: number
}

/** The time at a place of a text by the first format that matches there, with `isWhole` up to the end of the text. */
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
