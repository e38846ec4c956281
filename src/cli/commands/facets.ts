import type { CommandModule } from '../command.ts'
import { countOption } from '../options/count-option.ts'
import { behind, whereOption, type WhereArguments } from '../options/where-option.ts'
import { filesHelp, queryFiles, queryOptions, type QueryArguments } from './query.ts'

type FacetsArguments = QueryArguments & WhereArguments & { readonly limit: number }

export const define: CommandModule['define'] = (command, terminal) => {
  whereOption(queryOptions(command))
    .argument('[files...]', filesHelp)
    .option('--limit <n>', 'how many values of each field', countOption('--limit', 10_000), 10)
    .action((files: string[], options: FacetsArguments) =>
      queryFiles(behind(options.where, `facets ${options.limit}`), files, options, terminal),
    )
}
