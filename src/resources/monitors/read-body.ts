import { Composer, LineCounter, Parser, isAlias, isMap, isPair, isScalar, isSeq, type Document } from 'yaml'
import { MAX_JSON_DEPTH, MAX_YAML_ALIASES, SluiceError, nowhere, type Diagnostic } from '../../base/index.ts'
import type { PlainJson } from '../../data/index.ts'
import { decode, excerpt, isDeeperThan, monitor, parseJson, wireDiagnostic, type Monitor } from '../../wire/index.ts'
import { refusal } from '../resource-error.ts'
import type { DocumentBody } from '../document-store.ts'
import { checkSize } from '../document-size.ts'
import { keepUnknown } from './keep-unknown.ts'
import { checkMonitor } from './validate.ts'

/** Maximum size of a definition in YAML, bytes. `checkSize` limits the parsed definition, whatever its format. */
export const MAX_YAML_BYTES = 256 * 1024

/** A validated definition, as stored. */
export interface MonitorBody {
  readonly monitor: Monitor
  readonly body: DocumentBody
}

function tooDeep(): SluiceError {
  return new SluiceError([wireDiagnostic('too-deep', { limit: MAX_JSON_DEPTH }, nowhere)])
}

/** Limits nesting before a recursive parser runs. The depth may be overestimated, but never underestimated. */
function checkNesting(text: string): void {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) throw tooDeep()
    } else if ((code === 0x5d || code === 0x7d) && depth > 0) depth--
    else if (code === 0x0a) {
      let marks = 0
      while (/[-?: ]/.test(text.charAt(i + 1))) if (text.charAt(++i) !== ' ') marks++
      if (marks > MAX_JSON_DEPTH) throw tooDeep()
    }
  }
}

/** Converts a parsed value to JSON. Integers beyond 2^53 stay exact; throws for values that JSON cannot represent. */
function toJson(value: unknown): PlainJson {
  if (typeof value === 'bigint') return value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : value
  if (typeof value === 'number' && !Number.isFinite(value))
    throw refusal('bad-input', 'yaml-feature', { what: 'infinite numbers' })
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]))
  }
  return (value ?? null) as PlainJson
}

/** Characters that YAML does not allow outside escapes. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\0-\b\v\f\u000e-\u001f\u007f-\u0084\u0086-\u009f]/

function checkCharacters(text: string): void {
  const at = text.search(UNPRINTABLE)
  if (at === -1) return
  const before = text.slice(0, at).split('\n')
  const reason = 'a control character stands there'
  throw refusal('bad-input', 'not-yaml', { line: before.length, column: (before.at(-1) ?? '').length + 1, reason })
}

/**
 * Checks for duplicate members in linear time. The check of the YAML library compares all pairs, which blocks the
 * thread for large objects.
 */
function checkMembers(document: Document, lines: LineCounter): void {
  const pending: unknown[] = [document.contents]
  while (pending.length > 0) {
    const node = pending.pop()
    if (isSeq(node)) for (const item of node.items) pending.push(item)
    if (isPair(node)) pending.push(node.value)
    if (!isMap(node)) continue
    const known = new Set<string>()
    for (const { key, value } of node.items) {
      if (!isScalar(key)) throw refusal('bad-input', 'yaml-feature', { what: 'members whose names are not texts' })
      const name = String(key.value)
      if (known.has(name)) {
        const { line, col } = lines.linePos(key.range?.[0] ?? 0)
        throw refusal('bad-input', 'not-yaml', {
          line,
          column: col,
          reason: `the member ${excerpt(name)} stands there again`,
        })
      }
      known.add(name)
      pending.push(value)
    }
  }
}

function yamlFault(document: Document, lines: LineCounter): SluiceError | undefined {
  const [error] = document.errors
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0])
    const reason = excerpt(error.message.replace(/(?: at line |\n)[^]*$/, ''))
    return refusal('bad-input', 'not-yaml', { line, column: col, reason })
  }
  return document.warnings.length === 0 ? undefined : refusal('bad-input', 'yaml-feature', { what: 'tags of its own' })
}

/**
 * Parses one YAML document to JSON. Throws SluiceError `resources/not-yaml`, `resources/yaml-feature`, `wire/too-deep`
 * …
 */
