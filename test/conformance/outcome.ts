import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { noRenaming, type Renaming } from './logsql-rename.ts'

/** One recorded call of the reference implementation. */
export interface Vector {
  readonly id?: string
  readonly kind?: string
  readonly src?: string
}

/** Results of one file of vectors, with a message for each failure. */
export interface Outcome {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Number of skipped vectors by reason. */
  readonly reasons: ReadonlyMap<string, number>
  readonly failures: readonly string[]
  /** Number of vectors that ran under other names. */
  readonly renamed: number
}

/** Parses a file of JSON lines without checking their shape. Returns `undefined` if the directory has no such file. */
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

/** A file of vectors, or a part of one, has the wrong form; the message says where. */
export class MalformedVectors extends Error {}

/** Vectors of one file, with the other members of the file. */
export interface VectorFile<V> {
  readonly vectors: readonly V[]
  readonly others: Readonly<Record<string, unknown>>
}

/**
 * Reads a file of vectors without checking the shape of each. Returns `undefined` if the directory has no such file.
 * Throws MalformedVectors.
 */
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

/** Counts the verdicts of one file. */
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

/** Returns the outcome of a file that cannot be read: one failure. */
export function unreadable(file: string, error: unknown): Outcome {
  const tally = new Tally(file)
  tally.add(file, { failure: error instanceof MalformedVectors ? error.message : messageOf(error) })
  return tally.outcome()
}

type Check<V> = (vector: V, renaming: Renaming) => Verdict | Promise<Verdict>

/** Runs a check over all vectors. An exception fails only the vector whose check throws it. */
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
 * Runs the vectors of one file. Returns no outcome if the directory has no such file, and one failure if the file
 * cannot be read.
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

/** A string in the notation of the vectors: `{"b64": …}` if it is not UTF-8. */
export type VectorText = string | { readonly b64: string }

class NotText extends Error {}

/**
 * Converts a value of a vector's row to a string, because all values of the `logsql` dialect are strings. Numbers and
 * booleans become their JSON form, `null` the empty string. Throws NotText if the string is not UTF-8; the vector is
 * then skipped.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'object' && 'b64' in value) throw new NotText()
  return JSON.stringify(value)
}

/** True if two lists have the same words, ignoring order and repetition. */
export function isSameSet(a: Iterable<string>, b: Iterable<string>): boolean {
  const [left, right] = [new Set(a), new Set(b)]
  return left.size === right.size && [...left].every((word) => right.has(word))
}
