import { Option, type Command } from 'commander'
import { excluding, needing } from './conditions.ts'
import { countOption } from './count-option.ts'

/** Adds the options of commands that read tables of other databases. */
export function catalogOptions(command: Command): Command {
  return command
    .option('--catalog <file>', 'query the tables of other databases that this catalog maps, instead of files')
    .addOption(excluding(pushdownOption(), '--data', '--server'))
    .option('--data <folder>', dataHelp)
    .addOption(backendIdOption())
}

export function pushdownOption(): Option {
  return new Option(
    '--require-pushdown <n>',
    'refuse a query that would fetch more than n rows from a database for a step that it cannot run',
  ).argParser(countOption('--require-pushdown', Number.MAX_SAFE_INTEGER))
}

export const dataHelp = 'query the data folder of `serve --data`, also while it runs, instead of files'

export function backendIdOption(): Option {
  const option = new Option('--backend-id <id>', 'backend to query, if there are several')
  return needing(option, '--data', '--server')
}
