import { existsSync } from 'node:fs'
import type { Command, Option } from 'commander'
import { CommandError, nearestNames } from '../../base/index.ts'

/** Quotes arguments for a shell. */
export function shellText(args: readonly string[]): string {
  return args.map((arg) => (/^[\w./:=-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`)).join(' ')
}

/**
 * Throws CommandError if the query is the name of a file. The message has the corrected command; `before` is its text
 * up to the query.
 */
export function checkQueryIsNoFile(before: string, query: string, files: readonly string[], hasTables: boolean): void {
  if (hasTables || files.length > 0 || !/[./\\]/.test(query) || /[\s|"()]/.test(query) || !existsSync(query)) return
  throw new CommandError(`The query is missing: ${query} is a file. Use: sluice ${before} '*' ${shellText([query])}`)
}

/**
 * Adds the query argument. A query may begin with one dash, such as `-error`; long options begin with two. Throws
 * CommandError if an argument could be a query or an option.
 */
export function queryArgument(command: Command, about: string, form = '<query>'): Command {
  const parse = command.parseOptions.bind(command)
  command.parseOptions = (args) => {
    const at = dashQueryAt(args, command)
    if (at === undefined) return parse(args)
    const { operands, unknown } = parse(args.toSpliced(at, 1))
    return { operands: [args[at] ?? '', ...operands], unknown }
  }
  return command.argument(form, about)
}

/** Returns the index of an argument that is a query although it begins with a dash. */
function dashQueryAt(args: readonly string[], command: Command): number | undefined {
  const known = command.options.flatMap(namesOf)
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (!arg.startsWith('-') || arg === '-' || arg === '--') return undefined
    const [flag = ''] = arg.startsWith('--') ? arg.split('=', 1) : [arg]
    if (['-h', '--help'].includes(flag)) continue
    const option = command.options.find((each) => namesOf(each).includes(flag))
    if (option !== undefined) {
      if (option.required && flag === arg) i++
    } else if (flag.startsWith('--')) {
      const [near] = nearestNames(
        flag.slice(2),
        known.map((each) => each.slice(2)),
      )
      throw new CommandError(
        `There is no option \`${flag}\`.${near === undefined ? '' : ` Did you mean \`--${near}\`?`} ${asQuery(command, arg)}`,
      )
    } else {
      if (known.includes(`-${flag}`) || flag === '-help')
        throw new CommandError(`The option is written \`-${flag}\`. ${asQuery(command, arg)}`)
      return i
    }
  }
  return undefined
}

function namesOf({ short, long }: Option): readonly string[] {
  return [short, long].filter((each) => each !== undefined)
}

function asQuery(command: Command, query: string): string {
  return `As a query it stands behind \`--\`: sluice ${command.name()} -- ${shellText([query])}`
}
