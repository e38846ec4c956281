import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mutantsOf, type Mutant } from './mutate.ts'

/** A mutant that answers as the sound source does, whatever is asked: no test can kill it, and this is why. */
export interface Equivalent {
  readonly file: string
  /** The declaration and the tokens around, as `mutantsOf` gives them: no layout voids it. */
  readonly key: string
  readonly kind: string
  readonly reason: string
}

export function readEquivalents(): readonly Equivalent[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8')) as readonly Equivalent[]
}

export function isListed({ file, key, kind }: Equivalent, mutant: Mutant): boolean {
  return file === mutant.file && kind === mutant.kind && key === mutant.key
}

/** Those that no mutant of the source has any more: their reasons may be gone too. */
export function staleOf(root: string, all: readonly Equivalent[]): readonly Equivalent[] {
  return all.filter((each) => {
    const path = join(root, each.file)
    return (
      !existsSync(path) || !mutantsOf(each.file, readFileSync(path, 'utf8')).some((mutant) => isListed(each, mutant))
    )
  })
}
