import { parseDocument, type Document } from 'yaml'
import {
  MAX_DOCUMENT_CHARS,
  MAX_FAULTS,
  SluiceError,
  defineDiagnostics,
  nearestNames,
  nowhere,
  span,
  spanOf,
  withoutEchoes,
  type Diagnostic,
  type Span,
} from '../../../base/index.ts'
import { YamlValue, type YamlContext } from './yaml-value.ts'

const yamlDiagnostic = defineDiagnostics('yaml', {
  'too-large': (d: { limit: string }) => ({ message: `The document is larger than ${d.limit}. Split it.` }),
  'not-yaml': (d: { reason: string }) => ({ message: `This is not YAML: ${d.reason}` }),
  'too-many-aliases': (d: { limit: number }) => ({
    message: `The aliases of the document repeat more than ${d.limit} values. Write fewer aliases.`,
  }),
  'unknown-member': (d: { name: string; owner: string; known: readonly string[]; near: string | undefined }) => ({
    message: `\`${d.name}\` is not a member of ${d.owner}.${d.near === undefined ? '' : ` Did you mean \`${d.near}\`?`}`,
    why: `The members are ${d.known.map((name) => `\`${name}\``).join(', ')}.`,
  }),
  'wrong-value': (d: { name: string; expected: string }) => ({ message: `${d.name} must be ${d.expected}.` }),
  invalid: (d: { message: string }) => ({ message: d.message }),
})

/** Maximum number of values that are read from one document. Without aliases a value has at least one character. */
const MAX_VALUES = MAX_DOCUMENT_CHARS

/** A YAML document, with the faults that its reader has found so far. */
export class YamlDocument implements YamlContext {
  readonly root: YamlValue
  readonly parsed: Document
  readonly #text: string
  readonly #faults: Diagnostic[] = []
  #values = 0

  private constructor(text: string, parsed: Document) {
    this.#text = text
    this.parsed = parsed
    this.root = new YamlValue(this, parsed.contents, 'The document', span(0, text.length))
  }

  /** Parses one document, YAML 1.2 with merge keys. Throws SluiceError `yaml/…`. */
  static parse(text: string): YamlDocument {
    if (text.length > MAX_DOCUMENT_CHARS)
      throw new SluiceError([yamlDiagnostic('too-large', { limit: '1 MiB' }, nowhere)])
    let reason = ''
    let where: Span = span(0, 0)
    try {
      const document = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false })
      const [error] = document.errors
      if (error === undefined) return new YamlDocument(text, document)
      reason = error.message
      where = span(...error.pos)
    } catch (error) {
      // The parser recurses.
      if (!(error instanceof RangeError)) throw error
      reason = 'it is nested too deeply'
    }
    throw new SluiceError([yamlDiagnostic('not-yaml', { reason }, where)])
  }

  countValue(where: Span): void {
    if (++this.#values > MAX_VALUES)
      throw new SluiceError([yamlDiagnostic('too-many-aliases', { limit: MAX_VALUES }, where)])
  }

  fault(message: string, where: Span): void {
    this.#faults.push(yamlDiagnostic('invalid', { message }, where))
  }

  wrongValue(name: string, expected: string, where: Span): void {
    this.#faults.push(yamlDiagnostic('wrong-value', { name, expected }, where))
  }

  unknownMember(name: string, owner: string, known: readonly string[], where: Span): void {
    const [near] = nearestNames(name, known)
    this.#faults.push(yamlDiagnostic('unknown-member', { name, owner, known, near }, where))
  }

  /** Throws SluiceError with the first `MAX_FAULTS` faults in the order of the document, if there are any. */
  throwFaults(): void {
    if (this.#faults.length === 0) return
    const startOf = ({ origin }: Diagnostic): number => spanOf(origin)?.start ?? 0
    const faults = withoutEchoes(this.#faults).toSorted((a, b) => startOf(a) - startOf(b))
    throw new SluiceError(faults.slice(0, MAX_FAULTS))
  }

  spanOfText(value: Span, text: string): Span {
    const start = this.#text.indexOf(text, value.start)
    return start === -1 || start + text.length > value.end ? value : span(start, start + text.length)
  }
}
