import type { CommandModule } from '../command.ts'
import { behind, whereOption, type WhereArguments } from '../options/where-option.ts'
import { queryFiles } from './query.ts'
import { filesHelp, queryOptions, type QueryArguments } from '../options/query-options.ts'

type FieldsArguments = QueryArguments & WhereArguments

export const define: CommandModule['define'] = (command, terminal) => {
  whereOption(queryOptions(command), '*')
    .argument('[files...]', filesHelp)
    .action((files: string[], options: FieldsArguments) =>
      queryFiles(behind(options.where, 'field_names'), files, options, terminal),
    )
}
