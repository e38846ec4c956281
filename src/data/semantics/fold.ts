import { foldRuns } from './fold-table.ts'

const NON_ASCII = /[^\0-\x7f]/
let bmp: Uint16Array | undefined
let astral: Map<number, number> | undefined

function build(): Uint16Array {
  const low = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit)
  astral = new Map()
  let start = 0
  for (const entry of foldRuns.split(' ')) {
    const [gap = 0, count = 0, stride = 0, delta = 0] = entry.split('.').map((part) => Number.parseInt(part, 36))
    start += gap
    for (let i = 0; i < count; i++) {
      const from = start + i * stride
      if (from < 0x10000) low[from] = from + delta
      else astral.set(from, from + delta)
    }
  }
  bmp = low
  return low
}

/**
 * Lower case by the one pinned table, code point by code point; the text keeps its number of UTF-16 units.
 * All comparisons without regard to case compare folded texts.
 */
export function fold(text: string): string {
  if (!NON_ASCII.test(text)) return text.toLowerCase()
  const low = bmp ?? build()
  let out = ''
  let kept = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const lower = low[unit]
    if (lower !== unit) {
      out += text.slice(kept, i) + String.fromCharCode(lower ?? unit)
      kept = i + 1
    } else if (unit >= 0xd801 && unit <= 0xdbff && i + 1 < text.length) {
      const code = text.codePointAt(i) ?? 0
      if (code < 0x10000) continue
      const folded = astral?.get(code)
      if (folded !== undefined) {
        out += text.slice(kept, i) + String.fromCodePoint(folded)
        kept = i + 2
      }
      i++
    }
  }
  return kept === 0 ? text : out + text.slice(kept)
}
