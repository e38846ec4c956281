import { existsSync } from 'node:fs'
import { Option, type Command } from 'commander'
import { CommandError, SluiceError } from '../../base/index.ts'

/** A file that subqueries read as a table of this name. */
export interface NamedTable {
  readonly name: string
  readonly path: string
}

export interface TableArguments {
  /** Name of the table that the files become. */
  readonly table: string
  readonly otherTables?: readonly NamedTable[] | undefined
}

const about =
  "name of the table in the files. NAME=FILE, which can be repeated, adds a table for subqueries, as in 'join by (id) (options(domain=NAME) *)'"

/** Returns the option `--table`: the name of the files' table, or `NAME=FILE` for an additional table. */
export function tableOption(command: Command): Option {
  return new Option('--table <name>', about).default('logs').argParser((text: string, before: string): string => {
    const at = text.indexOf('=')
    if (at === -1) return text
    const table = { name: text.slice(0, at), path: text.slice(at + 1) }
    const others = (command.getOptionValue('otherTables') ?? []) as readonly NamedTable[]
    checkTable(table, others)
    command.setOptionValue('otherTables', [...others, table])
    return before
  })
}

function checkTable({ name, path }: NamedTable, others: readonly NamedTable[]): void {
  if (!/^[a-z_]\w*$/i.test(name))
    throw new CommandError(`--table needs a name of letters, digits and \`_\` before \`=\`, not \`${name}\`.`)
  if (others.some((other) => other.name === name))
    throw new CommandError(
      `--table ${name}=… is given twice: several files of one table are a pattern, as '${name}=*.csv'.`,
    )
  if (path === '-') throw new CommandError(`--table ${name}=- : standard input is what the query itself reads.`)
  if (path === '' || (!/[*?{[]/.test(path) && !existsSync(path)))
    throw new CommandError(`--table ${name}=${path}: there is no such file.`)
}

/** Throws CommandError for named tables together with a source that has tables of its own. */
export function checkNoTables({ otherTables = [] }: Pick<TableArguments, 'otherTables'>, option: string): void {
  const [first] = otherTables
  if (first === undefined) return
  throw new CommandError(
    `--table ${first.name}=${first.path} goes with files: with ${option} tables have their names already.`,
  )
}

/** Runs `work`. Adds a hint to the error about an unknown table: how to name a file as a table. */
export function withTableHint<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    const hint = 'A file becomes a table by `--table NAME=FILE`.'
    throw new SluiceError(
      error.diagnostics.map((each) =>
        each.code === 'analyze/unknown-table' ? { ...each, notes: [...each.notes, hint] } : each,
      ),
    )
  }
}
