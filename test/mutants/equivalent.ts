import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allMutants, type Mutant } from './mutate.ts'

/** A mutant that answers as the sound source does, whatever is asked: no test can kill it, and this is why. */
export interface Equivalent {
  /** The declaration and the tokens around, as `mutantsOf` gives them: no layout voids it, nor another file around it. */
  readonly key: string
  readonly kind: string
  readonly reason: string
}

export function readEquivalents(): readonly Equivalent[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8')) as readonly Equivalent[]
}

export function isListed({ key, kind }: Equivalent, mutant: Mutant): boolean {
  return kind === mutant.kind && key === mutant.key
}

/** Those that no mutant of the source has any more: their reasons may be gone too. */
export function staleOf(root: string, listed: readonly Equivalent[]): readonly Equivalent[] {
  const mutants = allMutants(root)
  return listed.filter((each) => !mutants.some((mutant) => isListed(each, mutant)))
}
