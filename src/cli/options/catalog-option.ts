import { Option, type Command } from 'commander'
import { excluding, needing } from './conditions.ts'
import { countOption } from './count-option.ts'

/** The options of a command that reads tables of other databases. */
export function catalogOptions(command: Command): Command {
  return command
    .option('--catalog <file>', 'read tables of other databases as this catalog maps them, in place of files')
    .addOption(excluding(pushdownOption(), '--data', '--server'))
    .option('--data <folder>', dataHelp)
    .addOption(backendIdOption())
}

export function pushdownOption(): Option {
  return new Option(
    '--require-pushdown <n>',
    'refuse what would take more than n rows out of a database for a stage that it cannot run',
  ).argParser(countOption('--require-pushdown', Number.MAX_SAFE_INTEGER))
}

export const dataHelp = 'read what `serve --data` keeps in this folder, also while it runs, in place of files'

export function backendIdOption(): Option {
  const option = new Option('--backend-id <id>', 'the backend that is read, where there are several')
  return needing(option, '--data', '--server')
}
