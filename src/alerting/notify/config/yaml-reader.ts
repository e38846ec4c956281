import { LineCounter, isMap, isScalar, isSeq, parseDocument, type Document, type Node } from 'yaml'
import {
  MAX_DOCUMENT_CHARS,
  MAX_FAULTS,
  SluiceError,
  nearestNames,
  nowhere,
  parseDurationNs,
  type Diagnostic,
} from '../../../base/index.ts'
import { configDiagnostic } from './diagnostics.ts'

/** Members that Alertmanager has and this reader refuses, with the advice for each. */
export type Unsupported = Readonly<Record<string, string>>

interface Place {
  readonly line: number
  readonly column: number
}

/** Collects the faults of one document. */
export class YamlFaults {
  readonly #lines: LineCounter
  readonly #faults: Diagnostic[] = []

  constructor(lines: LineCounter) {
    this.#lines = lines
  }

  placeOf(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset)
    return { line, column: col }
  }

  add(fault: Diagnostic): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault)
  }

  /** Throws SluiceError `notify-config/…` with all faults, at most `MAX_FAULTS`. */
  throwIfAny(): void {
    if (this.#faults.length > 0) throw new SluiceError(this.#faults)
  }
}

/** A value in the document. Readers record a fault and return a stand-in if the value has another type. */
export class YamlValue {
  readonly name: string
  readonly faults: YamlFaults
  readonly #node: Node | null
  readonly #key: Node | undefined

  /** `key` is the node of the name, where the value is a member. */
  constructor(node: Node | null, name: string, faults: YamlFaults, key?: Node) {
    this.#node = node
    this.name = name
    this.faults = faults
    this.#key = key
  }

  get place(): Place {
    return this.faults.placeOf(this.#node?.range?.[0] ?? this.#key?.range?.[0] ?? 0)
  }

  get namePlace(): Place {
    return this.faults.placeOf(this.#key?.range?.[0] ?? 0)
  }

  wrong(expected: string): void {
    this.faults.add(configDiagnostic('wrong-value', { ...this.place, name: this.name, expected }, nowhere))
  }

  #scalar(): unknown {
    return isScalar(this.#node) ? this.#node.value : undefined
  }

  string(): string {
    const value = this.#scalar()
    if (typeof value === 'string') return value
    if (typeof value === 'number' && isScalar(this.#node)) return this.#node.source ?? String(value)
    this.wrong('a string')
    return ''
  }

  boolean(): boolean {
    const value = this.#scalar()
    if (typeof value !== 'boolean') this.wrong('`true` or `false`')
    return value === true
  }

  /** A whole number of at least 0. */
  count(): number {
    const value = this.#scalar()
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    this.wrong('a whole number of at least 0')
    return 0
  }

  /** A duration of at least `leastMs`, in milliseconds. */
  durationMs(leastMs: number): number {
    const value = this.#scalar()
    const ns = typeof value === 'string' ? parseDurationNs(value) : value === 0 ? 0n : undefined
    const ms = ns === undefined ? -1 : Number(ns / 1_000_000n)
    if (ms >= leastMs) return ms
    this.wrong(`a duration of at least ${leastMs} ms, such as \`30s\` or \`1h30m\``)
    return leastMs
  }

  list(): readonly YamlValue[] {
    if (isSeq(this.#node)) return this.#node.items.map((item) => new YamlValue(item as Node, this.name, this.faults))
    if (this.#node !== null && !(isScalar(this.#node) && this.#node.value === null)) this.wrong('a list')
    return []
  }

  strings(): readonly string[] {
    return this.list().map((item) => item.string())
  }

  /** Members by name, for maps whose names are data. */
  entries(): readonly (readonly [string, YamlValue])[] {
    if (!isMap(this.#node)) {
      this.wrong('members with names')
      return []
    }
    return this.#node.items.map((pair) => {
      const name = isScalar(pair.key) ? String(pair.key.value) : ''
      return [name, new YamlValue(pair.value as Node | null, name, this.faults, pair.key as Node)] as const
    })
  }

  /** Members by name. Any name that is not in `known` is a fault. */
  members<K extends string>(known: readonly K[], unsupported: Unsupported = {}): YamlMembers<K> {
    const found = new Map<string, YamlValue>()
    for (const [name, value] of this.entries()) {
      if (known.some((each) => each === name)) found.set(name, value)
      else if (Object.hasOwn(unsupported, name)) {
        const instead = unsupported[name] ?? ''
        this.faults.add(configDiagnostic('unsupported', { ...value.namePlace, name, instead }, nowhere))
      } else {
        const near = nearestNames(name, known, 1)
        this.faults.add(configDiagnostic('unknown-member', { ...value.namePlace, name, near, known }, nowhere))
      }
    }
    return new YamlMembers(this, found)
  }
}

/** Members of a map, already checked against the known names. */
export class YamlMembers<K extends string> {
  readonly owner: YamlValue
  readonly #members: ReadonlyMap<string, YamlValue>

  constructor(owner: YamlValue, members: ReadonlyMap<string, YamlValue>) {
    this.owner = owner
    this.#members = members
  }

  get(name: K): YamlValue | undefined {
    return this.#members.get(name)
  }

  /** The string at a name, which must be there. `owner` names the map in the fault. */
  required(name: K, owner: string): string {
    const value = this.get(name)
    if (value !== undefined) return value.string()
    this.missing(name, owner)
    return ''
  }

  missing(name: string, owner: string): void {
    this.owner.faults.add(configDiagnostic('missing-member', { ...this.owner.place, name, owner }, nowhere))
  }
}

/** Parses YAML without aliases, tags or repeated names. Throws SluiceError `notify-config/…`. */
export function readYaml(text: string): YamlValue {
  if (text.length > MAX_DOCUMENT_CHARS)
    throw new SluiceError([configDiagnostic('too-large', { limit: '1 MiB' }, nowhere)])
  const lines = new LineCounter()
  const faults = new YamlFaults(lines)
  const broken = (offset: number, reason: string): SluiceError =>
    new SluiceError([configDiagnostic('not-yaml', { ...faults.placeOf(offset), reason }, nowhere)])
  let document: Document.Parsed
  try {
    document = parseDocument(text, { version: '1.2', schema: 'core', lineCounter: lines, prettyErrors: false })
  } catch {
    throw broken(0, 'it is nested too deeply')
  }
  const [error] = document.errors
  // The message of the parser may quote the text; its code does not.
  if (error !== undefined) throw broken(error.pos[0], error.code.toLowerCase().replaceAll('_', ' '))
  return new YamlValue(document.contents, 'the configuration', faults)
}
