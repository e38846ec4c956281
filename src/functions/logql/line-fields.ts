import { LogEntry } from './entry.ts'
import { eachJsonLeaf } from './parsers/json.ts'
import { parseLogfmtLine } from './parsers/logfmt.ts'

/** A field that a parser reads in a line. */
export interface LineField {
  readonly label: string
  readonly value: string
  readonly parser: 'json' | 'logfmt'
  /** Names of the members that lead to it. */
  readonly path: readonly string[] | undefined
}

/**
 * The fields of a line, as `json` reads an object and `logfmt` another line. `given` are names of labels that the entry
 * has already.
 */
export function* fieldsOfLine(line: string, given: ReadonlySet<string>): Iterable<LineField> {
  const entry = new LogEntry(line, 0n)
  for (const name of given) entry.give(name, '', 'metadata')
  if (line.startsWith('{')) {
    const found: LineField[] = []
    // What was read before a fault stays.
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
