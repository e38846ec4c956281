import { SluiceError, always, present, seededRandom, type Random } from '../../../src/base/index.ts'
import { rowsBackend, type Acceptor, type CompiledStatement } from '../../../src/backends/index.ts'
import {
  foreignCompiler,
  type FieldMapping,
  type ForeignName,
  type TableMapping,
} from '../../../src/backends/sql/index.ts'
import { assign } from '../../../src/engine/assign.ts'
import { createEngine, type CompiledPlan, type Engine, type QueryOptions } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { fuzzBaseNs } from '../../../src/fuzz/dataset.ts'
import { testbeds } from '../../../src/fuzz/foreign/index.ts'
import {
  drawLayout,
  enumTexts,
  mappedAttributes,
  mappedFields,
  unitOf,
  type Layout,
} from '../../../src/fuzz/foreign/layout.ts'
import type { Testbed } from '../../../src/fuzz/foreign/testbed.ts'
import { marked } from './marked.ts'
import type { Compiler, SqlOf } from './sql-of.ts'

/** Known values of the column of an enum type. Statements over these tables may compare them one by one. */
export const knownLabels: readonly string[] = enumTexts

/** Type names that a database reports for a column, if they differ from those in its `CREATE TABLE`. */
const described: Readonly<Record<string, string>> = {
  timestamptz: 'timestamp with time zone',
  fuzz_enum: `ENUM(${enumTexts.map((text) => `'${text}'`).join(', ')})`,
}

function mappingOf(layout: Layout, types: Testbed['types']): TableMapping {
  const { timeColumn, timeKind, tieBreak, storages } = layout
  const declaredOf = (kind: keyof Testbed['types']): string => {
    const declared = types[kind]?.declared ?? ''
    return described[declared] ?? declared
  }
  const kindOf = new Map(storages.map(({ column, kind }) => [column, kind]))
  return {
    name: 'logs',
    source: { kind: 'table', path: ['main', 'logs'] },
    time: {
      field: '_time',
      column: timeColumn,
      nativeType: declaredOf(timeKind),
      isNullable: false,
      unit: unitOf(timeKind),
    },
    textField: 'content',
    streamFields: ['namespace', 'workload'],
    fields: mappedFields(layout, (column) => declaredOf(kindOf.get(column) ?? 'text')),
    attributes: mappedAttributes(layout),
    tieBreak: [tieBreak],
    domain: 'logs',
    words: undefined,
  }
}

/** Parts of a table's catalog entry that contain a string chosen by the catalog's author. `put` sets the string. */
export const catalogPlaces: readonly (readonly [
  name: string,
  put: (mapping: TableMapping, text: string) => TableMapping,
])[] = [
  ['table', (mapping, text) => ({ ...mapping, source: { kind: 'table', path: ['main', text] } })],
  ['schema', (mapping, text) => ({ ...mapping, source: { kind: 'table', path: [text, 'logs'] } })],
  ['time column', (mapping, text) => ({ ...mapping, time: { ...mapping.time, column: text } })],
  ['tie break', (mapping, text) => ({ ...mapping, tieBreak: [text] })],
  ['column', (mapping, text) => withField(mapping, (field) => ({ ...field, column: text }))],
  ['field', (mapping, text) => withField(mapping, (field) => ({ ...field, name: text }))],
  ['member', (mapping, text) => withField(mapping, (field) => ({ ...field, path: [text] }))],
  [
    'attributes',
    (mapping, text) => ({
      ...mapping,
      attributes: mapping.attributes.map((each, i) => (i === 0 ? { ...each, column: text } : each)),
    }),
  ],
]

/** Changes the first field of a mapping, which most queries use. */
function withField(mapping: TableMapping, change: (field: FieldMapping) => FieldMapping): TableMapping {
  return { ...mapping, fields: mapping.fields.map((each, i) => (i === 0 ? change(each) : each)) }
}

const upper = rowsBackend(new Map(), standardFunctions)
const common: QueryOptions = { nowNs: fuzzBaseNs, range: always, lint: 'off' }

/** Returns the SQL of a statement. Tests of this check replace it to imitate a faulty compiler. */
export type Spoil = (written: CompiledStatement) => string

const asWritten: Spoil = ({ sql }) => sql

const PLAIN = /^[a-z][a-z\d]*(?:_[a-z\d]+)*$/

/**
 * Returns the positions of parameters by name. The names derive from column names of the catalog, so each must be a
 * plain identifier; otherwise throws.
 */
function placesOf({ parameters }: CompiledStatement): ReadonlyMap<string, string> {
  for (const { name } of parameters) if (!PLAIN.test(name)) throw new Error(`${name} is no plain name of a parameter`)
  return new Map(parameters.map(({ name }, i) => [name, `${i + 1}`]))
}

interface Reading {
  readonly spoil?: Spoil | undefined
  readonly placesOf?: (statement: CompiledStatement) => ReadonlyMap<string, string>
}

function compilerOver(
  name: ForeignName,
  mapping: TableMapping,
  { spoil = asWritten, placesOf: parametersOf = () => new Map() }: Reading = {},
): Compiler {
  const { compiler, definitions } = foreignCompiler(name, [mapping])
  const catalog = { tables: new Map([['logs', present(definitions[0])]]), defaultTable: 'logs' }
  const engine: Engine = createEngine({ catalog, functions: standardFunctions, lint: 'off' })
  const sqlOf = (make: () => CompiledPlan, written: string): SqlOf => {
    try {
      const plan = make().optimized
      const part = assign<Acceptor>(plan, compiler, upper, standardFunctions)
      const parts = part.backend === compiler ? [part] : [...part.inputs.values()]
      if (parts.length === 0) return { kind: 'refused', code: 'no-statement' }
      const statements = parts.map((each) => {
        const statement = compiler.compile(each.plan)
        return marked(spoil(statement), written, name, parametersOf(statement))
      })
      return { kind: 'sql', text: [name, ...statements].join('\n;;\n') }
    } catch (error) {
      if (error instanceof SluiceError) return { kind: 'refused', code: error.code }
      throw error
    }
  }
  return {
    text: (query, options, written) => sqlOf(() => engine.plan(query, { ...common, ...options }), written),
    plan: (makePlan, written) => sqlOf(() => engine.compilePlan(makePlan(), common), written),
  }
}

const LAYOUTS = 6

/** Mappings of tables in every database, in several layouts each. */
const tables = testbeds.flatMap(({ name, types }) =>
  Array.from({ length: LAYOUTS }, (_, i) => ({
    name,
    mapping: mappingOf(drawLayout(seededRandom(i + 1), types), types),
  })),
)

/** Returns a compiler for each table. `only` restricts them to one database. */
export function foreignCompilers(only?: ForeignName, spoil?: Spoil): readonly Compiler[] {
  return tables
    .filter(({ name }) => only === undefined || name === only)
    .map(({ name, mapping }) => compilerOver(name, mapping, { spoil }))
}

/**
 * Draws a place in a catalog entry. Returns the name of the place, and a function that puts a string there and returns
 * a compiler over that catalog.
 */
export function drawCatalogPlace(random: Random): {
  readonly place: string
  readonly over: (text: string) => Compiler
} {
  const { name, mapping } = random.pick(tables)
  const [place, put] = random.pick(catalogPlaces)
  return {
    place,
    over: (text) => compilerOver(name, put(mapping, text), { placesOf }),
  }
}
