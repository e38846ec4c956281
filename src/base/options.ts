import type { JsonPath } from './json.ts'
import { SluiceError, defineDiagnostics } from './diagnostics/diagnostic.ts'
import { atPath, nowhere } from './diagnostics/origin.ts'
import { nearestNames } from './diagnostics/suggest.ts'

function listOf(names: readonly string[], last = 'and'): string {
  const end = names.at(-1)
  if (end === undefined || names.length === 1) return end ?? ''
  return `${names.slice(0, -1).join(', ')} ${last} ${end}`
}

const quoted = (names: readonly string[]): string[] => names.map((name) => `\`${name}\``)

export const optionDiagnostic = defineDiagnostics('options', {
  unknown: (d: { owner: string; name: string; near: string | undefined; known: readonly string[] }) => ({
    message: `\`${d.name}\` is not an option of ${d.owner}.${d.near === undefined ? '' : ` Did you mean \`${d.near}\`?`}`,
    why: d.known.length === 0 ? 'It has no options.' : `The options are ${listOf(quoted(d.known))}.`,
  }),
  'wrong-value': (d: { owner: string; name: string; found: string; expected: readonly string[] }) => ({
    message: `The option \`${d.name}\` of ${d.owner} is ${d.found}; it must be ${listOf(d.expected, 'or')}.`,
  }),
  missing: (d: { owner: string; name: string; expected: readonly string[] }) => ({
    message: `The option \`${d.name}\` of ${d.owner} is missing; it must be ${listOf(d.expected, 'or')}.`,
  }),
  'not-an-object': (d: { owner: string; name: string | undefined; found: string; known: readonly string[] }) => ({
    message: `${d.name === undefined ? `The options of ${d.owner}` : `The option \`${d.name}\` of ${d.owner}`} must be an object, not ${d.found}.`,
    why: `Its members are ${listOf(quoted(d.known))}.`,
  }),
  argument: (d: { expected: string; found: string; call: string }) => ({
    message: `\`${d.call.slice(0, d.call.indexOf('('))}\` needs ${d.expected}, not ${d.found}.`,
    why: `Call it as \`${d.call}\`.`,
  }),
})

/** The kinds of option values, with their names in messages. */
const phrases = {
  string: 'a string',
  number: 'a number',
  amount: 'a number that is not below 0',
  count: 'a whole number above 0',
  bigint: 'a bigint',
  boolean: '`true` or `false`',
  function: 'a function',
  list: 'a list',
  object: 'an object',
  any: 'any value',
} as const

type KindName = keyof typeof phrases

type OneOf<V> = V extends string
  ? 'string'
  : V extends number
    ? 'number' | 'amount' | 'count'
    : V extends bigint
      ? 'bigint'
      : V extends boolean
        ? 'boolean'
        : V extends readonly unknown[]
          ? 'list'
          : V extends (...args: never[]) => unknown
            ? 'function'
            : 'object' | Options<V & object>

/** The members of a union of string literals; the compiler requires every member. */
type Words<V extends string> = { readonly words: { readonly [W in V]: true } }

type Entry<V> =
  | 'any'
  | ([V] extends [string] ? (string extends V ? 'string' : Words<V>) : OneOf<V> | readonly OneOf<V>[])

type KeysOf<T> = T extends unknown ? keyof T : never
type MemberOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never

/** The kind of value of each member of `T`. The compiler rejects missing members, unknown members and wrong kinds. */
export type OptionKinds<T> = { readonly [K in KeysOf<T>]-?: Entry<NonNullable<MemberOf<T, K>>> }

type AnyEntry = KindName | Options<never> | { readonly words: object } | readonly (KindName | Options<never>)[]

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

function phraseOf(value: unknown): string {
  const kind = kindOf(value)
  if (kind === 'undefined') return 'nothing'
  if (kind === 'number' && !(Number(value) > 0 && Number.isInteger(value))) return `\`${String(value)}\``
  if (kind === 'string') return `the string \`${String(value).slice(0, 40)}\``
  return kind in phrases && kind !== 'boolean' ? phrases[kind as KindName] : `\`${String(value)}\``
}

