import { isAlias, isNode, parseDocument, visit, type Document } from 'yaml'
import {
  MAX_DOCUMENT_CHARS,
  MAX_FAULTS,
  MAX_YAML_ALIASES,
  SluiceError,
  nowhere,
  span,
  spanOf,
  type Diagnostic,
  type Span,
} from '../../base/index.ts'
import { yamlDiagnostic } from './diagnostics.ts'
import { YamlValue, type YamlContext } from './value.ts'

/** Maximum number of value reads. Without aliases, a document needs at most about one for each character. */
const MAX_READS = 2 * MAX_DOCUMENT_CHARS

/** Returns the node that each alias refers to: the last node before it with this anchor. */
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

function startOf({ origin }: Diagnostic): number {
  return spanOf(origin)?.start ?? 0
}

/** A YAML document, with the errors that its reader has found so far. */
export class YamlDocument implements YamlContext {
  readonly root: YamlValue
  readonly #text: string
  /** Errors by position and form, so that reading a value twice does not report it twice. */
  readonly #faults = new Map<string, Diagnostic>()
  readonly #parsed: Document
  readonly #targets: ReadonlyMap<unknown, unknown>
  #reads = 0

  private constructor(text: string, parsed: Document) {
    this.#text = text
    this.#parsed = parsed
    this.#targets = aliasTargets(parsed)
    this.root = new YamlValue(this, parsed.contents, 'The document', span(0, text.length))
  }

  /** Parses a single YAML 1.2 document with merge keys. Throws SluiceError `yaml/…`. */
  static parse(text: string): YamlDocument {
    if (text.length > MAX_DOCUMENT_CHARS)
      throw new SluiceError([yamlDiagnostic('too-large', { limit: '1 MiB' }, nowhere)])
    let broken = { kind: 'nested too deeply', reason: 'it is nested too deeply.' }
    let where = span(0, 0)
    try {
      const document = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false })
      const [error] = document.errors
      if (error === undefined) return new YamlDocument(text, document)
      if (error.code !== 'RESOURCE_EXHAUSTION')
        broken = { kind: error.code.toLowerCase().replaceAll('_', ' '), reason: error.message }
      where = span(...error.pos)
    } catch (error) {
      // The recursive parser overflows the stack in deeply nested documents.
      if (!(error instanceof RangeError)) throw error
    }
    throw new SluiceError([yamlDiagnostic('not-yaml', broken, where)])
  }

  resolve(node: unknown, where: Span): unknown {
    if (!isAlias(node)) return node
    const target = this.#targets.get(node)
    if (target === undefined) this.add(yamlDiagnostic('unknown-anchor', {}, where))
    return target
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

  add(fault: Diagnostic): void {
    const { code, message } = fault
    const key = `${startOf(fault)} ${code === 'yaml/invalid' ? message : code}`
    if (!this.#faults.has(key)) this.#faults.set(key, fault)
  }

  /** Throws SluiceError with the first `MAX_FAULTS` errors in document order, if there are any. */
  throwFaults(): void {
    if (this.#faults.size === 0) return
    const faults = [...this.#faults.values()].toSorted((a, b) => startOf(a) - startOf(b))
    throw new SluiceError(faults.slice(0, MAX_FAULTS))
  }

  spanOfText(value: Span, text: string): Span {
    const start = this.#text.indexOf(text, value.start)
    return start === -1 || start + text.length > value.end ? value : span(start, start + text.length)
  }
}
