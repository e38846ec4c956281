import { isNode, parseDocument, visit, type Document } from 'yaml'
import {
  MAX_DOCUMENT_CHARS,
  MAX_FAULTS,
  MAX_YAML_ALIASES,
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

export const yamlDiagnostic = defineDiagnostics('yaml', {
  'too-large': (d: { limit: string }) => ({ message: `The document is larger than ${d.limit}. Split it.` }),
  'not-yaml': (d: { reason: string }) => ({ message: `This is not YAML: ${d.reason}` }),
  'too-many-aliases': (d: { limit: number }) => ({
    message: `The aliases of the document repeat values more than ${d.limit} times. Write fewer aliases.`,
  }),
  'unknown-member': (d: { name: string; owner: string; known: readonly string[]; near: string | undefined }) => ({
    message: `\`${d.name}\` is not a member of ${d.owner}.${d.near === undefined ? '' : ` Did you mean \`${d.near}\`?`}`,
    why: `The members are ${d.known.map((name) => `\`${name}\``).join(', ')}.`,
  }),
  'wrong-value': (d: { name: string; expected: string }) => ({ message: `${d.name} must be ${d.expected}.` }),
  invalid: (d: { message: string }) => ({ message: d.message }),
})

/** Maximum number of reads of values. Without aliases a document needs at most about one read a character. */
const MAX_READS = 2 * MAX_DOCUMENT_CHARS

/** Returns the node that each alias names: the last one before it with this anchor. */
function aliasTargets(document: Document): ReadonlyMap<unknown, unknown> {
  const anchors = new Map<string, unknown>()
  const targets = new Map<unknown, unknown>()
  visit(document, {
    Alias: (_, alias) => void targets.set(alias, anchors.get(alias.source)),
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  return targets
}

/** A YAML document, with the faults that its reader has found so far. */
export class YamlDocument implements YamlContext {
  readonly root: YamlValue
  readonly #text: string
  readonly #faults: Diagnostic[] = []
  readonly #parsed: Document
  readonly #targets: ReadonlyMap<unknown, unknown>
  #reads = 0

  private constructor(text: string, parsed: Document) {
    this.#text = text
    this.#parsed = parsed
    this.#targets = aliasTargets(parsed)
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
      reason = error.code === 'RESOURCE_EXHAUSTION' ? 'it is nested too deeply.' : error.message
      where = span(...error.pos)
    } catch (error) {
      // The parser recurses.
      if (!(error instanceof RangeError)) throw error
      reason = 'it is nested too deeply.'
    }
    throw new SluiceError([yamlDiagnostic('not-yaml', { reason }, where)])
  }

  resolve(node: unknown): unknown {
    return this.#targets.has(node) ? this.#targets.get(node) : node
  }

  toPlain(node: unknown, where: Span): unknown {
    try {
      return isNode(node) ? node.toJS(this.#parsed, { maxAliasCount: MAX_YAML_ALIASES }) : undefined
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error
      throw new SluiceError([yamlDiagnostic('too-many-aliases', { limit: MAX_YAML_ALIASES }, where)])
    }
  }

  countRead(where: Span): void {
    if (++this.#reads > MAX_READS)
      throw new SluiceError([yamlDiagnostic('too-many-aliases', { limit: MAX_READS }, where)])
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
