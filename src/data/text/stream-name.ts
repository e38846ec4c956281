import { compareText } from '../semantics/index.ts'
import { readQuoted } from './quoted.ts'
import { xxh64 } from './xxh64.ts'

/** Writes a stream name `{a="b",c="d"}`, with labels sorted by name and without empty ones. */
export function printStreamName(labels: Iterable<readonly [string, string]>): string {
  const present = [...new Map(labels)].filter(([, value]) => value !== '')
  present.sort(([a], [b]) => compareText(a, b))
  return `{${present.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}}`
}

/** Returns 16 hexadecimal digits, the hash of a stream's name. */
export function streamIdOf(name: string): string {
  return xxh64(name).toString(16).padStart(16, '0')
}

const NAME = /\s*([^\s="{},]+)\s*=\s*/y
const SEPARATOR = /\s*([,}])\s*/y

/** Parses the labels of a stream name; `undefined` for other strings. */
export function parseStreamName(text: string): (readonly [string, string])[] | undefined {
  if (/^\s*\{\s*\}\s*$/.test(text)) return []
  const open = /^\s*\{/.exec(text)
  if (open === null) return undefined
  const labels: (readonly [string, string])[] = []
  let at = open[0].length
  for (;;) {
    NAME.lastIndex = at
    const name = NAME.exec(text)
    const value = name === null ? undefined : readQuoted(text, NAME.lastIndex)
    if (name === null || value === undefined) return undefined
    labels.push([name[1] ?? '', value.value])
    SEPARATOR.lastIndex = value.end
    const separator = SEPARATOR.exec(text)
    if (separator === null) return undefined
    at = SEPARATOR.lastIndex
    if (separator[1] === '}') return at === text.length ? labels : undefined
  }
}
