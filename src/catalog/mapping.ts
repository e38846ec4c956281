import { at, nearestNames, type Diagnostic, type JsonPath, type Span } from '../base/index.ts'
import type {
  AttributeMapping,
  FieldMapping,
  ForeignColumn,
  ForeignSource,
  TableMapping,
  WordIndex,
} from '../backends/sql/index.ts'
import type { DataType } from '../data/index.ts'
import type { PolicyDomain } from '../plan/index.ts'
import { catalogDiagnostic } from './diagnostics.ts'
import { nativeType, type NativeType } from './native-types.ts'
import { ARRIVAL, fullTextCut, ROW_NUMBER } from '../backends/sql/index.ts'
import { structMembers } from './struct-type.ts'
import type { FileField, FileTable } from './text/schema.ts'
import { listOf, type EngineName, type TimeUnit } from './words.ts'
import { textNames, unitOfColumn, usualNames, usualTimes } from './guess.ts'

/** The declaration of a table in the catalog, and the description of the table by its database. */
export interface MappingRequest {
  readonly name: string
  readonly table: FileTable
  readonly engine: EngineName
  readonly source: ForeignSource
  readonly columns: readonly ForeignColumn[]
  /** Returns the first values of a column as strings; empty if the table has no rows. */
  readonly samples: (column: string) => Promise<readonly string[]>
  /** Returns the statement that created a full-text table of SQLite; `undefined` if there is no such table. */
  readonly fullText: (table: string) => Promise<string | undefined>
  /** Returns the span in the catalog text of a part of the table's declaration. */
  readonly spanOf: (path: JsonPath, key?: 'key') => Span
}

export interface MappingResult {
  /** `undefined` if the declaration has errors. */
  readonly mapping: TableMapping | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** The kinds of word indexes that each database has. */
const wordKinds: Readonly<Record<EngineName, readonly string[]>> = {
  duckdb: [],
  clickhouse: ['text'],
  postgres: ['trigram', 'tsvector'],
  sqlite: ['fts5'],
}

const domainOfTable: Readonly<Record<string, PolicyDomain>> = {
  events: 'events',
  spans: 'traces',
  traces: 'traces',
  samples: 'metrics',
  metrics: 'metrics',
  workloads: 'workloads',
  clusters: 'clusters',
}

export const DEFAULT_TIME_FIELD = '_time'

/** Per database: the type of the time that statements add to rows without one. */
const ARRIVAL_TYPES: Readonly<Record<EngineName, Pick<TableMapping['time'], 'nativeType' | 'unit'>>> = {
  duckdb: { nativeType: 'TIMESTAMP_NS', unit: 'timestamp' },
  clickhouse: { nativeType: 'Int64', unit: 'ns' },
  postgres: { nativeType: 'bigint', unit: 'ns' },
  sqlite: { nativeType: 'INTEGER', unit: 'ns' },
}

function isTimeUnit({ time }: NativeType, unit: TimeUnit): boolean {
  if (unit === 'timestamp') return time === 'timestamp'
  return unit === 'text' ? time === 'text' : time === 'number' || time === 'text'
}

function isArrival(time: FileTable['time']): time is { readonly arrival: true } {
  return typeof time === 'object' && 'arrival' in time
}

function fieldMapping(
  name: string,
  column: ForeignColumn,
  path: readonly string[],
  type: DataType,
  nativeType: string,
  { aliases }: FileField,
  holds: FieldMapping['holds'] = 'struct',
): FieldMapping {
  return {
    name,
    column: column.name,
    path,
    ...(path.length === 0 || holds === 'struct' ? {} : { holds }),
    type,
    nativeType,
    isNullable: path.length > 0 || column.isNullable,
    ...(type === 'time' ? { unit: 'timestamp' as const } : {}),
    aliases: listOf(aliases),
  }
}

class Mapper {
  readonly diagnostics: Diagnostic[] = []
  readonly #request: MappingRequest
  readonly #columns: ReadonlyMap<string, ForeignColumn>

  constructor(request: MappingRequest) {
    this.#request = request
    this.#columns = new Map(request.columns.map((column) => [column.name, column]))
  }

