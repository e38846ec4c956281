import type { CommandModule } from '../command.ts'
import { countOption } from '../options/count-option.ts'
import { behind, topValues, whereOption, type WhereArguments } from '../options/where-option.ts'
import { queryFiles } from './query.ts'
import { filesHelp, queryOptions, type QueryArguments } from '../options/query-options.ts'

type ValuesArguments = QueryArguments & WhereArguments & { readonly limit: number }

export const define: CommandModule['define'] = (command, terminal) => {
  whereOption(queryOptions(command), '*')
    .argument('<field>', 'the field whose values are counted')
    .argument('[files...]', filesHelp)
    .option('--limit <n>', 'maximum number of values, most frequent first', countOption('--limit', 1_000_000), 100)
    .action((field: string, files: string[], options: ValuesArguments) => {
      return queryFiles(behind(options.where, topValues(field, options.limit)), files, options, terminal)
    })
}
