import { MAX_JSON_DEPTH, work } from '../../../base/index.ts'
import { labelName, type LogEntry } from '../entry.ts'
import type { NeededNames } from '../needed-names.ts'
import type { LabelPath } from '../stage.ts'
import { eachMember, nextToken, unescaped, valueAt, type JsonFault, type JsonValueSpan } from './json-scanner.ts'

/** Name of the error of a line that is not a JSON object. */
export const JSON_ERROR = 'JSONParserErr'

/** Sets the error of an entry to the reason why parsing stopped. Labels found before are kept. */
function failed(entry: LogEntry, fault: JsonFault | undefined): void {
  if (fault !== undefined) entry.fail(JSON_ERROR, fault)
}

/**
 * Calls `visit` with the label name and the value of each scalar in the line's object, until `visit` returns false. For
 * a name that occurs several times, only the first value is used. Returns the reason if the rest was not parsed because
 * of a fault.
 */
export function eachJsonLeaf(
  entry: LogEntry,
  visit: (label: string, value: string, path: readonly string[]) => boolean,
): JsonFault | undefined {
  const seen = new Set<string>()
  let isOver = false
  const read = (text: string, prefix: string, path: readonly string[]): JsonFault | undefined => {
    // A nested object is scanned once per enclosing level, to find its end.
    work(text.length)
    return eachMember(text, 0, (key, { kind, text: value }) => {
      const member = prefix === '' ? labelName(key) : prefix + key.replaceAll(/[^A-Za-z0-9_]/gu, '_')
      if (kind === 'object') {
        const fault = path.length < MAX_JSON_DEPTH ? read(value, `${member}_`, [...path, key]) : undefined
        return fault ?? !isOver
      }
      if (kind === 'array' || kind === 'null' || key === '') return true
      const name = entry.parsedName(member)
      if (seen.has(name)) return true
      seen.add(name)
      isOver = !visit(name, kind === 'string' ? unescaped(value) : value, [...path, key])
      return !isOver
    })
  }
  return read(entry.line, '', [])
}

/** Adds the members of the line's object as labels. Names of nested members are joined with `_`. */
export function parseJsonLine(entry: LogEntry, needed: NeededNames | undefined): void {
  const wanted = needed?.begin()
  const fault = eachJsonLeaf(entry, (name, value) => {
    if (entry.categoryOf(name) !== undefined || wanted?.take(name) === false) return true
    entry.set(name, value, 'parsed')
    return wanted?.isDone !== true
  })
  failed(entry, fault)
}

type PathStep = string | number

const STEP = /\.?([A-Za-z_]\w*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y

/** Parses a path such as `a.b[0]["c d"]`; `undefined` for other strings. */
export function readJsonPath(path: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = []
  STEP.lastIndex = 0
  while (STEP.lastIndex < path.length) {
    const at = STEP.lastIndex
    const found = STEP.exec(path)
    if (found === null) return undefined
    const [text, name, index, quoted] = found
    if (name !== undefined && at > 0 && !text.startsWith('.')) return undefined
    steps.push(index === undefined ? (name ?? unescaped(quoted ?? '')) : Number(index))
  }
  return steps.length === 0 ? undefined : steps
}

/**
 * Returns the value at one step into an object or array. `undefined` if it does not exist, or if the JSON before it is
 * invalid.
 */
function stepInto(text: string, step: PathStep): JsonValueSpan | undefined {
  work(text.length)
  const start = nextToken(text, 0)
  if (typeof step === 'string') {
    let found: JsonValueSpan | undefined
    eachMember(text, start, (key, value) => {
      if (key === step) found = value
      return key !== step
    })
    return found
  }
  if (text[start] !== '[') return undefined
  let at = start + 1
  for (let index = 0; text[nextToken(text, at)] !== ']'; index++) {
    const value = valueAt(text, at)
    if (typeof value === 'string') return undefined
    if (index === step) return value
    at = nextToken(text, value.end)
    if (text[at] !== ',') return undefined
    at++
  }
  return undefined
}

/** A value found by a path, with its position in the line. */
interface Found {
  readonly text: string
  readonly at: number
}

function valueOf(line: string, path: readonly PathStep[]): Found | undefined {
  let value: JsonValueSpan | undefined = { kind: 'object', text: line, start: 0, end: line.length }
  let at = 0
  for (const step of path) {
    if (value.kind !== 'object' && value.kind !== 'array') return undefined
    value = stepInto(value.text, step)
    if (value === undefined) return undefined
    at += value.start
  }
  if (value.kind === 'null') return { text: '', at }
  return { text: value.kind === 'string' ? unescaped(value.text) : value.text, at }
}

/**
 * Compiles a stage such as `json a="b.c"`. A path that is not found gives the empty string, unless the entry already
 * has the label. If a label has several paths, the value that is last in the line is used.
 */
export function compileJsonPaths(extractions: readonly LabelPath[]): (entry: LogEntry) => void {
  const paths = extractions.map(({ label, path }) => ({ label, steps: readJsonPath(path) ?? [path] }))
  return (entry) => {
    const { line } = entry
    if (line === '') return
    // Loki checks only the first character.
    if (!'{["'.includes(line.charAt(0))) {
      entry.fail(JSON_ERROR, undefined)
      return
    }
    const missing = { text: '', at: -1 }
    const found = paths.map(({ label, steps }) => ({ label, ...(valueOf(line, steps) ?? missing) }))
    for (const { label, text } of found.sort((a, b) => a.at - b.at)) {
      const name = entry.parsedName(label)
      if (text === '' && name !== label) continue
      entry.set(name, text, 'parsed')
    }
  }
}

const PACKED_LINE = '_entry'

/** Reverses the packing of a line: string members of the object become labels, and `_entry` becomes the line. */
export function unpackLine(entry: LogEntry): void {
  const { line } = entry
  if (line === '') return
  if (!line.startsWith('{')) {
    entry.fail(JSON_ERROR, 'expecting json object(6), but it is not')
    return
  }
  const found: (readonly [string, string])[] = []
  let packed: string | undefined
  const fault = eachMember(line, 0, (key, { kind, text }) => {
    if (kind !== 'string') return true
    if (key === PACKED_LINE) packed = unescaped(text)
    else found.push([key, unescaped(text)])
    return true
  })
  failed(entry, fault)
  if (fault !== undefined || packed === undefined) return
  for (const [key, value] of found) entry.set(entry.parsedName(labelName(key)), value, 'parsed')
  entry.line = packed
}
