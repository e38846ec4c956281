import { labelName, type LogEntry } from '../entry.ts'
import type { NeededNames } from '../needed-names.ts'
import type { LabelPath } from '../stage.ts'
import { unescaped } from './json-scanner.ts'

/** Name of the error of a line that strict parsing rejects. */
export const LOGFMT_ERROR = 'LogfmtParserErr'

interface Pair {
  readonly key: string
  /** Value of the pair; `undefined` for a key without `=`. */
  readonly value: string | undefined
}

interface Fault {
  /** Offset of the fault in UTF-8 bytes, as in Loki's messages. */
  readonly position: number
  readonly reason: string
}

const isGap = (line: string, at: number): boolean => line.charCodeAt(at) <= 32

/**
 * Returns the first index from `at` on that has white space or a character of `stops`; the line's length if there is
 * none.
 */
function stopAt(line: string, at: number, stops: string): number {
  let i = at
  while (i < line.length && !isGap(line, i) && !stops.includes(line.charAt(i))) i++
  return i
}

const unexpected = (line: string, at: number): Fault => ({
  position: at + 1,
  reason: `unexpected '${line.charAt(at)}'`,
})

/** Parses the pair at `at`, where no white space may stand. Returns the pair or a fault, and the index after it. */
function pairAt(line: string, at: number): readonly [read: Pair | Fault, end: number] {
  const keyEnd = stopAt(line, at, '="')
  const key = line.slice(at, keyEnd)
  if (line[keyEnd] === '"' || (line[keyEnd] === '=' && key === '')) return [unexpected(line, keyEnd), keyEnd]
  if (line[keyEnd] !== '=') return [{ key, value: undefined }, keyEnd]
  const start = keyEnd + 1
  if (line[start] !== '"') {
    const end = stopAt(line, start, '="')
    if (line[end] === '=' || line[end] === '"') return [unexpected(line, end), end]
    return [{ key, value: line.slice(start, end) }, end]
  }
  for (let i = start + 1; i < line.length; i++) {
    if (line[i] === '\\') i++
    else if (line[i] === '"') return [{ key, value: unescaped(line.slice(start + 1, i)) }, i + 1]
  }
  return [{ position: line.length + 1, reason: 'unterminated quoted value' }, line.length]
}

/**
 * Calls `visit` for each pair until `visit` returns false. If `isStrict`, stops at the first fault and returns the
 * fault; otherwise skips invalid pairs.
 */
function eachPair(line: string, isStrict: boolean, visit: (pair: Pair) => boolean): Fault | undefined {
  let at = 0
  for (;;) {
    while (at < line.length && isGap(line, at)) at++
    if (at >= line.length) return undefined
    const [read, end] = pairAt(line, at)
    at = end
    if ('key' in read) {
      if (!visit(read)) return undefined
      continue
    }
    if (isStrict) return read
    while (at < line.length && !isGap(line, at)) at++
  }
}

function failed(entry: LogEntry, fault: Fault | undefined): void {
  if (fault === undefined) return
  entry.fail(LOGFMT_ERROR, `logfmt syntax error at pos ${fault.position} : ${fault.reason}`)
}

export interface LogfmtOptions {
  readonly isStrict: boolean
  readonly keepsEmpty: boolean
}

/** Adds the pairs of the line as labels. For a key that occurs several times, the first value is used. */
export function parseLogfmtLine(
  entry: LogEntry,
  { isStrict, keepsEmpty }: LogfmtOptions,
  needed: NeededNames | undefined,
): void {
  const wanted = needed?.begin()
  const fault = eachPair(entry.line, isStrict, ({ key, value = '' }) => {
    if (value === '' && !keepsEmpty) return true
    const name = entry.parsedName(labelName(key))
    if (entry.categoryOf(name) !== undefined || wanted?.take(name) === false) return true
    entry.set(name, value, 'parsed')
    return wanted?.isDone !== true
  })
  failed(entry, fault)
}

/**
 * Compiles a stage such as `logfmt a="key"`. A missing key gives the empty string. For a key that occurs several times,
 * the last value is used. As in Loki, a key that equals the label's name is read too.
 */
export function compileLogfmtKeys(
  extractions: readonly LabelPath[],
  { isStrict, keepsEmpty }: LogfmtOptions,
): (entry: LogEntry) => void {
  return (entry) => {
    const found = new Map<string, string>()
    const fault = eachPair(entry.line, isStrict, ({ key, value = '' }) => {
      if (value === '' && !keepsEmpty) return true
      for (const { label, path } of extractions) if (key === path || labelName(key) === label) found.set(label, value)
      return true
    })
    for (const { label } of extractions) {
      const text = found.get(label) ?? ''
      const name = entry.parsedName(label)
      if (text === '' && name !== label) continue
      entry.set(name, text, 'parsed')
    }
    failed(entry, fault)
  }
}
