import type { Command } from 'commander'
import { CommandError, SluiceError } from '../../base/index.ts'
import type { CompiledStatement } from '../../backends/index.ts'
import { createEngine, type Engine } from '../../engine/index.ts'
import type { Dialect } from '../../plan/index.ts'
import { choice, dialectNames } from '../options/choice-option.ts'
import type { CommandModule } from '../command.ts'
import { withCarets } from '../diagnostics-output.ts'
import { textOrInput } from '../read-text.ts'
import { queryArgument } from '../options/query-argument.ts'
import type { Terminal } from '../terminal.ts'
import { parseRange, rangeOptions, type RangeArguments } from '../options/time-option.ts'

const sqlDialects = ['duckdb', 'clickhouse', 'postgres', 'sqlite'] as const

interface CompileArguments extends RangeArguments {
  readonly dialect?: (typeof sqlDialects)[number]
  readonly language: Dialect
  readonly catalog?: string
  readonly table?: string
  readonly explain?: boolean
  readonly inline?: boolean
  readonly json?: boolean
}

type Given = CompiledStatement['parameters'][number]

/** Formats a parameter as JSON; a function becomes its name. */
function shown(parameter: Given): unknown {
  const { kind, value } = parameter
  if (kind === 'program') return { host: (parameter as { readonly program?: { readonly kind: string } }).program?.kind }
  if (typeof value === 'bigint') return value >= -(2n ** 53n) && value <= 2n ** 53n ? Number(value) : String(value)
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value
}

/** Maximum length of a printed value, UTF-16 units: some patterns list all letters and would fill the screen. */
const MAX_VALUE_CHARS = 200

function printed(parameter: Given): string {
  const json = JSON.stringify(shown(parameter))
  if (json.length <= MAX_VALUE_CHARS) return json
  const chars = json.length.toLocaleString('en-US')
  return `${json.slice(0, MAX_VALUE_CHARS).toWellFormed()}… (${chars} characters; --json writes them all)`
}

/**
 * Prints a statement with its parameters; `name` is the database. Parameters of Postgres are printed with their
 * numbers.
 */
async function print(
  { sql, parameters }: CompiledStatement,
  plan: readonly string[] | undefined,
  name: string,
  isJson: boolean,
  terminal: Terminal,
): Promise<void> {
  if (isJson) {
    const given = parameters.map((parameter) => ({ name: parameter.name, value: shown(parameter) }))
    await terminal.write(`${JSON.stringify({ sql, parameters: given, ...(plan ? { plan } : {}) }, null, 2)}\n`)
    return
  }
  await terminal.write(`${sql}\n`)
  for (const [i, parameter] of parameters.entries()) {
    const placeholder = name === 'postgres' ? `$${i + 1} ` : ''
    await terminal.write(`-- ${placeholder}${parameter.name} = ${printed(parameter)}\n`)
  }
  for (const line of plan ?? []) await terminal.write(`-- ${line}\n`)
}

/**
 * Returns the statement for `--inline`, and reports how it behaves differently if it is pasted into a shell of the
 * database.
 */
async function inlined(
  statement: CompiledStatement,
  name: (typeof sqlDialects)[number],
  isInline: boolean,
  terminal: Terminal,
): Promise<CompiledStatement> {
  for (const note of statement.notes ?? []) terminal.writeError(`${note}\n`)
  if (!isInline) return statement
  const { inlineValues } = await import('../../backends/sql/index.ts')
  return inlineValues(statement, name)
}

/** Reports which part of the query runs outside the database. */
function tellRest(engine: Engine, text: string, settings: object, terminal: Terminal, name: string): void {
  const { optimized } = engine.plan(text, settings)
  const [backend] = engine.backends
  const acceptance = backend?.accept(optimized)
  if (acceptance?.kind === 'not')
    terminal.writeError(`${name} runs a part, whose rows go on above it: ${acceptance.reason}.\n`)
}

async function run(query: string, options: CompileArguments, terminal: Terminal): Promise<void> {
  const text = textOrInput(query)
  const nowNs = terminal.nowNs()
  const range = parseRange(options.from, options.to, { nowNs })
  const clock = { nowMs: () => terminal.nowMs(), nowNs: () => nowNs }
  if (options.catalog === undefined) {
    if (options.dialect === undefined)
      throw new CommandError(`--dialect is needed without a catalog: ${sqlDialects.join(', ')}.`)
    if (options.explain === true) throw new CommandError('--explain needs a database: --catalog names one.')
    const { standardCompiler } = await import('../../catalog/index.ts')
    const { dialect } = options
    const { compiler, catalog } = standardCompiler(dialect)
    const backend = { ...compiler, prepare: (): never => unreachable() }
    const engine = createEngine({ backends: [backend], catalog, clock, lint: 'off' })
    const settings = { range, nowNs, dialect: options.language, table: options.table }
    await withCarets(text, terminal, async () => {
      const statement = engine.toSQL(text, settings)
      tellRest(engine, text, settings, terminal, compiler.name)
      const shownAs = await inlined(statement, dialect, options.inline === true, terminal)
      await print(shownAs, undefined, compiler.name, options.json === true, terminal)
    })
    return
  }
  const { openCatalogSession } = await import('../catalog-file.ts')
  const session = await openCatalogSession(options.catalog, { table: options.table }, terminal)
  try {
    const { engine, catalog, table } = session
    const owner = catalog.nameOf(table)
    if (options.dialect !== undefined && options.dialect !== owner)
      throw new CommandError(`The table ${table} is of ${owner ?? 'no database'}, not of ${options.dialect}.`)
    const settings = { range, nowNs, dialect: options.language, table }
    await withCarets(text, terminal, async () => {
      const statement = engine.toSQL(text, settings)
      tellRest(engine, text, settings, terminal, owner ?? '')
      const plan = options.explain === true ? await catalog.explain(table, statement) : undefined
      const shownAs =
        owner === undefined ? statement : await inlined(statement, owner, options.inline === true, terminal)
      await print(shownAs, plan, owner ?? '', options.json === true, terminal)
    })
  } finally {
    await session.close()
  }
}

function unreachable(): never {
  throw new SluiceError([])
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(rangeOptions(command), 'a query, or `-` for standard input')
    .addOption(choice('--dialect <name>', 'whose SQL; by the catalog where there is one', sqlDialects))
    .addOption(choice('--language <name>', 'dialect of the query', dialectNames).default('native'))
    .option('--catalog <file>', 'compile for its tables (default: the standard tables, with a column for each field)')
    .option('--table <name>', 'the table of a query that names none')
    .option('--explain', 'with a catalog: the plan that the database makes of it')
    .option('--inline', 'values stand in the statement, for a shell of the database')
    .option('--json', 'as JSON')
    .action((query: string, options: CompileArguments) => run(query, options, terminal))
}
