import { formatDurationNs, parseDurationNs, SluiceError, type Diagnostic, type JsonValue } from '../base/index.ts'
import { parameterText, type Parameters, type ParameterScalar } from './parameter-values.ts'

/**
 * A kind of stand-in values for parameters without values, used to inspect the structure of a query. Each parameter
 * gets two different stand-in values of one kind. The structure does not depend on the parameter if both values give
 * the same result once parameter names are put back.
 */
export interface Candidate {
  /** Returns the two stand-in values of the `i`-th parameter; no other parameter has the same values. */
  readonly values: (i: number) => readonly [ParameterScalar, ParameterScalar]
  /** Returns further spellings in which a stand-in value may appear in printed text, with and without quotes. */
  readonly forms?: (value: ParameterScalar) => readonly string[]
  /**
   * True if the stand-in is an ordinary word, which the query itself may contain too. The parameter is then recognized
   * only where the two printed texts differ.
   */
  readonly isWord?: true
}

interface Chosen {
  readonly name: string
  readonly sides: readonly [ParameterScalar, ParameterScalar]
  readonly candidate: Candidate
}

/**
 * Maximum number of search rounds for each parameter. A round tries another kind for one parameter, which can make the
 * kind chosen for another one invalid.
 */
const ROUNDS_PER_NAME = 12

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}

function textsOf({ candidate }: Chosen, value: ParameterScalar): readonly string[] {
  return [parameterText(value) ?? '', ...(candidate.forms?.(value) ?? [])]
}

/**
 * Holds the chosen stand-in values for all parameters of one query, and replaces the values by parameter names in texts
 * and JSON.
 */
export class Placeholders {
  readonly #chosen: readonly Chosen[]

  constructor(chosen: readonly Chosen[]) {
    this.#chosen = chosen
  }

  get names(): readonly string[] {
    return this.#chosen.map(({ name }) => name)
  }

  readonly values = (side: 0 | 1 = 0): Parameters =>
    Object.fromEntries(this.#chosen.map(({ name, sides }) => [name, sides[side]]))

  /**
   * Replaces stand-in values by parameter names in the messages and notes of diagnostics. The diagnostics must come
   * from the query with the first stand-in values.
   */
  diagnostics(found: readonly Diagnostic[]): readonly Diagnostic[] {
    const named = (text: string): string => this.#named(text, 0)
    return found.map((each) => ({ ...each, message: named(each.message), notes: each.notes.map(named) }))
  }

  /**
   * True if a value is a stand-in. Always false for stand-ins that are ordinary words, because the query itself may
   * contain them.
   */
  has(value: JsonValue | undefined): boolean {
    return this.#chosen.some(
      ({ candidate, sides }) => candidate.isWord !== true && sides.some((side) => side === value),
    )
  }