export function parseYaml(text: string): PlainJson {
  if (Buffer.byteLength(text) > MAX_YAML_BYTES)
    throw refusal('bad-input', 'too-large', { limit: `${MAX_YAML_BYTES} bytes` })
  checkCharacters(text)
  checkNesting(`\n${text}`)
  const lines = new LineCounter()
  const options = {
    version: '1.2',
    schema: 'core',
    intAsBigInt: true,
    uniqueKeys: false,
    // Sets, binary data and other YAML types have no JSON form, so their tags are not resolved.
    resolveKnownTags: false,
    lineCounter: lines,
    keepSourceTokens: false,
  } as const
  const documents = [...new Composer(options).compose(new Parser(lines.addNewLine).parse(text))]
  if (documents.length > 1) throw refusal('bad-input', 'yaml-feature', { what: 'further documents' })
  const [document] = documents as readonly Document[]
  if (document === undefined) return null
  const fault = yamlFault(document, lines)
  if (fault !== undefined) throw fault
  checkMembers(document, lines)
  bareTexts(document)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_YAML_ALIASES })
  } catch {
    throw refusal('bad-input', 'yaml-feature', { what: 'so many aliases, or aliases of what is not there' })
  }
  // An alias inside its own anchor is a cycle, deeper than any limit.
  if (isDeeperThan(value, MAX_JSON_DEPTH)) throw tooDeep()
  checkSize(value)
  return toJson(value)
}

/** Labels and annotations have string values, so unquoted `true` or `1.50` in YAML is read as a string. */
const TEXT_MAPS = /^(?:labels|annotations)$/i

function bareTexts(document: Document): void {
  if (!isMap(document.contents)) return
  for (const { key, value } of document.contents.items) {
    const map = isAlias(value) ? value.resolve(document) : value
    if (!isScalar(key) || !TEXT_MAPS.test(String(key.value)) || !isMap(map)) continue
    for (const { value: member } of map.items) {
      if (isScalar(member) && isBare(member.value)) member.value = member.source ?? String(member.value)
    }
  }
}

function isBare(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint'
}

/**
 * Turns values of labels and annotations into strings, for JSON sent with a YAML content type. `bareTexts` does the
 * same for YAML.
 */
function withTexts(value: unknown): unknown {
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, member]): readonly [string, unknown] => {
    if (!TEXT_MAPS.test(name) || !isObject(member)) return [name, member]
    return [
      name,
      Object.fromEntries(Object.entries(member).map(([key, each]) => [key, isBare(each) ? String(each) : each])),
    ]
  })
  return Object.fromEntries(members)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Parses a body. Clients also send JSON with a YAML content type, so JSON is tried first if the first character allows
 * it.
 */
function readValue(bytes: Uint8Array, isJson: boolean): unknown {
  const start = bytes.findIndex((byte) => byte > 0x20)
  if (start === -1) return parseJson(bytes)
  if (isJson) {
    const value = parseJson(bytes)
    checkSize(value)
    return value
  }
  let jsonError: unknown
  if (bytes[start] === 0x7b) {
    try {
      const value = parseJson(bytes)
      checkSize(value)
      return withTexts(value)
    } catch (error) {
      jsonError = error
      if (!(error instanceof SluiceError) || error.code !== 'wire/not-json') throw error
    }
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The bytes are not UTF-8; the JSON parser throws an error with the position of the bad byte.
    return parseJson(bytes)
  }
  try {
    return parseYaml(text)
  } catch (error) {
    throw jsonError ?? error
  }
}

/**
 * Parses the body of monitor create and update: JSON, or with a YAML content type YAML or JSON. Throws SluiceError with
 * all errors, except those of compiling the monitor's queries.
 */
export function readMonitor(bytes: Uint8Array, isJson: boolean): MonitorBody {
  const raw = readValue(bytes, isJson)
  const decoded = decode(monitor, raw)
  const diagnostics: readonly Diagnostic[] = checkMonitor(decoded)
  if (diagnostics.length > 0) throw new SluiceError(diagnostics)
  return { monitor: decoded, body: keepUnknown(raw, decoded) as DocumentBody }
}
