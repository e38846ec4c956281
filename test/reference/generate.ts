import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatRfc3339, nowhere, present, type Diagnostic } from '../../src/base/index.ts'
import { exampleContext, timeFormats } from '../../src/data/index.ts'
import { standardFunctions, type FunctionDoc, type Signature } from '../../src/functions/index.ts'
import { operators } from '../../src/lang/json/index.ts'
import {
  fromTableDoc,
  filterDefinitions,
  pipeDefinitions,
  type AnyFilterDefinition,
  type AnyPipeDefinition,
  type FeatureDoc,
  type FeatureExample,
} from '../../src/lang/log/index.ts'

const SRC = resolve(import.meta.dirname, '../../src')

const NOTE = '<!-- Generated from the definitions; `UPDATE_GOLDEN=1` with test/reference writes it anew. -->'

function page(title: string, intro: string, parts: readonly string[]): string {
  return `${[`# ${title}`, NOTE, intro, ...parts].join('\n\n')}\n`
}

function code(text: string): string {
  return `\`${text}\``
}

function codeList(names: readonly string[]): string {
  return names.map(code).join(', ')
}

function block(language: string, lines: readonly string[]): string {
  return `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the explanation of an example, followed by its query. */
function exampleParts({ query, text, dialect }: FeatureExample): readonly string[] {
  return [
    `${capitalized(text)}${dialect === undefined ? '' : ` (only in the dialect ${code(dialect)})`}:`,
    block(dialect === 'logsql' ? 'logsql' : 'sluice', [query]),
  ]
}

function feature(title: string, aliases: readonly string[], note: string, doc: FeatureDoc): string {
  const also = aliases.length === 0 ? '' : ` Also written ${codeList(aliases)}.`
  return [
    `## ${title}`,
    `${doc.summary}${also}${note}`,
    block('', [doc.form]),
    ...doc.examples.flatMap(exampleParts),
  ].join('\n\n')
}

function pipe({ names: [name, ...aliases], isNativeOnly, doc }: AnyPipeDefinition): string {
  return feature(present(name), aliases, isNativeOnly === true ? ' Not in the dialect `logsql`.' : '', doc)
}

export function pipesPage(): string {
  const intro = 'Each pipe takes the rows of what stands before it and gives rows to what stands behind it.'
  return page('Pipes', intro, pipeDefinitions.map(pipe))
}

function filter({ kind, names, doc }: AnyFilterDefinition): string {
  return feature(names[0] ?? kind.replaceAll('-', ' '), names.slice(1), '', doc)
}

export function filtersPage(): string {
  const intro = 'Filters stand before the first pipe, behind `filter`, and in parentheses behind `if`.'
  const written = filterDefinitions.filter(({ doc }) => doc.form !== '')
  return page('Filters', intro, written.map(filter))
}

function argumentCount({ minArgs, maxArgs }: Signature): string {
  if (maxArgs === Infinity) return minArgs === 0 ? 'any number of arguments' : `${minArgs} or more arguments`
  if (minArgs === maxArgs) return minArgs === 0 ? 'no arguments' : `${minArgs} argument${minArgs === 1 ? '' : 's'}`
  return `${minArgs} to ${maxArgs} arguments`
}

function takes(signature: Signature): string {
  const params = signature.params.map(
    ({ name, type, isOptional }) => `${code(name)} (${type}${isOptional === true ? ', optional' : ''})`,
  )
  return `Takes ${[...params, argumentCount(signature)].join(', ')}.`
}

interface Documented {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly signature?: Signature
  readonly doc: FunctionDoc
}

function functionPart({ name, aliases = [], signature, doc }: Documented): string {
  const also = aliases.length === 0 ? '' : ` Also written ${codeList(aliases)}.`
  const sentence = [`${doc.summary}${also}`, ...(signature === undefined ? [] : [takes(signature)])].join(' ')
  const parameters = doc.parameters.map((parameter) => `- ${code(parameter.name)}: ${parameter.text}`)
  const examples = doc.examples.flatMap(({ query, result }) =>
    result === undefined
      ? [block('sluice', [query])]
      : [
          block('sluice', [query]),
          'answers',
          block(
            'json',
            result.map((row) => JSON.stringify(row)),
          ),
        ],
  )
  return [`### ${name}`, sentence, ...(parameters.length === 0 ? [] : [parameters.join('\n')]), ...examples].join(
    '\n\n',
  )
}

function family(title: string, intro: string, functions: readonly Documented[]): readonly string[] {
  return [`## ${title}`, intro, ...functions.map(functionPart)]
}

export function functionsPage(): string {
  const { scalar, stats, rows, tables } = standardFunctions
  return page('Functions', 'Answers are those over `fixtures/logs/payments-pool-exhausted.ndjson`.', [
    ...family(
      'Scalar functions',
      'One value from the values of one row: in `math`, in filters and in results.',
      scalar.all,
    ),
    ...family(
      'Stats functions',
      'One value from the rows of a group: in `stats`, `running_stats` and `window`.',
      stats.all,
    ),
    ...family('Row functions', 'What pipes and processors do to one row at a time.', rows.all),
    ...family(
      'Table functions',
      'What pipes and processors do to all rows at once.',
      tables.all.filter(({ physical }) => physical === undefined),
    ),
  ])
}

export function clausesPage(): string {
  return page('Clauses', 'Parts of a query that are neither a filter nor a pipe.', [
    feature('from', [], ' Not in the dialect `logsql`.', fromTableDoc),
  ])
}

type AnyFactory = ((what: string, data: object, where: typeof nowhere) => Diagnostic) & {
  readonly module: string
  readonly codes: readonly string[]
}

