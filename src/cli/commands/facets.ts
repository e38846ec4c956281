import type { CommandModule } from '../command.ts'
import { countOption } from '../options/count-option.ts'
import { behind, whereOption, type WhereArguments } from '../options/where-option.ts'
import { queryFiles } from './query.ts'
import { filesHelp, queryOptions, type QueryArguments } from '../options/query-options.ts'

type FacetsArguments = QueryArguments & WhereArguments & { readonly limit: number }

/** A field with fewer values than this is always shown. */
const JUDGED_VALUES = 10
/**
 * A field with at least `JUDGED_VALUES` values is left out as nearly unique if each value occurs in at most this many
 * rows.
 */
const NEARLY_UNIQUE_HITS = 2

/**
 * Returns stages that yield the most frequent values of each field with repeating values. Times and ids are left out.
 */
function facetsStage(limit: number): string {
  const judged = Math.max(limit, JUDGED_VALUES)
  return [
    `facets ${judged}`,
    'total_stats by (field_name) count() as judged, max(hits) as most',
    'running_stats by (field_name) count() as place',
    `filter place:<=${limit} (judged:<${judged} or most:>${NEARLY_UNIQUE_HITS})`,
    'fields field_name, field_value, hits',
  ].join(' | ')
}

export const define: CommandModule['define'] = (command, terminal) => {
  whereOption(queryOptions(command), '*')
    .description(
      `${command.summary()}. Left out are fields whose values hardly repeat, such as times and ids: they have ${JUDGED_VALUES} or more, none of them in more than ${NEARLY_UNIQUE_HITS} rows. \`sluice query '* | facets'\` keeps them.`,
    )
    .argument('[files...]', filesHelp)
    .option('--limit <n>', 'maximum number of values of each field', countOption('--limit', 10_000), 10)
    .action((files: string[], options: FacetsArguments) =>
      queryFiles(behind(options.where, facetsStage(options.limit)), files, options, terminal),
    )
}
