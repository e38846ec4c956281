import { readFileSync, readdirSync } from 'node:fs'

export interface Mistake {
  /** Kind of the mistake, which is the name of its file. */
  readonly kind: string
  readonly query: string
  /** Expected results of the first suggestion; any of these equivalent queries. */
  readonly meant: readonly string[]
}

/**
 * Queries as newcomers write them, over the demo data: each at the beginning of a line, with what was meant indented
 * below it.
 */
export const mistakes: readonly Mistake[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.txt'))
  .toSorted()
  .flatMap((name) => {
    const found: { kind: string; query: string; meant: string[] }[] = []
    for (const line of readFileSync(`${import.meta.dirname}/${name}`, 'utf8').split('\n')) {
      if (line.startsWith('  ')) found.at(-1)?.meant.push(line.trim())
      else if (line !== '') found.push({ kind: name.replace('.txt', ''), query: line, meant: [] })
    }
    return found
  })
