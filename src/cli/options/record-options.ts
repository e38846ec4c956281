import { Option, type Command } from 'commander'
import { CommandError } from '../../base/index.ts'
import { BadRecordOption, readRecordOptions, recordOptionWords, type RecordOptions } from '../../ingest/index.ts'

/** Adds the options for parsing records. `conditionOf` names conditions under which an option has no effect. */
export function addRecordOptions(
  command: Command,
  conditionOf: (option: Option, word: string) => Option = (option) => option,
): Command {
  for (const { word, value, summary } of recordOptionWords)
    command.addOption(conditionOf(new Option(`--${word} <${value}>`, summary), word))
  return command
}

/** Returns the name of an option's property in commander. */
function memberOf(word: string): string {
  return word.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Flags of the record options that are set. */
export function recordFlagsIn(options: object): readonly string[] {
  const given = new Map<string, unknown>(Object.entries(options))
  return recordOptionWords.filter(({ word }) => given.get(memberOf(word)) !== undefined).map(({ word }) => `--${word}`)
}

/** Parses the record options. Throws CommandError. */
export function recordOptionsIn(options: object): RecordOptions | undefined {
  const given = new Map<string, unknown>(Object.entries(options))
  try {
    return readRecordOptions((word) => {
      const text = given.get(memberOf(word))
      return typeof text === 'string' ? text : undefined
    })
  } catch (error) {
    if (!(error instanceof BadRecordOption)) throw error
    throw new CommandError(`--${error.word} cannot be read: ${error.message}.`)
  }
}
