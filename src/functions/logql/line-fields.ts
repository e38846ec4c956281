import { LogEntry } from './entry.ts'
import { eachJsonLeaf } from './parsers/json.ts'
import { parseLogfmtLine } from './parsers/logfmt.ts'

/** A field that a parser finds in a line. */
export interface LineField {
  readonly label: string
  readonly value: string
  readonly parser: 'json' | 'logfmt'
  /** Names of the enclosing members, outermost first. */
  readonly path: readonly string[] | undefined
}

/**
 * Yields the fields of a line. A JSON object is parsed like `json`, any other line like `logfmt`. `given` are the names
 * of the labels that the entry already has.
 */
export function* fieldsOfLine(line: string, given: ReadonlySet<string>): Iterable<LineField> {
  const entry = new LogEntry(line, 0n)
  for (const name of given) entry.give(name, '', 'metadata')
  if (line.startsWith('{')) {
    const found: LineField[] = []
    // Fields found before an error are kept.
    eachJsonLeaf(entry, (label, value, path) => {
      found.push({ label, value, parser: 'json', path })
      return true
    })
    yield* found
    return
  }
  parseLogfmtLine(entry, { isStrict: false, keepsEmpty: false }, undefined)
  for (const [label, value, category] of entry.labels())
    if (category === 'parsed') yield { label, value, parser: 'logfmt', path: undefined }
}