  async map(): Promise<TableMapping | undefined> {
    const { name, table, source } = this.#request
    const hidden = new Set(listOf(table.hidden).map((column, i) => this.#column(column, ['hidden', i])?.name))
    if (isArrival(table.time)) hidden.add(ROW_NUMBER)
    const time = await this.#time(hidden)
    const attributes = this.#attributes(hidden)
    const fields = this.#fields(
      time?.field,
      new Set([...hidden, time?.column, ...attributes.map(({ column }) => column)]),
    )
    this.#checkAliases(fields, time?.field)
    const textField = this.#text(fields)
    const streamFields = listOf(table.stream).flatMap((each, i) => this.#field(each, fields, ['stream', i]) ?? [])
    const written = listOf(table.tieBreak).flatMap((each, i) => this.#column(each, ['tieBreak', i])?.name ?? [])
    const words = await this.#words(textField)
    const rows = this.#columns.has(ROW_NUMBER) && isArrival(table.time) ? [ROW_NUMBER] : []
    const tieBreak = [...written, ...rows]
    const collated = this.#request.columns.filter(({ isCollated }) => isCollated === true).map((column) => column.name)
    if (time === undefined || this.diagnostics.length > 0) return undefined
    return {
      name,
      source,
      time,
      textField,
      streamFields,
      fields,
      attributes,
      tieBreak,
      ...(collated.length === 0 ? {} : { collated }),
      domain: table.domain ?? domainOfTable[name] ?? 'logs',
      words,
    }
  }

  #at(path: JsonPath, key?: 'key') {
    return at(this.#request.spanOf(path, key))
  }

  #column(name: string, path: JsonPath): ForeignColumn | undefined {
    const found = this.#columns.get(name)
    if (found === undefined) {
      const known = [...this.#columns.keys()]
      const data = { column: name, table: this.#request.name, near: nearestNames(name, known), known }
      this.diagnostics.push(catalogDiagnostic('no-column', data, this.#at(path)))
    }
    return found
  }

  #native({ type }: ForeignColumn): NativeType {
    return nativeType(this.#request.engine, type)
  }

  async #time(hidden: ReadonlySet<string | undefined>): Promise<TableMapping['time'] | undefined> {
    const { table, name, columns, samples, source } = this.#request
    if (isArrival(table.time)) {
      if (source.kind === 'table' && this.#columns.has(ARRIVAL))
        this.diagnostics.push(catalogDiagnostic('arrival-of-dated', { table: name }, this.#at(['time'])))
      return { field: ARRIVAL, column: ARRIVAL, isNullable: false, ...ARRIVAL_TYPES[this.#request.engine] }
    }
    const given = typeof table.time === 'string' ? { column: table.time } : table.time
    const path: JsonPath = typeof table.time === 'string' ? ['time'] : ['time', 'column']
    let column: ForeignColumn | undefined
    if (given === undefined) {
      const candidates = columns.filter((each) => this.#native(each).time !== undefined && !hidden.has(each.name))
      const usual = await this.#usualTime(candidates)
      const stamps = candidates.filter((each) => this.#native(each).time === 'timestamp')
      column = usual ?? (stamps.length === 1 ? stamps[0] : undefined)
      if (column === undefined && stamps.length > 1) {
        const data = { table: name, candidates: stamps.map((each) => each.name).slice(0, 12) }
        this.diagnostics.push(catalogDiagnostic('which-time', data, this.#at([], 'key')))
        return undefined
      }
      if (column === undefined) {
        const data = { table: name, candidates: candidates.map((each) => each.name).slice(0, 12) }
        this.diagnostics.push(catalogDiagnostic('no-time', data, this.#at([], 'key')))
        return undefined
      }
    } else column = this.#column(given.column, path)
    if (column === undefined) return undefined
    const native = this.#native(column)
    const { type, isNullable } = column
    const field = given?.field ?? DEFAULT_TIME_FIELD
    const unit = given?.unit ?? (await this.#unitOf(column))
    if (native.time === undefined || (unit !== undefined && !isTimeUnit(native, unit))) {
      const fits =
        native.time === undefined
          ? 'A time is a type of times of the database, a number counted since 1970, or text.'
          : `Leave \`unit\` out, or write ${native.time === 'timestamp' ? '`timestamp`' : native.time === 'text' ? '`text`' : '`s`, `ms`, `us` or `ns`'}.`
      const data = { column: column.name, type, unit: unit ?? 'time', fits }
      this.diagnostics.push(
        catalogDiagnostic('not-a-time', data, this.#at(given?.unit === undefined ? path : ['time', 'unit'])),
      )
      return undefined
    }
    if (unit === undefined) {
      const [sample] = await samples(column.name)
      this.diagnostics.push(catalogDiagnostic('time-unit', { column: column.name, type, sample }, this.#at(path)))
      return undefined
    }
    const floor = given?.floor === undefined ? undefined : this.#floor(given.floor)
    return { field, column: column.name, nativeType: type, isNullable, unit, ...(floor === undefined ? {} : { floor }) }
  }

  async #unitOf(column: ForeignColumn): Promise<TimeUnit | undefined> {
    return unitOfColumn(this.#native(column), () => this.#request.samples(column.name))
  }

  /** Returns the first column that has a usual name and whose values are times. */
  async #usualTime(candidates: readonly ForeignColumn[]): Promise<ForeignColumn | undefined> {
    const usual = usualTimes(candidates)
    for (const column of usual) if ((await this.#unitOf(column)) !== undefined) return column
    // In an empty table the unit cannot be determined, so the catalog must declare it.
    for (const column of usual) if ((await this.#request.samples(column.name)).length === 0) return column
    return undefined
  }

  #floor(name: string): TableMapping['time']['floor'] {
    const path: JsonPath = ['time', 'floor']
    const column = this.#column(name, path)
    if (column === undefined) return undefined
    const { type } = column
    if (this.#native(column).time === 'timestamp') return { column: name, nativeType: type, unit: 'timestamp' }
    const data = { column: name, type, unit: 'timestamp', fits: 'Times rounded down are of a type of times.' }
    this.diagnostics.push(catalogDiagnostic('not-a-time', data, this.#at(path)))
    return undefined
  }

  #attributes(hidden: ReadonlySet<string | undefined>): readonly AttributeMapping[] {
    const { table, columns } = this.#request
    if (table.attributes === undefined) {
      if (table.allColumns === false) return []
      const used = new Set(
        Object.values(table.fields ?? {}).map((each) =>
          typeof each === 'string' ? each : each.path === undefined ? each.column : undefined,
        ),
      )
      return columns.flatMap((column) => {
        const kind = this.#native(column).attributes
        if (kind === undefined || hidden.has(column.name) || used.has(column.name) || this.#isOpened(column)) return []
        return [{ column: column.name, kind, prefix: this.#isFiles() ? `${column.name}.` : '' }]
      })
    }
    const isList = Array.isArray(table.attributes)
    return listOf<
      | string
      | {
          readonly column: string
          readonly kind?: AttributeMapping['kind'] | undefined
          readonly prefix?: string | undefined
        }
    >(table.attributes).flatMap((each, i) => {
      const given = typeof each === 'string' ? { column: each } : each
      const path: JsonPath = ['attributes', ...(isList ? [i] : []), ...(typeof each === 'string' ? [] : ['column'])]
      const column = this.#column(given.column, path)
      if (column === undefined) return []
      const native = this.#native(column)
      // In SQLite JSON may also be stored in a string column.
      const kind = given.kind ?? native.attributes ?? (this.#request.engine === 'sqlite' ? 'json' : undefined)
      const isRight = kind === native.attributes || (kind === 'json' && native.types.includes('string'))
      if (kind === undefined || !isRight) {
        const data = { column: column.name, type: column.type, kind: kind ?? 'map' }
        this.diagnostics.push(catalogDiagnostic('not-attributes', data, this.#at(path)))
        return []
      }
      return [{ column: column.name, kind, prefix: given.prefix ?? '' }]
    })
  }

  #fields(timeField: string | undefined, used: ReadonlySet<string | undefined>): readonly FieldMapping[] {
    const { table, columns } = this.#request
    const fields: FieldMapping[] = []
    const named = new Set<string>()
    for (const [name, given] of Object.entries(table.fields ?? {})) {
      const spec: FileField = typeof given === 'string' ? { column: given } : given
      const inColumn: JsonPath =
        typeof given === 'string'
          ? ['fields', name]
          : spec.column === undefined
            ? ['fields', name]
            : ['fields', name, 'column']
      const column = this.#column(spec.column ?? name, inColumn)
      if (name === timeField)
        this.diagnostics.push(
          catalogDiagnostic('same-field', { name, other: 'the time of the row' }, this.#at(['fields', name], 'key')),
        )
      if (column === undefined) continue
      const path = listOf(spec.path)
      if (path.length === 0) named.add(column.name)
      fields.push(this.#fieldOf(name, column, spec, path))
    }
    if (table.allColumns === false) return fields
    const taken = new Map(fields.map((field) => [field.name, field]))
    for (const column of columns) {
      if (used.has(column.name) || named.has(column.name)) continue
      const clash = taken.get(column.name)
      if (clash !== undefined || column.name === timeField) {
        const other = clash === undefined ? 'the time of the row' : `the column \`${clash.column}\``
        const path: JsonPath = clash === undefined ? ['time'] : ['fields', column.name]
        this.diagnostics.push(
          catalogDiagnostic(
            'same-field',
            { name: column.name, other: `${other}, and there is a column of that name` },
            this.#at(path, 'key'),
          ),
        )
        continue
      }
      if (!this.#isOpened(column)) {
        fields.push(this.#fieldOf(column.name, column, {}, []))
        continue
      }
      for (const { path, type } of structMembers(column.type)) {
        const name = [column.name, ...path].join('.')
        if (taken.has(name) || name === timeField) continue
        fields.push(this.#fieldOf(name, column, {}, path, type))
      }
    }
    return fields
  }

  #isFiles(): boolean {
    return this.#request.source.kind === 'files'
  }

  /** Returns whether the members of a column in files become fields, such as `ctx.user.id` from nested JSON lines. */
  #isOpened(column: ForeignColumn): boolean {
    return this.#isFiles() && structMembers(column.type).length > 0
  }

  #fieldOf(
    name: string,
    column: ForeignColumn,
    spec: FileField,
    path: readonly string[],
    /** The type of the value at `path`, if it is known. */
    inner?: string,
  ): FieldMapping {
    const native = this.#native(inner === undefined ? column : { ...column, type: inner })
    if (inner !== undefined) return fieldMapping(name, column, path, native.types[0] ?? 'any', inner, spec)
    const isInside = path.length > 0
    if (isInside && native.attributes === undefined && !native.types.includes('string'))
      this.diagnostics.push(
        catalogDiagnostic('not-inside', { column: column.name, type: column.type }, this.#at(['fields', name, 'path'])),
      )
    const can: readonly DataType[] = isInside ? ['any', 'string', 'number', 'integer', 'bool', 'json'] : native.types
    const type = spec.type ?? can[0] ?? 'any'
    if (!can.includes(type))
      this.diagnostics.push(
        catalogDiagnostic(
          'wrong-type',
          { field: name, type, nativeType: column.type, can },
          this.#at(['fields', name, 'type']),
        ),
      )
    return fieldMapping(name, column, path, type, column.type, spec, native.attributes)
  }

  #checkAliases(fields: readonly FieldMapping[], timeField: string | undefined): void {
    const names = new Set([...fields.map((field) => field.name), timeField])
    const seen = new Map<string, string>()
    for (const { name, aliases } of fields) {
      for (const alias of aliases) {
        const first = seen.get(alias)
        const where = this.#at(['fields', name, 'aliases'])
        if (names.has(alias)) this.diagnostics.push(catalogDiagnostic('alias-hides', { alias, field: name }, where))
        else if (first !== undefined)
          this.diagnostics.push(catalogDiagnostic('same-alias', { alias, first, second: name }, where))
        seen.set(alias, name)
      }
    }
  }

  /** Returns the name of the field that a catalog entry refers to by field name, alias or column name. */
  #field(name: string, fields: readonly FieldMapping[], path: JsonPath): string | undefined {
    const found =
      fields.find((field) => field.name === name) ??
      fields.find((field) => field.aliases.includes(name)) ??
      fields.find((field) => field.column === name && field.path.length === 0)
    if (found !== undefined) return found.name
    const known = [...new Set(fields.map((field) => field.name))]
    this.diagnostics.push(
      catalogDiagnostic('no-field', { field: name, near: nearestNames(name, known), known }, this.#at(path)),
    )
    return undefined
  }

  #text(fields: readonly FieldMapping[]): string | undefined {
    const { table } = this.#request
    if (table.text !== undefined) return this.#field(table.text, fields, ['text'])
    const texts = fields.filter(
      ({ type, path, nativeType: native }) =>
        path.length === 0 && (type === 'string' || (type === 'any' && /CHAR|TEXT|CLOB/i.test(native))),
    )
    const [usual] = usualNames(
      texts.map(({ name }) => name),
      textNames,
    )
    return usual
  }

  async #words(textField: string | undefined): Promise<WordIndex | undefined> {
    const { table, engine, fullText } = this.#request
    if (table.words === undefined) return undefined
    const words: WordIndex =
      typeof table.words === 'string' ? { kind: table.words } : { kind: 'fts5', table: table.words.fts5 }
    const known = wordKinds[engine]
    if (!known.includes(words.kind))
      this.diagnostics.push(
        catalogDiagnostic('words-of-engine', { kind: words.kind, engine, known }, this.#at(['words'])),
      )
    else if (textField === undefined)
      this.diagnostics.push(catalogDiagnostic('words-need-text', {}, this.#at(['words'])))
    if (words.kind !== 'fts5' || !known.includes('fts5')) return words
    const statement = await fullText(words.table)
    const cut = statement === undefined ? undefined : fullTextCut(statement)
    if (statement === undefined || cut === undefined) {
      const data = { table: words.table, isThere: statement !== undefined }
      this.diagnostics.push(catalogDiagnostic('words-of-table', data, this.#at(['words', 'fts5'])))
    }
    return { ...words, cut }
  }
}

/** Returns the mapping of one table, or all errors of its declaration. */
export async function mappingOf(request: MappingRequest): Promise<MappingResult> {
  const mapper = new Mapper(request)
  const mapping = await mapper.map()
  return { mapping, diagnostics: mapper.diagnostics }
}
