import { hasMember, checkArgument } from '../../../base/index.ts'
import { toRangeNumber } from '../../../data/index.ts'
import type { Dialect } from '../../../plan/index.ts'
import { plainField, type FieldRef, type Filter, type Pipe, type Query, type QueryOption } from '../ast.ts'
import { printCustom } from '../custom/pipe.ts'
import type { AnyFilterDefinition, AnyPipeDefinition } from '../definition.ts'
import { filterDefinitions } from '../filters/index.ts'
import { pipeDefinitions } from '../pipes/index.ts'
import type { Printer } from './printer.ts'
import { isPlainWord, quoteText } from './quote.ts'
import { isReserved } from '../reserved.ts'
import { rewriteFilter } from '../rewrite/filters.ts'
import { foldPipes } from '../rewrite/pipes.ts'

type FilterPrinter = (filter: Filter, printer: Printer) => string
type PipePrinter = (pipe: Pipe, printer: Printer) => string

function byKind<D extends { readonly kind: string }>(definitions: readonly D[]): ReadonlyMap<string, D> {
  return new Map(definitions.map((definition) => [definition.kind, definition]))
}

const filters = byKind<AnyFilterDefinition>(filterDefinitions)
const pipes = byKind<AnyPipeDefinition>(pipeDefinitions)

class LogPrinter implements Printer {
  readonly dialect: Dialect
  readonly #textFieldNames: readonly string[]

  constructor(dialect: Dialect) {
    this.dialect = dialect
    this.#textFieldNames = dialect === 'logsql' ? ['_msg', ''] : []
  }

  readonly text = (text: string): string => (isPlainWord(text) && !isReserved(text) ? text : quoteText(text))

  readonly number = (text: string): string =>
    /^[\w.:+-]+$/.test(text) && toRangeNumber(text) !== undefined ? text : this.text(text)

  readonly pattern = (parts: readonly string[]): string =>
    parts.map((part) => (part === '' ? '' : this.text(part))).join('*')

  readonly field = (field: FieldRef): string => {
    const name = plainField(field)
    if (name === '' && this.dialect === 'logsql') return '_msg'
    return name === undefined ? this.pattern(field.parts) : this.text(name)
  }

  readonly fields = (fields: readonly FieldRef[]): string => fields.map(this.field).join(', ')

  readonly isTextField = (field: FieldRef | undefined): boolean => {
    if (field === undefined) return true
    const name = plainField(field)
    return name !== undefined && this.#textFieldNames.includes(name)
  }

  readonly prefix = (field: FieldRef | undefined): string =>
    field === undefined || this.isTextField(field) ? '' : `${this.field(field)}:`

  readonly node = (filter: Filter): string => {
    const print = filters.get(filter.kind)?.print as FilterPrinter
    return print(filter, this)
  }

  readonly filter = (filter: Filter): string => this.node(rewriteFilter(filter, this.dialect))

  readonly condition = (filter: Filter | undefined): string =>
    filter === undefined ? '' : ` if (${this.filter(filter)})`

  readonly as = (field: FieldRef | undefined): string => (field === undefined ? '' : ` as ${this.field(field)}`)

  readonly pipe = (pipe: Pipe): string => {
    if (pipe.kind === 'custom') return printCustom(pipe, this)
    const print = pipes.get(pipe.kind)?.print as PipePrinter | undefined
    return print?.(pipe, this) ?? ''
  }

  readonly subquery = (query: Query): string => {
    const table = query.options.find(({ name }) => name === 'domain')?.value
    if (table === undefined || this.dialect === 'logsql') return this.query(query)
    const others = query.options.filter(({ name }) => name !== 'domain')
    const text = this.query({ ...query, options: others })
    // After a table name, the filter `*` can be omitted.
    const isEvery = others.length === 0 && /^\*(?: \||$)/.test(text)
    return `from ${this.text(table.text)}${isEvery ? text.slice(1) : ` ${text}`}`
  }

  readonly query = (written: Query): string => {
    const query = this.dialect === 'logsql' ? foldPipes(written) : written
    // For two options, LogsQL treats 0 as the default, so a 0 is not printed.
    const isDefault = ({ name, value }: QueryOption): boolean =>
      this.dialect === 'logsql' && /^(?:concurrency|parallel_readers)$/.test(name) && value?.text === '0'
    const given = query.options.filter((option) => !isDefault(option))
    const options = given.map(({ name, value, filter }) =>
      filter === undefined ? `${name}=${value?.text ?? ''}` : `${name}=(${this.filter(filter)})`,
    )
    const head = options.length === 0 ? '' : `options(${options.join(', ')}) `
    const filter = query.filter === undefined ? '*' : this.filter(query.filter)
    return [head + filter, ...query.pipes.map(this.pipe)].join(' | ')
  }
}

/** Returns a printer of queries, filters and pipes in canonical form. */
export function printerOf(dialect: Dialect): Printer & { readonly pipe: (pipe: Pipe) => string } {
  return new LogPrinter(dialect)
}

/**
 * Returns the canonical text of a query: simplified without a change of meaning, keywords in lower case, quotes only
 * where needed. Idempotent: parsing and printing the canonical text returns it unchanged.
 */
export function canon(query: Query, dialect: Dialect = 'native'): string {
  checkArgument(hasMember(query, 'pipes'), query, 'the `ast` of a query that `parse` read', 'print(parse(text).ast)')
  return printerOf(dialect).query(query)
}
