import { existsSync, readFileSync } from 'node:fs'

/** Pages of the language reference, with the subject of each. */
export const referencePages = {
  questions: 'Common questions and the query for each',
  pipes: 'Pipes of the language',
  filters: 'Filters of the language',
  functions: 'Functions of `stats`, `math` and others',
  times: 'Time ranges and durations',
} as const
export type ReferencePage = keyof typeof referencePages

/**
 * Returns the package folder: two levels above this file in the sources and the command line, one level in the library.
 */
function folder(): URL {
  const found = ['../../grammar/reference/', '../grammar/reference/']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url))
  if (found === undefined) throw new Error('The folder `grammar` of the package is missing. Install the package again.')
  return found
}

/** Reads a page of the language reference as Markdown. Throws an Error if the package is incomplete. */
export function referenceText(page: ReferencePage): string {
  return readFileSync(new URL(`${page}.md`, folder()), 'utf8')
}
