import { printerOf } from '../../lang/log/index.ts'
import type { CommandModule } from '../command.ts'
import { countOption } from '../count-option.ts'
import { behind, whereOption, type WhereArguments } from '../where-option.ts'
import { fileQueryOptions, filesHelp, queryFiles, type QueryArguments } from './query.ts'

type ValuesArguments = QueryArguments & WhereArguments & { readonly limit: number }

export const define: CommandModule['define'] = (command, terminal) => {
  whereOption(fileQueryOptions(command))
    .argument('<field>', 'the field whose values are counted')
    .argument('[files...]', filesHelp)
    .option('--limit <n>', 'how many values, the most frequent first', countOption('--limit', 1_000_000), 100)
    .action((field: string, files: string[], options: ValuesArguments) => {
      const name = printerOf('native').text(field)
      const stage = `top ${options.limit} by (${name}) hits as hits`
      return queryFiles(behind(options.where, stage), files, options, terminal)
    })
}
