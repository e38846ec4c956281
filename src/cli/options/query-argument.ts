import { existsSync } from 'node:fs'
import { CommandError } from '../../base/index.ts'

/** Arguments as a shell takes them. */
export function shellText(args: readonly string[]): string {
  return args.map((arg) => (/^[\w./:=-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`)).join(' ')
}

/**
 * Throws CommandError, with the whole command as it was meant, where a file stands in the place of the query; `before` is
 * what is written in front of it.
 */
export function checkQueryIsNoFile(before: string, query: string, files: readonly string[], hasTables: boolean): void {
  if (hasTables || files.length > 0 || !/[./\\]/.test(query) || /[\s|"()]/.test(query) || !existsSync(query)) return
  throw new CommandError(`The query is missing: ${query} is a file. Use: sluice ${before} '*' ${shellText([query])}`)
}