  /**
   * Returns the text with parameter names in place of stand-in values. `texts` are the results for the first and the
   * second stand-in values. Returns `undefined` if they differ in more than the parameters.
   */
  text(texts: readonly [string, string]): string | undefined {
    const [first, second] = [this.#named(texts[0], 0), this.#named(texts[1], 1)]
    if (first === second) return first
    const [one, other] = [first.split(/(\w+)/), second.split(/(\w+)/)]
    if (one.length !== other.length) return undefined
    const parts = one.map((part, i) => (part === other[i] ? part : this.#word(part, other[i] ?? '')))
    return parts.includes(undefined) ? undefined : parts.join('')
  }

  /**
   * Returns the JSON value with parameters in place of stand-in values. `one` and `other` are the results for the first
   * and the second stand-in values. Returns `undefined` if they differ in anything else. `write` returns the JSON that
   * replaces a stand-in string or number.
   */
  json(one: JsonValue, other: JsonValue, write: (name: string) => JsonValue): JsonValue | undefined {
    const name = this.#whole(one, other)
    if (name !== undefined) return write(name)
    if (typeof one !== 'object' || one === null) return one === other ? one : undefined
    if (typeof other !== 'object' || other === null || Array.isArray(one) !== Array.isArray(other)) return undefined
    const entries = Object.entries(one as Readonly<Record<string, JsonValue>>)
    const others = other as Readonly<Record<string, JsonValue>>
    if (entries.length !== Object.keys(others).length) return undefined
    const made: [string, JsonValue][] = []
    for (const [key, value] of entries) {
      const matched = Object.hasOwn(others, key) ? this.json(value, others[key] ?? null, write) : undefined
      if (matched === undefined) return undefined
      made.push([key, matched])
    }
    return Array.isArray(one) ? made.map(([, value]) => value) : Object.fromEntries(made)
  }

  #named(text: string, side: 0 | 1): string {
    let named = text
    for (const chosen of this.#chosen) {
      if (chosen.candidate.isWord) continue
      for (const form of textsOf(chosen, chosen.sides[side])) {
        const written = escaped(form)
        const pattern = new RegExp(String.raw`"${written}"|(?<![\w.$])${written}(?![\w.])`, 'g')
        named = named.replaceAll(pattern, () => `$${chosen.name}`)
      }
    }
    return named
  }

  #word(one: string, other: string): string | undefined {
    const found = this.#chosen.filter(
      ({ candidate, sides }) => candidate.isWord && sides[0] === one && sides[1] === other,
    )
    return found.length === 1 ? `$${found[0]?.name}` : undefined
  }

  #whole(one: JsonValue, other: JsonValue): string | undefined {
    if (typeof one !== 'string' && typeof one !== 'number') return undefined
    if (typeof other !== typeof one) return undefined
    const is = (chosen: Chosen, side: 0 | 1, value: string): boolean =>
      textsOf(chosen, chosen.sides[side]).includes(value)
    return this.#chosen.find((chosen) => is(chosen, 0, `${one}`) && is(chosen, 1, `${other as string | number}`))?.name
  }
}

/**
 * Chooses a kind of stand-in value for each parameter. The query is read again with other kinds until every value is
 * accepted or no kind remains. `refused` returns the names of parameters whose current values are not accepted.
 */
export function findPlaceholders(
  names: readonly string[],
  candidates: readonly Candidate[],
  refused: (values: Parameters) => readonly string[],
): Placeholders {
  const kinds = new Map(names.map((name) => [name, 0]))
  const made = (): Placeholders =>
    new Placeholders(
      [...kinds].flatMap(([name, kind], i) => {
        const candidate = candidates[kind]
        return candidate === undefined ? [] : [{ name, candidate, sides: candidate.values(i) }]
      }),
    )
  let open: ReadonlySet<string> = new Set()
  for (let round = 0; round < ROUNDS_PER_NAME * names.length; round++) {
    open = new Set(
      refused(made().values()).filter((name) => (kinds.get(name) ?? candidates.length) + 1 < candidates.length),
    )
    if (open.size === 0) break
    for (const name of open) kinds.set(name, (kinds.get(name) ?? 0) + 1)
  }
  // If no kind is accepted, use the most common kind, so that diagnostics refer to it.
  for (const name of refused(made().values())) if (kinds.has(name)) kinds.set(name, 0)
  return made()
}

/**
 * Returns the kind of stand-in values for durations: a number of seconds with a unit, as in query texts, plans and JSON
 * bodies.
 */
export function durations(first: number, other: number): Candidate {
  return {
    values: (i) => [`${first + i}s`, `${other + i}s`],
    forms: (value) => {
      const ns = parseDurationNs(String(value)) ?? 0n
      return [formatDurationNs(ns), String(ns), `${ns}ns`, `${ns / 1_000_000_000n} seconds`]
    },
  }
}

/**
 * Returns all diagnostics of a query with parameters without values. Messages contain the names of these parameters.
 */
export function checkOpen(
  open: Placeholders | undefined,
  check: (parameters: Parameters | undefined) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const named = (found: readonly Diagnostic[]): readonly Diagnostic[] => open?.diagnostics(found) ?? found
  try {
    return named(check(open?.values()))
  } catch (error) {
    if (error instanceof SluiceError) return named(error.diagnostics)
    throw error
  }
}
