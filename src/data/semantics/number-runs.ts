import { isWordAt, isWordBefore } from './words.ts'

const HEX_RUN = /[0-9a-fA-F]+/y
const DECIMAL_RUN = /[0-9]+/y
const PREFIXED = /0[xX](?=[0-9a-fA-F])/y
const UNIT = /ns|us|µs|μs|ms|s|m|h/y

function runEnd(run: RegExp, text: string, from: number): number {
  run.lastIndex = from
  return run.test(text) ? run.lastIndex : -1
}

/**
 * Where the number that starts at `from` ends: decimal digits, or an even number of at least four hexadecimal digits.
 * -1 when there is none.
 */
export function numberEnd(text: string, from: number): number {
  const decimalEnd = runEnd(DECIMAL_RUN, text, from)
  const hexEnd = runEnd(HEX_RUN, text, from)
  const isHex = hexEnd > decimalEnd && hexEnd - from >= 4 && (hexEnd - from) % 2 === 0
  return isHex ? hexEnd : decimalEnd
}

/** A number inside a text, by its bounds. */
interface NumberPlace {
  readonly start: number
  readonly end: number
}

/**
 * The numbers of one word that consists of numbers only, apart from `0x` before them and units, `T` and `Z` around
 * them (`1h5m`, `2026-01-02T03:04:05Z`); none for other words.
 */
function numbersOfWord(
  text: string,
  from: number,
): { readonly places: readonly NumberPlace[]; readonly end: number } | undefined {
  const prefixEnd = runEnd(PREFIXED, text, from)
  if (prefixEnd !== -1) {
    const end = runEnd(HEX_RUN, text, prefixEnd)
    return isWordAt(text, end) ? undefined : { places: [{ start: prefixEnd, end }], end }
  }
  const hexEnd = runEnd(HEX_RUN, text, from)
  if (hexEnd !== -1 && !isWordAt(text, hexEnd) && numberEnd(text, from) === hexEnd) {
    return { places: [{ start: from, end: hexEnd }], end: hexEnd }
  }
  const places: NumberPlace[] = []
  let at = from
  for (;;) {
    const end = runEnd(DECIMAL_RUN, text, at)
    if (end === -1) return undefined
    places.push({ start: at, end })
    if (!isWordAt(text, end)) return { places, end }
    const mark = text[end]
    at = mark === 'T' || mark === 'Z' ? end + 1 : runEnd(UNIT, text, end)
    if (at === -1) return undefined
    if (!isWordAt(text, at)) return { places, end: at }
  }
}

/** The text with every number replaced by `<N>`; digits inside other words stay. */
export function collapseNumbers(text: string): string {
  let out = ''
  let kept = 0
  for (let i = 0; i < text.length;) {
    if (!isWordAt(text, i) || isWordBefore(text, i)) {
      i++
      continue
    }
    const word = numbersOfWord(text, i)
    if (word === undefined) {
      i++
      continue
    }
    for (const { start, end } of word.places) {
      out += `${text.slice(kept, start)}<N>`
      kept = end
    }
    i = word.end
  }
  return kept === 0 ? text : out + text.slice(kept)
}

const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/<N>-<N>-<N>-<N>-<N>/g, '<UUID>'],
  [/<N>\.<N>\.<N>\.<N>/g, '<IP4>'],
  [/<N>:<N>:<N>(?:[.,]<N>)?/g, '<TIME>'],
  [/<N>-<N>-<N>|<N>\/<N>\/<N>/g, '<DATE>'],
  [/<DATE>[T ]<TIME>(?:Z|[+-]<N>:<N>)?/g, '<DATETIME>'],
]

/** As `collapseNumbers`, with well-known groups of numbers folded: `<UUID> <IP4> <TIME> <DATE> <DATETIME>`. */
export function collapseNumbersPretty(text: string): string {
  return FOLDS.reduce((folded, [group, name]) => folded.replace(group, name), collapseNumbers(text))
}