function isFactory(value: unknown): value is AnyFactory {
  return typeof value === 'function' && 'module' in value && 'codes' in value
}

/** Returns every diagnostic factory that a file under src exports, sorted by module name. */
async function factories(): Promise<readonly AnyFactory[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && readFileSync(join(SRC, file), 'utf8').includes("= defineDiagnostics('"))
    .filter((file) => file !== join('base', 'diagnostics', 'diagnostic.ts'))
  const found: AnyFactory[] = []
  for (const file of files) {
    const exported = Object.values((await import(pathToFileURL(join(SRC, file)).href)) as object).filter(isFactory)
    if (exported.length === 0) throw new Error(`${file} declares diagnostics and exports no factory`)
    found.push(...exported)
  }
  return found.toSorted((a, b) => (a.module < b.module ? -1 : 1))
}

/** Makes a placeholder print as the parameter's name and throw in arithmetic. */
function named<T extends object>(name: string, standIn: T): T {
  const toPrimitive = (hint: string): string => {
    if (hint === 'number') throw new TypeError(`${name} is not a number`)
    return `‹${name}›`
  }
  return Object.assign(standIn, { [Symbol.toPrimitive]: toPrimitive })
}

/** Placeholders for message parameters: a string, and a list with one name. */
const standIns: readonly ((name: string) => unknown)[] = [
  (name) => named(name, Object(`‹${name}›`) as object),
  (name) => named(name, [`‹${name}›`]),
]

/**
 * Returns the message with parameter names in place of values; `undefined` if the factory does not accept any
 * placeholder.
 */
function messageShape(factory: AnyFactory, what: string): string | undefined {
  for (const standIn of standIns) {
    const data = new Proxy({}, { get: (_, name) => standIn(String(name)) })
    try {
      // If the message is just a parameter, it is the placeholder object itself.
      const made: { readonly message: unknown } = factory(what, data, nowhere)
      const message = String(made.message)
      if (!/undefined|NaN|\[object/.test(message)) return message
    } catch {
      // Another placeholder may fit this message.
    }
  }
  return undefined
}

export async function diagnosticsPage(): Promise<string> {
  const intro = 'A diagnostic has a code that stays, and a message whose parameters stand here in angle brackets.'
  const modules = (await factories()).map((factory) => {
    const lines = factory.codes.map((what) => {
      const shape = messageShape(factory, what)
      return `- ${code(`${factory.module}/${what}`)}${shape === undefined ? '' : ` — ${shape}`}`
    })
    return `## ${factory.module}\n\n${lines.join('\n')}`
  })
  return page('Diagnostics', intro, modules)
}

export function operatorsPage(): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|')
  const rows = operators.map(
    ({ name, aliases, joins, isNegated, summary }) =>
      `| ${cell(code(name))} | ${cell(codeList(aliases))} | ${isNegated || joins === 'comparison' ? 'AND' : 'OR'} | ${isNegated ? 'yes' : 'no'} | ${cell(summary)} |`,
  )
  const intro =
    'Operators of a condition in a JSON query. Case and blanks around a name do not count. Several of one field are joined as the third column says. Behind `not_` an operator without a negation of its own is negated: `not_gt`, `not_startswith`.'
  const table = ['| operator | also written | several are | negated | meaning |', '|---|---|---|---|---|', ...rows]
  return page('Operators', intro, [table.join('\n')])
}

export function timesPage(): string {
  const intro = [
    'Ways to write a time that are read in records: in members of JSON, columns of tables, pairs of logfmt, at the head of lines of text and in every protocol. The first that matches decides; nothing else is taken for a time. A record without one that can be read has the time of its arrival, keeps the text beside it as `_time.text`, and is counted: in the answer (`unreadableTimes`, `timelessRecords`) and its header `X-Sluice-Notice`, on the terminal, and in `/metrics` (`sluice_unreadable_times_total`, `sluice_timeless_records_total`). The notice names a field that looks like the time, and the option that makes it the time.',
    'Numbers, and texts that are numbers, are times from 2001-09-09T01:46:40Z on: seconds of ten digits, milliseconds of 13, microseconds of 16, nanoseconds of 19, as far as 2262-04-11. What is smaller is a count, a port, an id or a duration. Fractions are exact to the nanosecond, further digits are cut. Times outside of 1677-09-21 to 2262-04-11 are not read.',
    'A time that names no zone is in the zone of `--tz`, `X-Sluice-Tz` or `?tz=`, a name as `Europe/Berlin` or an offset as `+02:00`; without one it is UTC. What clocks show twice is the first of the two; what they skip comes as much later as they skip. An abbreviation that stands for several offsets (`CST`, `IST`, `PST`) is read only where the zone that was given has one of them.',
    `In the examples now is ${code(formatRfc3339(exampleContext.nowNs, true))}.`,
  ].join('\n\n')
  const sections = timeFormats.map(({ name, writers, examples }) => {
    const rows = examples.map(([text, time]) => `| ${code(text)} | ${code(time)} |`)
    return [`## ${capitalized(name)}`, `${writers}.`, ['| written | read |', '|---|---|', ...rows].join('\n')].join(
      '\n\n',
    )
  })
  return page('Times', intro, sections)
}

/** Returns the generated pages by path below `grammar`. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['reference/pipes.md', pipesPage()],
    ['reference/filters.md', filtersPage()],
    ['reference/functions.md', functionsPage()],
    ['reference/clauses.md', clausesPage()],
    ['reference/diagnostics.md', await diagnosticsPage()],
    ['reference/times.md', timesPage()],
    ['operators.md', operatorsPage()],
  ])
}
