import type { Command } from 'commander'
import { CommandError } from '../../base/index.ts'
import { printerOf } from '../../lang/log/index.ts'
import { shellText } from './query-argument.ts'

export interface WhereArguments {
  readonly where: string
}

/** Sentence for the help of commands that accept filters: how adjacent filters are combined. */
export const filterRule =
  'Filters side by side: different fields AND, values of one field OR, comparisons and exclusions always AND. A bare word searches the text, `*:word` all fields'

/** Adds `--where`. Throws CommandError if it is given twice, because commander would ignore one. */
export function whereOption(command: Command, byDefault?: string): Command {
  const once = (query: string): string => {
    if (command.getOptionValueSource('where') !== 'cli') return query
    const both = shellText([`(${String(command.getOptionValue('where'))}) (${query})`])
    throw new CommandError(`--where is given once, with all filters in it: --where ${both}`)
  }
  return command.option('--where <query>', `only the rows that this query finds. ${filterRule}`, once, byDefault)
}

/** Appends a stage to a query, on a new line so that a comment at the end of the query does not swallow it. */
export function behind(query: string, stage: string): string {
  return `${query.trim() === '' ? '*' : query}\n| ${stage}`
}

/** Returns stages that yield the most frequent values of a field, with their row counts. */
export function topValues(field: string, limit: number): string {
  return `top ${limit} by (${printerOf('native').text(field)}) hits as hits`
}
