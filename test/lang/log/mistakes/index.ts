import { readFileSync, readdirSync } from 'node:fs'

export interface Mistake {
  /** Kind of the mistake, which is the name of its file. */
  readonly kind: string
  readonly query: string
  /** Equivalent queries, any of which is a correct result of the first suggestion. */
  readonly meant: readonly string[]
}

/**
 * Queries as newcomers write them, over the demo data. In the files each query begins a line, and the intended queries
 * are indented below it.
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
