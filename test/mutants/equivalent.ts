import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutate.ts'

/** A mutant that answers as the sound source does, whatever is asked: no test can kill it, and this is why. */
export interface Equivalent {
  readonly file: string
  /** The sound line, without the space around it. */
  readonly line: string
  readonly kind: string
  readonly reason: string
}

export function readEquivalents(): readonly Equivalent[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8')) as readonly Equivalent[]
}

export function isListed({ file, line, kind }: Equivalent, mutant: Mutant): boolean {
  return file === mutant.file && kind === mutant.kind && line === mutant.before.trim()
}

/** Those whose line is not in the source any more: their reasons may be gone too. */
export function staleOf(root: string, all: readonly Equivalent[]): readonly Equivalent[] {
  return all.filter(({ file, line }) => {
    try {
      return !readFileSync(join(root, file), 'utf8')
        .split('\n')
        .some((each) => each.trim() === line)
    } catch {
      return true
    }
  })
}
