import { readQuoted, type LabelPair } from '../../data/index.ts'

const NAME = /[A-Za-z_][A-Za-z0-9_.-]*/y
const GAP = /[\s,]*/y

/** Parses `{job="a", host="b"}` into pairs; returns the reason when the text has another form. */
export function readStreamLabels(text: string): readonly LabelPair[] | string {
  const pairs: LabelPair[] = []
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return 'its labels are not in braces'
  const end = trimmed.length - 1
  const skip = (pattern: RegExp, at: number): number => {
    pattern.lastIndex = at
    return pattern.test(trimmed) ? pattern.lastIndex : at
  }
  for (let at = skip(GAP, 1); at < end; at = skip(GAP, at)) {
    const nameEnd = skip(NAME, at)
    if (nameEnd === at || trimmed[nameEnd] !== '=') return `its labels cannot be read from character ${at} on`
    const value = readQuoted(trimmed, nameEnd + 1)
    if (value === undefined) return `the value of its label ${trimmed.slice(at, nameEnd).slice(0, 40)} is not quoted`
    pairs.push([trimmed.slice(at, nameEnd), value.value])
    at = value.end
  }
  return pairs
}
