import { readFileSync } from 'node:fs'
import { CommandError } from '../../base/index.ts'
import { textOrInput } from '../read-text.ts'

/** A query of a file with one query on each line. */
export interface ListedQuery {
  /** The comment on the line above, or else the query itself. */
  readonly name: string
  readonly text: string
  /** Start of the query in the file, UTF-16 units. */
  readonly start: number
}

export interface QueryList {
  readonly text: string
  readonly queries: readonly ListedQuery[]
}

/** Parses a list of queries, one a line; a line that begins with `#` names the query below it. */
export function queriesIn(text: string): readonly ListedQuery[] {
  const queries: ListedQuery[] = []
  let comment = ''
  let lineStart = 0
  for (const line of text.split('\n')) {
    const query = line.trim()
    const start = lineStart + line.indexOf(query)
    lineStart += line.length + 1
    if (query !== '' && !query.startsWith('#')) queries.push({ name: comment || query, text: query, start })
    comment = query.startsWith('#') ? query.replace(/^#+/, '').trim() : ''
  }
  return queries
}

/**
 * Reads the queries of a file, or of standard input for `-`. Throws CommandError for a file that is unreadable or
 * empty.
 */
export function readQueryList(path: string): QueryList {
  let text: string
  try {
    text = path === '-' ? textOrInput(path) : readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(
      `The queries ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const queries = queriesIn(text)
  if (queries.length > 0) return { text, queries }
  const name = path === '-' ? 'Standard input' : path
  throw new CommandError(
    `${name} has no queries: write one on each line, such as level:error. Lines with # are comments.`,
  )
}
