import type { Command } from 'commander'
import { CommandError } from '../../base/index.ts'
import { printerOf } from '../../lang/log/index.ts'
import { shellText } from './query-argument.ts'

export interface WhereArguments {
  readonly where: string
}

/** How filters side by side are joined, for the help of every command that takes some. */
export const filterRule =
  'Filters side by side: different fields AND, values of one field OR, comparisons and exclusions always AND. A bare word searches the text, `*:word` all fields'

/** `--where`: which rows count. Given twice it throws CommandError: one of both would be passed over. */
export function whereOption(command: Command, byDefault?: string): Command {
  const once = (query: string): string => {
    if (command.getOptionValueSource('where') !== 'cli') return query
    const both = shellText([`(${String(command.getOptionValue('where'))}) (${query})`])
    throw new CommandError(`--where is given once, with all filters in it: --where ${both}`)
  }
  return command.option('--where <query>', `only the rows that this query finds. ${filterRule}`, once, byDefault)
}

/** A query with a stage behind it; a comment at its end does not take the stage in. */
export function behind(query: string, stage: string): string {
  return `${query.trim() === '' ? '*' : query}\n| ${stage}`
}

/** A stage: the most frequent values of a field, with how many rows have each. */
export function topValues(field: string, limit: number): string {
  return `top ${limit} by (${printerOf('native').text(field)}) hits as hits`
}