function phrasesOf(entry: AnyEntry): readonly string[] {
  if (entry instanceof Options) return [phrases.object]
  if (typeof entry === 'string') return [phrases[entry]]
  return 'words' in entry ? quoted(Object.keys(entry.words)) : entry.flatMap(phrasesOf)
}

function isOf(entry: AnyEntry, value: unknown): boolean {
  if (entry instanceof Options) return kindOf(value) === 'object'
  // No option accepts NaN.
  if (Number.isNaN(value)) return false
  if (entry === 'amount') return typeof value === 'number' && value >= 0
  if (entry === 'count') return Number.isInteger(value) && Number(value) > 0
  if (typeof entry === 'string') return entry === 'any' || kindOf(value) === entry
  if ('words' in entry) return typeof value === 'string' && Object.hasOwn(entry.words, value)
  return entry.some((each) => isOf(each, value))
}

/**
 * The members that an options object of type `T` may have. They are checked at run time, since JavaScript callers have
 * no compiler, and an ignored misspelling of `scope` would show all rows.
 */
export class Options<T extends object> {
  readonly kinds: OptionKinds<T>
  readonly #entries: ReadonlyMap<string, AnyEntry>
  readonly #needed: readonly string[]

  /** `needed` lists the required members. */
  constructor(kinds: OptionKinds<T>, needed: readonly (KeysOf<T> & string)[] = []) {
    this.kinds = kinds
    this.#entries = new Map(Object.entries(kinds as Readonly<Record<string, AnyEntry>>))
    this.#needed = needed
  }

  /**
   * Derives the options from an object with a default for each member. Numbers must be at least 0; those listed in
   * `counts` must be positive integers.
   */
  static like<T extends object>(defaults: Required<T>, counts: readonly (keyof T & string)[] = []): Options<T> {
    const kindFor = (name: string, value: unknown): string =>
      counts.some((each) => each === name) ? 'count' : typeof value === 'number' ? 'amount' : kindOf(value)
    const kinds = Object.entries(defaults).map(([name, value]) => [name, kindFor(name, value)])
    return new Options<T>(Object.fromEntries(kinds) as OptionKinds<T>)
  }

  /**
   * Throws SluiceError `options/…` with every fault. `owner` names the owner of the options in messages, such as `a
   * query`.
   */
  check(given: unknown, owner: string): void {
    const wrong = [...this.wrong(given, owner, [])]
    if (wrong.length > 0) throw new SluiceError(wrong)
  }

  *wrong(given: unknown, owner: string, path: JsonPath): Generator<SluiceError['diagnostics'][number]> {
    const known = [...this.#entries.keys()]
    const nameOf = (member: string): string => [...path, member].join('.')
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      const name = path.length === 0 ? undefined : path.join('.')
      yield optionDiagnostic('not-an-object', { owner, name, found: phraseOf(given), known }, atPath(path))
      return
    }
    for (const [member, value] of Object.entries(given) as [string, unknown][]) {
      const where = atPath([...path, member])
      const name = nameOf(member)
      const entry = this.#entries.get(member)
      if (entry === undefined) {
        const near = nearestNames(member, known, 1).map(nameOf)[0]
        yield optionDiagnostic('unknown', { owner, name, near, known }, where)
      } else if (value === undefined) continue
      else if (!isOf(entry, value))
        yield optionDiagnostic(
          'wrong-value',
          { owner, name, found: phraseOf(value), expected: phrasesOf(entry) },
          where,
        )
      else
        for (const inner of [entry].flat())
          if (inner instanceof Options && kindOf(value) === 'object')
            yield* inner.wrong(value, owner, [...path, member])
    }
    for (const member of this.#needed)
      if ((given as Readonly<Record<string, unknown>>)[member] === undefined) {
        const expected = phrasesOf(this.#entries.get(member) ?? 'any')
        yield optionDiagnostic('missing', { owner, name: nameOf(member), expected }, atPath([...path, member]))
      }
  }
}

/** Throws SluiceError `options/argument` unless `isWanted`; `call` is an example of the correct call. */
export function checkArgument(isWanted: boolean, found: unknown, expected: string, call: string): void {
  if (isWanted) return
  throw new SluiceError([optionDiagnostic('argument', { expected, found: phraseOf(found), call }, nowhere)])
}

/** Returns whether a value is an object that has the member, own or inherited. */
export function hasMember(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && name in value
}
