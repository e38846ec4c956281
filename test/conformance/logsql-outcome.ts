import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { noRenaming, type Renaming } from './logsql-rename.ts'

/** One recorded call of the reference implementation. */
export interface Vector {
  readonly id: string
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
  readonly reasons?: ReadonlyMap<string, number>
  readonly failures: readonly string[]
  /** Vectors that ran under other names. */
  readonly renamed?: number
}

/** What a check says: `undefined` when the vector passes. */
export type Verdict = undefined | { readonly skip: string } | { readonly failure: string }

/** The shape of a file is taken on trust. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function readVectors<V extends Vector, F = unknown>(
  directory: string,
  file: string,
): { readonly vectors: readonly V[] } & F {
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as { readonly vectors: readonly V[] } & F
}

/** Runs a check over all vectors; what it throws is a failure. */
export async function checkAll<V extends Vector>(
  file: string,
  vectors: readonly V[],
  check: (vector: V, renaming: Renaming) => Verdict | Promise<Verdict>,
  renamingOf: (vector: V) => Renaming = () => noRenaming,
): Promise<Outcome> {
  let renamed = 0
  let passed = 0
  const reasons = new Map<string, number>()
  const failures: string[] = []
  for (const vector of vectors) {
    let verdict: Verdict
    const renaming = renamingOf(vector)
    if (renaming.isChanged) renamed++
    try {
      verdict = await check(renaming.vector(vector), renaming)
    } catch (error) {
      verdict = { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
    }
    if (verdict === undefined) passed++
    else if ('skip' in verdict) reasons.set(verdict.skip, (reasons.get(verdict.skip) ?? 0) + 1)
    else failures.push(`${vector.id} ${verdict.failure}`)
  }
  const skipped = [...reasons.values()].reduce((sum, count) => sum + count, 0)
  return { file, passed, failed: failures.length, skipped, reasons, failures, renamed }
}

/** A text as the vectors write it: `{"b64": …}` when it is no UTF-8. */
export type VectorText = string | { readonly b64: string }

/** `undefined` when the text is no UTF-8, which a text of ours always is. */
export function textOf(text: VectorText): string | undefined {
  return typeof text === 'string' ? text : undefined
}
