import type { Command } from 'commander'
import { countOption } from './count-option.ts'

/** The options of a command that reads tables of other databases. */
export function catalogOptions(command: Command): Command {
  return command
    .option('--catalog <file>', 'read tables of other databases as this catalog maps them, in place of files')
    .option(
      '--require-pushdown <n>',
      'refuse what would take more than n rows out of a database for a stage that it cannot run',
      countOption('--require-pushdown', Number.MAX_SAFE_INTEGER),
    )
    .option('--data <folder>', dataHelp)
    .option('--backend-id <id>', backendIdHelp)
}

export const dataHelp = 'read what `serve --data` keeps in this folder, also while it runs, in place of files'
export const backendIdHelp = 'with --data or --server: the backend that is read, where there are several'
