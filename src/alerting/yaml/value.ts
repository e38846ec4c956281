import { isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml'
import { nearestNames, span, type Diagnostic, type Span } from '../../base/index.ts'
import { printDurationMs, readDuration } from '../../lang/promql/index.ts'
import { yamlDiagnostic } from './diagnostics.ts'

/** Document that a value belongs to: resolves aliases and collects errors. */
export interface YamlContext {
  /** Returns the node that an alias refers to; other nodes unchanged. Records an error for an unknown anchor. */
  resolve(node: unknown, where: Span): unknown
  /** Converts a node to a plain value. Throws SluiceError if aliases expand it beyond the limit. */
  toPlain(node: unknown, where: Span): unknown
  /** Counts a read of a value. Throws SluiceError if aliases expand the document beyond the limit. */
  countRead(where: Span): void
  /** Records a fault. */
  add(fault: Diagnostic): void
  /**
   * Returns the span of a string inside a value. If the string is escaped or folded there, returns the span of the
   * value.
   */
  spanOfText(value: Span, text: string): Span
}

/** Returns a scalar as written; `1`, `true` and `0x10` count as strings too. */
function textOf({ value, source = '' }: Scalar): string {
  return value === null ? '' : typeof value === 'string' ? value : source
}

/** Maximum nesting of merged mappings, because an alias may refer to an enclosing mapping. */
const MAX_MERGES = 16

/**
 * A value of a YAML document, with its name and position. If a method expects another form, it records an error and
 * returns an empty value, so that one pass finds all errors. `null` and missing values count as empty in every form.
 */
export class YamlValue {
  readonly #context: YamlContext
  readonly #node: unknown
  /** Name of the value for messages. */
  readonly name: string
  readonly span: Span
  /** Span of the value's key, or of the enclosing value. */
  readonly nameSpan: Span

  constructor(context: YamlContext, node: unknown, name: string, around: Span) {
    this.#context = context
    this.name = name
    this.nameSpan = around
    const range = (node as { readonly range?: readonly number[] | null } | null)?.range
    this.span = range === undefined || range === null ? around : span(range[0] ?? 0, range[1] ?? 0)
    context.countRead(this.span)
    this.#node = context.resolve(node, this.span)
  }

  get isNull(): boolean {
    return this.#node === null || this.#node === undefined || (isScalar(this.#node) && this.#node.value === null)
  }

  /** Records an error at this value. */
  fault(message: string): void {
    this.#fault(message, this.span)
  }

  /** Records an error at the key of this value. */
  faultAtName(message: string): void {
    this.#fault(message, this.nameSpan)
  }

  /** Records an error at an offset in this string value. */
  faultInText(message: string, offset: number): void {
    const { start, end } = this.#context.spanOfText(this.span, this.text())
    const isExact = end - start === this.text().length
    this.#fault(message, isExact ? span(start + offset, end) : this.span)
  }

  /** Records that another form is expected, such as `a list`. */
  wrong(expected: string): void {
    this.#wrong(this.name, expected, this.span)
  }

  #fault(message: string, where: Span): void {
    this.#context.add(yamlDiagnostic('invalid', { message }, where))
  }

  #wrong(name: string, expected: string, where: Span): void {
    this.#context.add(yamlDiagnostic('wrong-value', { name, expected }, where))
  }

  /** Records an error if the value is empty. `owner` names the enclosing mapping: `A rule`. */
  required(owner: string): this {
    if (this.isNull) this.fault(`${owner} needs the member ${this.name}.`)
    return this
  }

  /** Calls `read` unless the value is empty. */
  given<T>(read: (value: YamlValue) => T): T | undefined {
    return this.isNull ? undefined : read(this)
  }

  /** Reads a mapping with arbitrary keys. */
  entries(): ReadonlyMap<string, YamlValue> {
    const found = new Map<string, YamlValue>()
    if (isMap(this.#node)) this.#collect(this.#node, found, 0)
    else if (!this.isNull) this.wrong('a mapping of names to values')
    return found
  }

  #collect(map: YAMLMap, found: Map<string, YamlValue>, depth: number): void {
    const merged: unknown[] = []
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? textOf(key) : undefined
      const where = new YamlValue(this.#context, key, 'a name', this.span).span
      if (name === '<<') merged.push(value)
      else if (name === undefined) this.#wrong(`a name in ${this.name}`, 'a string', where)
      else if (!found.has(name)) found.set(name, new YamlValue(this.#context, value, `\`${name}\``, where))
    }
    // A key of the mapping itself overrides a merged one.
    for (const each of merged) this.#merge(each, found, depth + 1)
  }

  #merge(source: unknown, found: Map<string, YamlValue>, depth: number): void {
    const { span: where } = new YamlValue(this.#context, source, '`<<`', this.span)
    const node = this.#context.resolve(source, where)
    if (depth > MAX_MERGES) this.#fault('The mappings behind `<<` are nested too deeply.', where)
    else if (isMap(node)) this.#collect(node, found, depth)
    else if (isSeq(node)) for (const item of node.items) this.#merge(item, found, depth + 1)
    else this.#wrong('`<<`', 'an alias of a mapping', where)
  }

  /**
   * Reads a mapping with known keys. `owner` names it in messages: `a rule`. `unsupported` has advice for valid keys
   * that Sluice rejects.
   */
  members<Name extends string>(
    owner: string,
    known: readonly Name[],
    unsupported: Readonly<Record<string, string>> = {},
  ): (name: Name) => YamlValue {
    const entries = this.entries()
    for (const [name, { nameSpan }] of entries) {
      if ((known as readonly string[]).includes(name)) continue
      const advice = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined
      const [near] = nearestNames(name, known)
      this.#context.add(
        advice === undefined
          ? yamlDiagnostic('unknown-member', { name, owner, known, near }, nameSpan)
          : yamlDiagnostic('unsupported', { name, advice }, nameSpan),
      )
    }
    return (name) => entries.get(name) ?? new YamlValue(this.#context, null, `\`${name}\``, this.span)
  }

  /** Reads a list. */
  items(): readonly YamlValue[] {
    if (isSeq(this.#node))
      return this.#node.items.map((item, i) => new YamlValue(this.#context, item, `${this.name}[${i}]`, this.span))
    if (!this.isNull) this.wrong('a list')
    return []
  }

  /** Reads a scalar as written; `1`, `true` and `0x10` count as strings too. */
  text(): string {
    if (this.isNull) return ''
    if (isScalar(this.#node)) return textOf(this.#node)
    this.wrong('a string')
    return ''
  }

  /** Reads a list of strings. */
  strings(): readonly string[] {
    return this.items().map((item) => item.text())
  }

  /** Reads a mapping of names to strings. */
  texts(): ReadonlyMap<string, string> {
    return new Map([...this.entries()].map(([name, value]) => [name, value.text()]))
  }

  /** Reads a Prometheus duration such as `1h30m`. Returns ms; 0 for an empty value. */
  durationMs(leastMs = 0): number {
    if (this.isNull) return 0
    const result = readDuration(this.text())
    const ms = 'value' in result ? Math.round(result.value * 1000) : -1
    if (ms >= leastMs) return ms
    const least = leastMs === 0 ? '' : `, at least \`${printDurationMs(leastMs)}\``
    this.wrong(`a duration such as \`5m\` or \`1h30m\`${least}`)
    return 0
  }

  /** Reads an integer; 0 for an empty value. */
  integer(least = -Infinity): number {
    const text = this.text()
    if (/^[+-]?\d{1,15}$/.test(text) && Number(text) >= least) return Number(text)
    if (!this.isNull) this.wrong(`an integer${least === -Infinity ? '' : ` of at least ${least}`}`)
    return 0
  }

  /** Reads a number, `.inf`, `+Inf` and `NaN` included; 0 for an empty value. */
  number(): number {
    const text = this.text().toLowerCase()
    const sign = text.startsWith('-') ? -1 : 1
    const body = text.replace(/^[+-]/, '').replace(/^\./, '0.')
    if (/^(0\.)?inf$/.test(body)) return sign * Infinity
    if (/^(0\.)?nan$/.test(body)) return NaN
    if (/^\d+\.?\d*(e[+-]?\d+)?$/.test(body)) return sign * Number(body)
    if (!this.isNull) this.wrong('a number')
    return 0
  }

  /** Returns the value as a plain object, list, string or number, for readers with a schema of their own. Throws SluiceError. */
  plain(): unknown {
    return this.#context.toPlain(this.#node, this.span)
  }

  /** Reads `true` or `false`. */
  boolean(ifEmpty = false): boolean {
    if (this.isNull) return ifEmpty
    const text = this.text()
    if (text !== 'true' && text !== 'false') this.wrong('`true` or `false`')
    return text === 'true'
  }
}
