import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { noRenaming, type Renaming } from './logsql-rename.ts'

/** One recorded call of the reference implementation. */
export interface Vector {
  readonly id?: string
  readonly kind?: string
  readonly src?: string
}

/** How one file of vectors came out, with a text for each failure. */
export interface Outcome {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** How many were skipped for which reason. */
  readonly reasons: ReadonlyMap<string, number>
  readonly failures: readonly string[]
  /** Vectors that ran under other names. */
  readonly renamed: number
}

/** Lines of JSON, whose shape is taken on trust; none when the directory has no such file. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function readLines<V>(directory: string, file: string): readonly V[] | undefined {
  const path = join(directory, file)
  if (!existsSync(path)) return undefined
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as V)
}

/** Result of a check; `undefined` if the vector passes. */
export type Verdict = undefined | { readonly skip: string } | { readonly failure: string }

/** A file, or a part of one, that cannot be read as vectors: the text says where it departs from its form. */
export class MalformedVectors extends Error {}

/** The vectors of one file, with the file's other members. */
export interface VectorFile<V> {
  readonly vectors: readonly V[]
  readonly others: Readonly<Record<string, unknown>>
}

/** `undefined` when the directory has no such file. Throws MalformedVectors; the shape of a vector is taken on trust. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function readVectors<V>(directory: string, file: string): VectorFile<V> | undefined {
  const path = join(directory, file)
  if (!existsSync(path)) return undefined
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new MalformedVectors(`not JSON: ${messageOf(error)}`)
  }
  const others = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  const vectors: unknown = Array.isArray(value) ? value : 'vectors' in others ? others.vectors : undefined
  if (!Array.isArray(vectors)) throw new MalformedVectors('neither a list of vectors nor an object with "vectors"')
  return { vectors: vectors as readonly V[], others }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** Collects the verdicts of one file. */
export class Tally {
  readonly #file: string
  readonly #reasons = new Map<string, number>()
  readonly #failures: string[] = []
  #passed = 0
  #skipped = 0

  constructor(file: string) {
    this.#file = file
  }

  add(place: string, verdict: Verdict): void {
    if (verdict === undefined) this.#passed++
    else if ('skip' in verdict) {
      this.#skipped++
      this.#reasons.set(verdict.skip, (this.#reasons.get(verdict.skip) ?? 0) + 1)
    } else this.#failures.push(`${place} ${verdict.failure}`)
  }

  outcome(renamed = 0): Outcome {
    const [passed, skipped, failures] = [this.#passed, this.#skipped, this.#failures]
    return { file: this.#file, passed, failed: failures.length, skipped, reasons: this.#reasons, failures, renamed }
  }
}

/** The outcome of a file that cannot be read: one failure. */
export function unreadable(file: string, error: unknown): Outcome {
  const tally = new Tally(file)
  tally.add(file, { failure: error instanceof MalformedVectors ? error.message : messageOf(error) })
  return tally.outcome()
}

type Check<V> = (vector: V, renaming: Renaming) => Verdict | Promise<Verdict>

/** Runs a check over all vectors; whatever it throws fails that vector alone. */
export async function checkAll<V extends Vector>(
  file: string,
  vectors: readonly V[],
  check: Check<V>,
  renamingOf: (vector: V) => Renaming = () => noRenaming,
): Promise<Outcome> {
  let renamed = 0
  const tally = new Tally(file)
  for (const [i, vector] of vectors.entries()) {
    let verdict: Verdict
    let place = `entry ${i}`
    try {
      if (vector === null || typeof vector !== 'object') throw new MalformedVectors('is not an object')
      place = vector.id ?? place
      const renaming = renamingOf(vector)
      if (renaming.isChanged) renamed++
      verdict = await check(renaming.vector(vector), renaming)
    } catch (error) {
      verdict = error instanceof NotText ? { skip: 'a text of ours is always Unicode' } : { failure: messageOf(error) }
    }
    tally.add(place, verdict)
  }
  return tally.outcome(renamed)
}

/**
 * The outcomes of one file, none when the directory has no such file. A file that cannot be read is one failure.
 */
export async function checkFile<V>(
  directory: string,
  file: string,
  run: (content: VectorFile<V>) => Promise<Outcome | readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  try {
    const content = readVectors<V>(directory, file)
    return content === undefined ? [] : [await run(content)].flat()
  } catch (error) {
    return [unreadable(file, error)]
  }
}

/** A text as the vectors write it: `{"b64": …}` when it is not UTF-8. */
export type VectorText = string | { readonly b64: string }

class NotText extends Error {}

/**
 * A value of a row as a text, which every value of this language is: a number or boolean as JSON writes it, nothing for
 * `null`. The vector is skipped when the text is not UTF-8.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'object' && 'b64' in value) throw new NotText()
  return JSON.stringify(value)
}

/** Lists of words whose order and repetition say nothing. */
export function isSameSet(a: Iterable<string>, b: Iterable<string>): boolean {
  const [left, right] = [new Set(a), new Set(b)]
  return left.size === right.size && [...left].every((word) => right.has(word))
}
