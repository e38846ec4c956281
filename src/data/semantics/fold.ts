import { foldRuns, upperRuns } from './fold-table.ts'

const NON_ASCII = /[^\0-\x7f]/

interface CaseTable {
  /** The mapped unit of each UTF-16 unit of the Basic Multilingual Plane. */
  readonly low: Uint16Array
  readonly astral: ReadonlyMap<number, number>
}

function build(runs: string): CaseTable {
  const low = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit)
  const astral = new Map<number, number>()
  let start = 0
  for (const entry of runs.split(' ')) {
    const [gap = 0, count = 0, stride = 0, delta = 0] = entry.split('.').map((part) => Number.parseInt(part, 36))
    start += gap
    for (let i = 0; i < count; i++) {
      const from = start + i * stride
      if (from < 0x10000) low[from] = from + delta
      else astral.set(from, from + delta)
    }
  }
  return { low, astral }
}

function mapped(text: string, { low, astral }: CaseTable): string {
  let out = ''
  let kept = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const other = low[unit]
    if (other !== unit) {
      out += text.slice(kept, i) + String.fromCharCode(other ?? unit)
      kept = i + 1
    } else if (unit >= 0xd801 && unit <= 0xdbff && i + 1 < text.length) {
      const code = text.codePointAt(i) ?? 0
      if (code < 0x10000) continue
      const found = astral.get(code)
      if (found !== undefined) {
        out += text.slice(kept, i) + String.fromCodePoint(found)
        kept = i + 2
      }
      i++
    }
  }
  return kept === 0 ? text : out + text.slice(kept)
}

let lower: CaseTable | undefined
let upper: CaseTable | undefined

/**
 * Converts to lower case code point by code point, by Sluice's own table. The number of UTF-16 units does not change.
 * All comparisons that ignore case use this function.
 */
export function fold(text: string): string {
  return NON_ASCII.test(text) ? mapped(text, (lower ??= build(foldRuns))) : text.toLowerCase()
}

/**
 * Converts to upper case code point by code point, by Sluice's own table. The number of UTF-16 units does not change:
 * `ß` remains `ß`.
 */
export function upperCase(text: string): string {
  return NON_ASCII.test(text) ? mapped(text, (upper ??= build(upperRuns))) : text.toUpperCase()
}
